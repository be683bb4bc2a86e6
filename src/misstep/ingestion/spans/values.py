"""Attribute values → texts, numbers, objects and lists: instrumentations write JSON as text, and numbers too."""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.ingestion.decoding import decoded, written
from misstep.ingestion.decoding import parsed as shallow

_LONGEST_EXTRA = 400
_MOST_EXTRAS = 40


def is_object(value: JSON) -> TypeGuard[dict[str, JSON]]:
    return isinstance(value, dict)


def is_list(value: JSON) -> TypeGuard[list[JSON]]:
    return isinstance(value, list)


def is_words(value: JSON) -> TypeGuard[str | list[JSON]]:
    """A text, or a list, as of messages."""
    return isinstance(value, (str, list))


def parsed(value: JSON) -> JSON:
    """A text that is JSON as what it says, and anything else as it is."""
    if not isinstance(value, str):
        return value
    start = value.lstrip()[:1]
    if start in ("{", "["):
        return shallow(value)
    if not start or start not in '"tfn-0123456789':
        return value
    try:
        return decoded(value)
    except FormatError:
        return value


def structure(value: JSON) -> JSON:
    """An object or list, given as such or as JSON text; a text that is anything else stays that text."""
    return shallow(value) if isinstance(value, str) else value


def fields(value: JSON) -> Mapping[str, JSON]:
    """An object, given as such or as JSON text; an empty one for anything else."""
    found = structure(value)
    return found if is_object(found) else {}


def items(value: JSON) -> list[JSON]:
    """A list, given as such or as JSON text; one of one for an object; an empty one for anything else."""
    found = structure(value)
    if is_list(found):
        return found
    return [found] if is_object(found) else []


def text(value: JSON) -> str:
    """A text as it is, nothing as an empty one, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else written(value)


def whole(value: JSON) -> int:
    """A count; 0 for what is none."""
    return int(number(value))


def number(value: JSON) -> float:
    """A number from 0 to 10¹⁵, also where it is written as text; 0 for what is none."""
    try:
        found = float(value) if isinstance(value, (int, float, str)) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return found if 0 <= found <= 1e15 else 0.0


def first(attributes: Mapping[str, JSON], *names: str) -> JSON:
    """The value of the first of these names that has one."""
    for name in names:
        value = attributes.get(name)
        if value is not None and value != "":
            return value
    return None


def first_text(attributes: Mapping[str, JSON], *names: str) -> str:
    return text(first(attributes, *names))


def extras(attributes: Mapping[str, JSON], held: Iterable[str]) -> dict[str, JSON]:
    """The attributes whose names begin with none of these, each cut short, and not too many."""
    prefixes = tuple(held)
    left = [(name, value) for name, value in attributes.items() if not name.startswith(prefixes)]
    return {name: clipped(value) for name, value in left[:_MOST_EXTRAS]}


def clipped(value: JSON, limit: int = _LONGEST_EXTRA) -> JSON:
    """A value that is short when written; a longer one as the beginning of its text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    told = text(value)
    if len(told) > limit:
        return told[:limit] + "…"
    return value
