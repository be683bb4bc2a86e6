"""The voices that a person can have: their rules and habits, out of `voices.toml`."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from misstep.core.errors import UsageError, suggestion

_SHARED = "any"


@lru_cache(maxsize=1)
def _file() -> dict[str, dict[str, tuple[str, ...]]]:
    text = files("misstep.wording.requests").joinpath("voices.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, tuple[str, ...]]])


def voices() -> tuple[str, ...]:
    """Their names, plain first."""
    return tuple(name for name in _file() if name != _SHARED)


@lru_cache(maxsize=64)
def rules_of(voice: str) -> Mapping[str, tuple[str, ...]]:
    """A voice's rules, with those that all voices share where it has none of its own."""
    if voice not in voices():
        raise UsageError(f"There is no voice {voice!r}.{suggestion(voice, voices())}")
    return {**_file()[_SHARED], **_file()[voice]}
