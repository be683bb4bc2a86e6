"""What a plan changed → what must have changed in the end, without what nobody asked for or can foretell."""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from misstep.core.objective import ExpectedChange, Pattern
from misstep.core.state import Change
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS
from misstep.synthesis.tasks.surveying import text

_OPERATORS = frozenset({"any_of", "near", "within", "contains", "not", "matches", "is"})
_TRAILING = ".!?… "

Volatile = frozenset[tuple[str, str]]
"""Tables and fields whose values differ from one execution to the next."""


def expected_changes(
    changes: Sequence[Change], contents: Collection[JSON], volatile: Volatile, unsaid: Collection[str]
) -> tuple[ExpectedChange, ...]:
    """`contents` is what the person said; `unsaid` names arguments that the tool fills where nobody says anything."""
    return tuple(_expected(change, contents, volatile, unsaid) for change in changes)


def _expected(
    change: Change, contents: Collection[JSON], volatile: Volatile, unsaid: Collection[str]
) -> ExpectedChange:
    if change.after is None:
        return ExpectedChange(table=change.table, key=change.key, deleted=True)
    fields = {
        name: pattern(change.after.get(name), contents)
        for name in change.fields
        if (change.table, name) not in volatile and name in change.after
    }
    asked = {name: value for name, value in fields.items() if name not in unsaid}
    said = {text(value) for value in contents if isinstance(value, (str, int, float))}
    if change.before is not None or change.key in said:
        # Where nothing else changes, that is what was asked for: a flag is set, and its default says so.
        return ExpectedChange(table=change.table, key=change.key, fields=asked or fields)
    told = {
        name: value
        for name, value in asked.items()
        if change.after[name] is not None and str(change.after[name]) != change.key
    }
    return ExpectedChange(table=change.table, fields=told)


def pattern(value: JSON, contents: Collection[JSON]) -> Pattern:
    """What was said in a sentence of the person's own may be put in others; anything else must be what it is.

    A scenario is a file in which nothing cannot stand for itself: it is told as such, and within a value not at all."""
    if value is None:
        return cast("Pattern", {"is": "nothing"})
    if _has_gaps(value):
        return cast("Pattern", {"is": "anything"})
    words = [word for word in value.split() if word.isalpha()] if isinstance(value, str) else []
    if isinstance(value, str) and value in contents and len(words) > 1:
        return {"means" if is_prose(value) else "contains": value.strip(_TRAILING)}
    looks_like_one = isinstance(value, Mapping) and cast("Mapping[str, JSON]", value).keys() <= _OPERATORS
    return cast("Pattern", {"is": "anything"}) if looks_like_one else cast("Pattern", value)


def is_prose(text: str) -> bool:
    """More than a name: `it was a mistake`, not `Lord of the Rings`."""
    told = [word.strip(_TRAILING + ",;:") for word in text.split()]
    telling = [word for word in told if word.lower() not in STOPWORDS]
    return len(telling) < len(told) and any(word.islower() for word in telling)


def _has_gaps(value: JSON) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_gaps, cast("Mapping[str, JSON]", value).values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_gaps, cast("Sequence[JSON]", value)))
    return value is None


def differing(one: Sequence[Change], other: Sequence[Change]) -> Volatile | None:
    """The fields in which two executions of one plan differ; None where they differ in more than values."""
    mine, theirs = _by_place(one), _by_place(other)
    if mine.keys() != theirs.keys():
        return None
    return frozenset(
        (table, name)
        for (table, place), change in mine.items()
        for name in _unlike(change.after, theirs[table, place].after)
    )


def _by_place(changes: Sequence[Change]) -> dict[tuple[str, str], Change]:
    """By key; created records, whose keys may be anything, by their place among those of their table."""
    found: dict[tuple[str, str], Change] = {}
    for change in changes:
        count = sum(table == change.table and key.startswith("+") for table, key in found)
        found[change.table, f"+{count}" if change.before is None else f"={change.key}"] = change
    return found


def _unlike(one: Mapping[str, JSON] | None, other: Mapping[str, JSON] | None) -> set[str]:
    one, other = one or {}, other or {}
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}
