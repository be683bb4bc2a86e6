"""A foreign value → the type that is hoped for, or something empty of that type: nothing in a file can be relied on."""

import math
from collections.abc import Mapping
from typing import cast

from misstep.core.tool import JSON

_NOTHING: Mapping[str, JSON] = {}


def table(value: JSON) -> Mapping[str, JSON]:
    return cast(dict[str, JSON], value) if isinstance(value, dict) else _NOTHING


def rows(value: JSON) -> list[JSON]:
    return cast(list[JSON], value) if isinstance(value, list) else []


def tables(value: JSON) -> list[Mapping[str, JSON]]:
    """The objects of a list; what else is in it is passed over."""
    return [cast(dict[str, JSON], each) for each in rows(value) if isinstance(each, dict)]


def first(value: JSON) -> Mapping[str, JSON]:
    """The first object of a list; an empty one where there is none."""
    return next((cast(dict[str, JSON], each) for each in rows(value) if isinstance(each, dict)), _NOTHING)


def text(value: JSON) -> str:
    return value if isinstance(value, str) else ""


def name(value: JSON) -> str:
    """A text or a number that names something; else nothing."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**30 else ""


def number(value: JSON) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def count(value: JSON) -> int:
    """A number of things: never negative, never absurd."""
    found = number(value)
    return int(found) if found is not None and 0 <= found < 2**53 else 0


def truth(value: JSON) -> bool | None:
    return value if isinstance(value, bool) else None
