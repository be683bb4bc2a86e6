"""A label made with an older version of the taxonomy → the same label in this one, or why a person must look again."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct, structs

from misstep.core.errors import FormatError
from misstep.core.finding import Finding


class Version(Struct, frozen=True, forbid_unknown_fields=True):
    """A version, and what labels of the one before it become."""

    id: str
    renamed: dict[str, str] = {}
    split: dict[str, tuple[str, ...]] = {}
    retired: dict[str, str] = {}


class OutdatedLabelError(FormatError):
    """A label that nobody but a person can carry over."""


class _Versions(Struct, frozen=True, forbid_unknown_fields=True):
    versions: tuple[Version, ...]


@cache
def versions() -> tuple[Version, ...]:
    """Oldest first; the last one is this one."""
    text = resources.files("misstep.taxonomy").joinpath("versions.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Versions).versions


def migrated(label: Finding, history: Sequence[Version] | None = None) -> Finding:
    """The label in the newest version. One that says no version is taken to be of the newest."""
    history = versions() if history is None else history
    newest = history[-1].id
    if label.taxonomy in ("", newest):
        return structs.replace(label, taxonomy=newest)
    known = [each.id for each in history]
    if label.taxonomy not in known:
        raise OutdatedLabelError(
            f"The label of {label.mode!r} was made with version {label.taxonomy!r} of the taxonomy; this Misstep knows "
            f"{', '.join(known)}. Update Misstep to read it."
        )
    mode = label.mode
    for version in history[known.index(label.taxonomy) + 1 :]:
        mode = _carried(mode, version)
    return structs.replace(label, mode=mode, taxonomy=newest)


def _carried(mode: str, version: Version) -> str:
    if mode in version.split:
        parts = " or ".join(version.split[mode])
        raise OutdatedLabelError(f"{mode!r} became {parts} in version {version.id}: label it anew.")
    if mode in version.retired:
        raise OutdatedLabelError(f"{mode!r} is no more in version {version.id}: {version.retired[mode]}")
    return version.renamed.get(mode, mode)
