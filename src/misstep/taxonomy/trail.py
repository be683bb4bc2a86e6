"""Our failure modes ↔ the categories of TRAIL, a public set of labelled traces."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec
from msgspec import Struct


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    modes: dict[str, str]
    counted_with: dict[str, str]
    spellings: dict[str, str]
    others: dict[str, tuple[str, ...]]


@cache
def _table() -> _Table:
    text = resources.files("misstep.taxonomy").joinpath("trail.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Table)


@cache
def table() -> Mapping[str, str]:
    """One to one: mode → category."""
    return MappingProxyType(_table().modes)


def category_of(mode: str) -> str | None:
    """What TRAIL calls a mode; nothing where it has no word for it."""
    return table().get(_table().counted_with.get(mode, mode))


def category_spelt(text: str) -> str:
    """The category that a label means: people spell some of them in several ways."""
    return _spellings().get(text.strip().casefold(), text.strip())


def mode_for(category: str) -> str | None:
    """The mode that stands for a category, however it is spelt; nothing for those that no mode stands for."""
    return _modes().get(category_spelt(category))


def categories() -> tuple[str, ...]:
    """All that is known of, those that no mode stands for last."""
    return (*table().values(), *(each for group in _table().others.values() for each in group))


@cache
def _modes() -> Mapping[str, str]:
    return {category: mode for mode, category in table().items()}


@cache
def _spellings() -> Mapping[str, str]:
    spelt = {category.casefold(): category for category in categories()}
    return spelt | {variant.casefold(): category for variant, category in _table().spellings.items()}
