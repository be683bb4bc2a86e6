"""A trace → the turns that began with what was asked for and ended with something else."""

import re
from collections.abc import Iterator

from misstep.core.event import Thought, ToolCall
from misstep.core.trace import Exchange, Trace
from misstep.core.words import words
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.instructions import instructed
from misstep.detectors.evidence.orders import orders
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.straying import Stray
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import Turn, turns
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import meaning, vocabulary

_REQUEST = 3
_SUBSTANCE = 8
_AWAY = 2
"""One question beside the point may be a step on the way; the last two are not."""
_LONG = 1200
_DIGRESSES = re.compile(
    r"\b(?:fascinating|interesting|intriguing|curious|while i(?:'m| am) (?:at it|here)|by the way|on a side note|side"
    r"track|speaking of|come to think|that reminds|rabbit hole|i (?:wonder|would love|'d love))\b",
    re.IGNORECASE,
)


def wanderings(trace: Trace) -> Iterator[Stray]:
    """Where a turn left what was asked for: its last questions and its answer are all about something else."""
    ever: set[str] = set()
    for turn in turns(trace):
        wanted = _of(turn.request)
        ever |= wanted
        if turn.asked_at < 0 or turn.answer_at is None or len(turn.request) > _LONG:
            continue
        if not (orders(turn.request) or asks(turn.request)):
            continue  # an answer to the agent's own question asks for nothing
        if len(wanted) < _REQUEST or asks(turn.answer) or tells_of_trouble(turn.answer):
            continue
        told = _of(turn.answer)
        if len(told) < _SUBSTANCE or len(told & wanted) * _REQUEST >= len(wanted):
            continue
        left = _left_at(trace, turn, ever)
        if left is not None:
            yield Stray(left, turn.asked_at, " ".join(turn.request.split())[:100])


def _left_at(trace: Trace, turn: Turn, wanted: set[str]) -> int | None:
    """The first of the last questions that have no word of the request, where one before had some."""
    away: list[int] = []
    began = digressed = False
    for at in range(turn.asked_at + 1, turn.end):
        event = trace.events[at]
        if isinstance(event, Thought):
            digressed = digressed or _DIGRESSES.search(event.text) is not None
        elif isinstance(event, ToolCall):
            asked = {stem for _, value in leaves(event.arguments) if isinstance(value, str) for stem in _of(value)}
            if asked & wanted:
                began, away = True, []
            elif trace.tools and event.tool not in trace.tool_named:
                continue  # what is not on offer leads nowhere, whatever its name says
            elif len(asked) >= _AWAY and effect_of(trace, event) not in ("writes", "destroys"):
                away.append(at)
    enough = len(away) >= _AWAY or (digressed and bool(away))
    return away[0] if began and enough else None


_ASKS_WHEN = re.compile(r"\b(?:when|what time|which (?:day|date|week|month)|how (?:soon|late|early))\b", re.IGNORECASE)
_ASKS_HOW_MUCH = re.compile(r"\bhow (?:much|many|long|high|old|big|large|heavy)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\d[:/-]\d|\d ?(?:st|nd|rd|th|am|pm|h|days?|hours?|minutes?|weeks?|months?|years?)\b|o'clock"
    r"|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|tonight|now|soon|week|month|year|noon|midnight"
    r"|morning|afternoon|evening|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|yesterday|immediately|anytime|already|never)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozen|hundred|none|no|nothing|many"
    r"|few|several|half|free|long|far|all|only)\b",
    re.IGNORECASE,
)


def sidetracks(trace: Trace) -> Iterator[Stray]:
    """Where somebody only wanted to know something, is not told it, and something else was changed instead."""
    calls = {exchange.at: exchange for exchange in trace.exchanges}
    for turn in turns(trace):
        if turn.asked_at < 0 or turn.answer_at is None or len(turn.request) > _LONG or orders(turn.request):
            continue
        if asks(turn.answer) or tells_of_trouble(turn.answer) or not _leaves_open(turn.request, turn.answer):
            continue
        made = (calls[at] for at in range(turn.asked_at + 1, turn.end) if at in calls)
        acts = [each for each in made if effect_of(trace, each.call) not in ("reads", None) and each.succeeded]
        if acts and not any(_is_accounted_for(trace, each) for each in acts):
            yield Stray(acts[0].at, turn.asked_at, " ".join(turn.request.split())[:100])


def _is_accounted_for(trace: Trace, act: Exchange) -> bool:
    """The user wanted it, or a text from outside did, which is a failure of another kind."""
    return heard(trace).asks_for(_acts_of(trace, act.call), act.at) or instructed(trace, act.at) is not None


def _acts_of(trace: Trace, call: ToolCall) -> frozenset[str]:
    tool = vocabulary(trace).tools.get(call.tool)
    return tool.acts if tool is not None else frozenset(meaning(call.tool))


def _leaves_open(request: str, answer: str) -> bool:
    """It was asked when, or how much, and the answer has nothing that could say so."""
    return (_ASKS_WHEN.search(request) is not None and not _TIME.search(answer)) or (
        _ASKS_HOW_MUCH.search(request) is not None and not _AMOUNT.search(answer)
    )


def _of(text: str) -> set[str]:
    """What a text is about; how many of it were wanted is no matter."""
    return {stem for stem in meaning(text[:_LONG]) if not stem.isdigit() and stem not in _COUNTS}


_COUNTS = frozenset(
    stem for word in words("one two three four five six seven eight nine ten find give tell") for stem in meaning(word)
)
