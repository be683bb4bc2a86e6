"""A pattern → what is wrong with it as a pattern, in words, before any value is held against it."""

import math
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from misstep.core.errors import suggestion
from misstep.core.objective import Pattern
from misstep.objectives.matching import OPERATORS, number_in

# The parser of the standard library's own expressions: nothing else says what one repeats.
_codes: Any = import_module("re._constants")
_parser: Any = import_module("re._parser")

_DEEPEST = 20
_LONGEST = 1000


def wrong_with(pattern: Pattern, depth: int = 0) -> str | None:
    """What is wrong, as the end of a sentence whose subject is the pattern; None where nothing is."""
    if depth > _DEEPEST:
        return f"is nested more than {_DEEPEST} deep"
    if isinstance(pattern, Mapping):
        return _wrong_table(cast("Mapping[str, Pattern]", pattern), depth)
    if isinstance(pattern, (list, tuple)):
        return _first(cast("Sequence[Pattern]", pattern), depth)
    if isinstance(pattern, float) and not math.isfinite(pattern):
        return f"asks for {pattern}, which is no number that a call can hold"
    if pattern is None or isinstance(pattern, (str, bool, int, float)):
        return None
    return f"asks for a {type(pattern).__name__}, which no call can hold: write it as a text"


def _first(patterns: Sequence[Pattern], depth: int) -> str | None:
    return next((wrong for each in patterns if (wrong := wrong_with(each, depth + 1))), None)


def _wrong_table(table: Mapping[str, Pattern], depth: int) -> str | None:
    used = table.keys() & OPERATORS
    if not used:
        return _first(list(table.values()), depth)
    for key in table:
        if key not in OPERATORS:
            return f"has a key {key!r} beside {sorted(used)[0]!r}.{suggestion(key, OPERATORS)}"
    if "within" in table and "near" not in table:
        return "has a 'within' without a 'near'"
    return next((wrong for key in table if (wrong := _wrong_value(key, table[key], depth))), None)


def _wrong_value(key: str, value: Pattern, depth: int) -> str | None:
    match key:
        case "any_of":
            if not isinstance(value, (list, tuple)) or not value:
                return "has an 'any_of' that is no list with something in it"
            return _first(cast("Sequence[Pattern]", value), depth)
        case "near" | "within":
            number = number_in(value)
            if number is None or not math.isfinite(number) or (key == "within" and number < 0):
                return f"has a {key!r} that is no number{' of 0 or more' if key == 'within' else ''}"
            return None
        case "contains":
            wanted = cast("Sequence[Pattern]", value) if isinstance(value, (list, tuple)) else [value]
            if not wanted or not all(isinstance(each, (str, int, float)) for each in wanted):
                return "has a 'contains' that is neither a text nor a list of texts"
            return _first(wanted, depth)
        case "means":
            return None if isinstance(value, str) and value.strip() else "has a 'means' that is no text"
        case "matches":
            return _wrong_expression(value)
        case "not":
            return wrong_with(value, depth + 1)
        case _:
            known = value in ("anything", "nothing")
            return None if known else f"""has an 'is' that says {value!r}; it can say "anything" or "nothing\""""


def _wrong_expression(value: Pattern) -> str | None:
    if not isinstance(value, str):
        return "has a 'matches' that is no text"
    if len(value) > _LONGEST:
        return f"has a 'matches' of more than {_LONGEST} characters"
    try:
        re.compile(value)
        parsed = _parser.parse(value)
    except (re.error, RecursionError, OverflowError) as error:
        return f"has a 'matches' that is no regular expression: {error}"
    if _explodes(parsed, inside=False):
        return (
            "has a 'matches' with a repetition inside a repetition, or with alternatives that begin alike inside one: "
            "some texts would take it years. Write it without, or match twice"
        )
    return None


_REPEATS = (_codes.MAX_REPEAT, _codes.MIN_REPEAT)
_FEW = 10


def _explodes(node: Any, *, inside: bool) -> bool:
    """Could there be more than one way to divide a text among the rounds of a repetition?"""
    parts: Any = getattr(node, "data", node)
    if not isinstance(parts, (list, tuple)):
        return False
    parts = cast("Sequence[Any]", parts)
    if len(parts) == 2 and parts[0] in _REPEATS:
        least, most, body = parts[1]
        many = most > _FEW
        return (inside and many and least != most) or _explodes(body, inside=inside or many)
    if inside and len(parts) == 2 and parts[0] is _codes.BRANCH and _begin_alike(parts[1][1]):
        return True
    return any(_explodes(each, inside=inside) for each in parts)


def _begin_alike(alternatives: Sequence[Any]) -> bool:
    first = [each.data[0] if each.data else None for each in alternatives]
    literal = [each[1] for each in first if each is not None and each[0] is _codes.LITERAL]
    return len(set(literal)) != len(first)
