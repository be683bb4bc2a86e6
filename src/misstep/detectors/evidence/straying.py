"""A trace → the turns in which nothing that an agent did or said has to do with what users had asked for."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.core.words import atoms
from misstep.detectors.evidence.orders import orders
from misstep.detectors.evidence.support import stems_in
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import Turn, turns
from misstep.objectives.vocabulary import meaning, vocabulary, widened

_SUBSTANCE = 10
"""An answer of fewer words that carry meaning may well be about what was asked without a word of it."""
_REQUEST = 3
_KNOWN = 3
_BACK = 80
_READ = 4000


class Stray(NamedTuple):
    """A turn about something else."""

    at: int
    asked_at: int
    asked: str


def strays(trace: Trace) -> Iterator[Stray]:
    """Turns whose calls and whose answer share no word and no value with all that users had said until then.

    Of several in a row, the first.
    """
    asked: set[str] = set()
    away = False
    for turn in turns(trace):
        if turn.asked_at < 0:
            continue
        asked |= _stems(turn.request)
        before, away = away, len(asked) >= _REQUEST and _strays(trace, turn, asked)
        if away and not before:
            yield Stray(_first_act(trace, turn), turn.asked_at, _opening(turn.request))


def _strays(trace: Trace, turn: Turn, asked: set[str]) -> bool:
    if turn.answer_at is None or asks(turn.answer) or tells_of_trouble(turn.answer):
        return False
    if not _wants_something(turn.request) or _COURTEOUS.search(turn.answer):
        return False
    told = _stems(turn.answer)
    if len(told) < _SUBSTANCE or not told.isdisjoint(asked):
        return False
    wide = widened(asked)
    known = vocabulary(trace).tools
    called = False
    for event in trace.events[turn.asked_at + 1 : turn.end]:
        if isinstance(event, ToolCall):
            called = True
            tool = known.get(event.tool)
            named = tool.all if tool is not None else frozenset(meaning(event.tool))
            if not wide.isdisjoint(named) or not asked.isdisjoint(stems_in(event.arguments)):
                return False
        elif isinstance(event, ToolResult):
            if not asked.isdisjoint(stems_in(event.content)):
                return False
        elif not isinstance(event, Message):
            return False  # thoughts, handoffs and notes may tell how one thing led to another
    if not called and _was_known(trace, turn, told):
        return False
    # What was asked for in other words than the tools' may be just what they did.
    return not called or any(not tool.named.isdisjoint(asked) for tool in known.values())


def _was_known(trace: Trace, turn: Turn, told: set[str]) -> bool:
    """It tells more of what had been looked up or arranged for the user shortly before."""
    seen: set[str] = set()
    for event in reversed(trace.events[max(0, turn.asked_at - _BACK) : turn.asked_at]):
        if isinstance(event, (ToolCall, ToolResult)):
            seen |= told & stems_in(event.arguments if isinstance(event, ToolCall) else event.content)
            if len(seen) >= _KNOWN:
                return True
    return False


_COURTEOUS = re.compile(
    r"\b(?:you(?:'re| are) (?:very |most )?welcome|my pleasure|feel free|(?:do not|don't) hesitate|reach out"
    r"|have a (?:\w+ ){0,2}(?:day|evening|weekend|trip|time|one)|glad|take care|goodbye|take your time)\b",
    re.IGNORECASE,
)
_THANKS = re.compile(r"\b(?:thanks?|thank you|cheers|bye|goodbye|get back to you)\b", re.IGNORECASE)


def _wants_something(request: str) -> bool:
    return "?" in request or (not _THANKS.search(request) and any(each.firm for each in orders(request)))


def _stems(text: str) -> set[str]:
    read = text[:_READ]
    # The year of a date is in every record; a date counts as a whole.
    return {*(stem for stem in meaning(read) if not stem.isdigit()), *(atom.text.casefold() for atom in atoms(read))}


def _first_act(trace: Trace, turn: Turn) -> int:
    """The first call of the turn, or what was said."""
    for at in range(turn.asked_at + 1, turn.end):
        if isinstance(trace.events[at], ToolCall):
            return at
    return turn.answer_at if turn.answer_at is not None else turn.asked_at


def _opening(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 100 else f"{flat[:97]}…"
