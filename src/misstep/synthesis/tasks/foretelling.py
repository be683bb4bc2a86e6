"""An act → the fields that nobody can foretell when it is asked for: times, tokens, and what is counted."""

from collections.abc import Iterator, Sequence

from misstep.core.state import Change
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.expecting import Volatile, differing
from misstep.synthesis.tasks.knowing import Knowledge

_WINS = 2
_TRIED = 24
"""So many calls at most to find one that creates something and leaves the act possible."""

_First = tuple[Call, ...]
"""What is done before the act."""


async def volatile_of(known: Knowledge, other: Bench, trying: Trying) -> Volatile:
    """Fields that differ on another toolbox, or when another record has been created before."""
    found: set[tuple[str, str]] = set()
    for win in trying.wins[:_WINS]:
        once = (await known.bench.play(*win.before, win.call)).changes
        found |= differing(once, (await other.play(*win.before, win.call)).changes) or set()
        tables = {change.table for change in once if change.before is None}
        for each in known.acts.values():
            if tables & {change.table for win in each.wins[:_WINS] for change in win.changes if change.before is None}:
                found |= await _counted(known, _firsts(known, each, win if each is trying else None), win, once)
    return frozenset(found)


async def _counted(known: Knowledge, firsts: Iterator[_First], win: Win, once: Sequence[Change]) -> Volatile:
    """What is another in a new record when some other call has created one before; the first that can is enough."""
    mine = [change for change in once if change.before is None]
    for at, first in enumerate(firsts):
        if at >= _TRIED:
            break
        both = await known.bench.play(*first, *win.before, win.call)
        if not both.worked:
            continue
        old = {(change.table, change.key) for change in (await known.bench.play(*first)).changes}
        later = [each for each in both.changes if each.before is None and (each.table, each.key) not in old]
        swapped = {each.table for each in later}
        if later:
            return differing([each for each in mine if each.table in swapped], later) or frozenset()
    return frozenset()


def _firsts(known: Knowledge, trying: Trying, win: Win | None) -> Iterator[_First]:
    """Calls of a tool that create something: the act itself once more, others that worked, the same for others."""
    wins = [each for each in trying.wins if each is not win]
    for each in (*([win] if win is not None else []), *wins):
        yield (*each.before, each.call)
    for each in trying.wins[:_WINS]:
        if not each.before:
            yield from ((call,) for call in trying.for_others(each))
