"""A pattern and a value → whether the value is what the pattern asks for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from misstep.core.objective import Pattern
from misstep.core.tool import JSON
from misstep.core.words import as_number, atoms, content_stems, stems
from misstep.objectives.dates import same_date

OPERATORS = frozenset({"any_of", "near", "within", "contains", "means", "not", "matches", "is"})
_NUMERAL = re.compile(r"[€$£]?\s?[+-]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:[.,]\d+)?\s?[€$£%]?")
_TOLERANCE = 1e-9
_SHARE = 1 / 3
_SEARCHED = 10_000
"""Regular expressions see so many characters at most: their work may grow with the square of a text."""


def fits(pattern: Pattern, value: JSON) -> bool:
    """Whether a value is what a pattern asks for; the forms of a pattern are told at `core.objective.Pattern`."""
    if isinstance(pattern, Mapping):
        table = cast("Mapping[str, Pattern]", pattern)
        if table and table.keys() <= OPERATORS:
            return all(_holds(operator, table, value) for operator in table if operator != "within")
        return isinstance(value, Mapping) and fits_all(table, cast("Mapping[str, JSON]", value))
    if isinstance(pattern, (list, tuple)):
        return isinstance(value, (list, tuple)) and _fits_list(
            cast("Sequence[Pattern]", pattern), cast("Sequence[JSON]", value)
        )
    return _same_scalar(pattern, value)


def fits_all(patterns: Mapping[str, Pattern], values: Mapping[str, JSON]) -> bool:
    """Every named pattern fits its value; other values do not matter. A missing value counts as null."""
    return all(fits(pattern, values.get(name)) for name, pattern in patterns.items())


def misfits(patterns: Mapping[str, Pattern], values: Mapping[str, JSON]) -> tuple[str, ...]:
    """The names whose values are not what the patterns ask for, in the patterns' order."""
    return tuple(name for name, pattern in patterns.items() if not fits(pattern, values.get(name)))


def _holds(operator: str, table: Mapping[str, Pattern], value: JSON) -> bool:
    wanted = table[operator]
    match operator:
        case "any_of":
            return isinstance(wanted, (list, tuple)) and any(
                fits(each, value) for each in cast("Iterable[Pattern]", wanted)
            )
        case "near":
            target, number, within = number_in(wanted), number_in(value), number_in(table.get("within", 0))
            return target is not None and number is not None and abs(target - number) <= (within or 0) + _TOLERANCE
        case "contains":
            return _contains(wanted, value)
        case "means":
            return isinstance(value, str) and _means(str(wanted), value)
        case "not":
            return not fits(wanted, value)
        case "matches":
            return isinstance(value, (str, int, float)) and _matches(str(wanted), value)
        case _:
            return (value is None) == (wanted == "nothing")


def _matches(expression: str, value: str | float) -> bool:
    try:
        return re.search(expression, str(value)[:_SEARCHED]) is not None
    except ValueError:  # a number of thousands of digits
        return False


def _contains(wanted: Pattern, value: JSON) -> bool:
    if isinstance(wanted, (list, tuple)):
        return all(_contains(each, value) for each in cast("Iterable[Pattern]", wanted))
    if isinstance(value, (list, tuple)):
        return any(fits(wanted, each) or _contains(wanted, each) for each in cast("Iterable[JSON]", value))
    if not isinstance(value, str):
        return _same_scalar(wanted, value)
    if plain(str(wanted)) in plain(value):
        return True
    held = stems(value)
    return bool(needed := stems(str(wanted))) and all(each in held for each in needed)


def _means(wanted: str, value: str) -> bool:
    """A fair paraphrase: the literal values are there, and of the telling words at least a third."""
    if plain(wanted).strip(".!?") in plain(value):
        return True
    held = {plain(atom.text) for atom in atoms(value)}
    if any(atom.kind != "quoted" and plain(atom.text) not in held for atom in atoms(wanted)):
        return False
    needed, said = set(content_stems(wanted)), set(content_stems(value))
    return bool(said) if not needed else len(needed & said) >= max(1, _SHARE * len(needed))


def _fits_list(patterns: Sequence[Pattern], values: Sequence[JSON]) -> bool:
    if len(patterns) != len(values):
        return False
    if all(fits(pattern, value) for pattern, value in zip(patterns, values, strict=True)):
        return True
    left = list(values)
    if any(isinstance(value, (Mapping, list, tuple)) for value in left):
        return False
    for pattern in patterns:
        place = next((at for at, value in enumerate(left) if fits(pattern, value)), None)
        if place is None:
            return False
        del left[place]
    return True


def _same_scalar(pattern: Pattern, value: JSON) -> bool:
    if isinstance(pattern, bool) or isinstance(value, bool):
        return _as_truth(pattern) is not None and _as_truth(pattern) == _as_truth(value)
    if pattern is None or value is None:
        return pattern is value
    if isinstance(pattern, str) and isinstance(value, str):
        if plain(pattern) == plain(value) or same_date(pattern, value):
            return True
    elif isinstance(value, (Mapping, list, tuple)):
        return False
    wanted, number = number_in(pattern), number_in(value)
    return wanted is not None and number is not None and abs(wanted - number) <= _TOLERANCE * max(1.0, abs(wanted))


def _as_truth(value: JSON) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(plain(value)) if isinstance(value, str) else None


def number_in(value: JSON) -> float | None:
    """The number that a value is, or that a whole text writes; an id with leading zeros is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            return None
    return as_number(value) if isinstance(value, str) and _NUMERAL.fullmatch(value.strip()) else None


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """A text without case, outer spaces and runs of space: what counts when two texts are compared."""
    return " ".join(text.casefold().split())
