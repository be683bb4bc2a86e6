"""A refused call and those that worked → whether its record is already what the call would make of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from misstep.core.state import Change
from misstep.core.tool import JSON
from misstep.core.words import words
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.doing import named_in
from misstep.synthesis.tasks.slots import Path
from misstep.synthesis.tasks.surveying import Row, text

_SAYS_SO = "already"
_LEAST = 2
"""What one call alone has made of a record may be chance."""

_Outcome = tuple[Change, str, Win]


def so_already(trying: Trying, loss: Loss) -> bool:
    """All that can be foretold of the outcome stands there; or the tool says so, and nothing else stands there."""
    held = _held(trying, loss)
    says_so = _SAYS_SO in words(loss.told)
    return any(held) or not held if says_so else bool(held) and all(held)


def _held(trying: Trying, loss: Loss) -> list[bool]:
    """Of each field that the act sets to one value, or to what it is told, whether it has that value."""
    asked = Win(loss.call, loss.values, loss.before, loss.answer, ())
    rows = [row for _, _, own in named_in(trying, asked) for row in own]
    outcomes: dict[tuple[str, str], list[_Outcome]] = defaultdict(list)
    for win in trying.wins:
        for change, field in _replaced(win):
            outcomes[change.table, field].append((change, field, win))
    held: list[bool] = []
    for (table, field), made in outcomes.items():
        own = [row for row in rows if row.table == table]
        verdicts = [verdict for row in own if (verdict := _holds(row, field, made, loss.values)) is not None]
        held.extend(verdicts)
    return held


def _replaced(win: Win) -> Iterator[tuple[Change, str]]:
    for change in win.changes:
        if change.before is not None and change.after is not None:
            yield from ((change, field) for field in change.fields)


def _holds(row: Row, field: str, made: list[_Outcome], values: Mapping[Path, JSON]) -> bool | None:
    """None where nobody can tell what the act would put there."""
    results = [(change.after or {}).get(field) for change, _, _ in made]
    there = row.record.get(field)
    told = _told_in(field, made, values)
    if told is not None:
        return text(str(there)) == text(str(values[told]))
    if len(made) >= _LEAST and len({str(each) for each in results}) == 1:
        return str(there) == str(results[0])
    return None


def _told_in(field: str, made: list[_Outcome], values: Mapping[Path, JSON]) -> Path | None:
    """The argument that the field is set to, in each call that worked."""
    for path in values:
        told = [str(win.values.get(path)) for _, _, win in made]
        results = [str((change.after or {}).get(field)) for change, _, _ in made]
        if told == results:
            return path
    return None
