"""A trace → the acts that an agent itself tells of as something more than it was asked for."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Handoff, Message
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import effect_of, outcome
from misstep.objectives.consent import consented
from misstep.objectives.matching import plain
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import meaning

_MORE = re.compile(
    r"\b(?:also|as well|too|in addition|additionally|on top|besides|while (?:i was|we were|i'm|we're) (?:at it|there"
    r"|in there)|at the same time|extra|the same|furthermore|moreover|likewise|went ahead|took the (?:liberty"
    r"|opportunity|chance)|proactively|for good measure|as a (?:bonus|little extra|surprise))\b",
    re.IGNORECASE,
)
# Who says so means it as a gift, and no step of the work.
_UNBIDDEN = re.compile(
    r"\bwhile (?:i was|we were|i'm|we're) (?:at it|there|in there)\b|\btook the (?:liberty|opportunity|chance)\b"
    r"|\bproactively\b|\bfor good measure\b|\bas a (?:bonus|little extra|surprise)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:i|we)\b(?!'ll| will| can| could| would)|\b(?:now|has been|have been) also\b", re.IGNORECASE)
_OFFERS = re.compile(
    r"\?\s*$|\b(?:can|could|would|will|shall|may i|if you|you asked|as (?:you )?(?:asked|requested|agreed))\b",
    re.IGNORECASE,
)
# Who says such a word means more than one, or leaves it to the agent how much.
_SEVERAL = re.compile(
    r"\b(?:all|both|each|every\w*|others?|rest|them|these|those|any(?! chance)\w*|several|as well|also|same|whatever"
    r"|everything|needed|necessary|take care|sort|handle|clean|prepare|set ?up|fix|make sure|ensure|and then|then)\b"
    r"|\btoo\b(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)


_SOON = 20


class Extra(NamedTuple):
    """An act on top, the act that was asked for, and what was said of it."""

    act: Exchange
    asked: Exchange
    said: str


def extras(trace: Trace) -> Iterator[Extra]:
    """Acts after one whose values the user had named, with a value of their own that nobody named, told as an extra."""
    told = _told_as_more(trace) if trace.exchanges else ()
    if not told:
        return
    asked: Exchange | None = None
    asked_in = -1
    for exchange in trace.exchanges:
        if effect_of(trace, exchange.call) in ("reads", None) or outcome(exchange) != "done":
            continue
        last = heard(trace).last_at(exchange.at)
        if last is None or _SEVERAL.search(last[1]):
            continue
        if _is_as_asked(trace, exchange):
            asked, asked_in = exchange, last[0]
        elif asked is not None and asked_in == last[0] and not consented(trace, exchange.at):
            first = bisect_right(told, exchange.at, key=lambda each: each[0])
            said = next((text for _, text in told[first : first + _SOON] if _speaks_of(text, exchange)), None)
            if said is not None and (_UNBIDDEN.search(said) or _is_beyond(trace, exchange, asked)):
                yield Extra(exchange, asked, said)


def _told_as_more(trace: Trace) -> list[tuple[int, str]]:
    return [
        (at, sentence)
        for at, event in enumerate(trace.events)
        if (isinstance(event, Message) and event.role == "agent") or isinstance(event, Handoff)
        for sentence in (sentences(event.text) if _MORE.search(event.text) else ())
        if _MORE.search(sentence) and _FIRST.search(sentence) and not _OFFERS.search(sentence)
    ]


def _is_as_asked(trace: Trace, exchange: Exchange) -> bool:
    """The user had said every value of it."""
    values = [value for _, value in leaves(exchange.call.arguments) if not isinstance(value, bool)]
    return bool(values) and all(heard(trace).says(value, exchange.at) for value in values)


def _is_beyond(trace: Trace, exchange: Exchange, asked: Exchange) -> bool:
    """It has a value that nobody named and that the act before did not give."""
    given = {plain(str(value)) for _, value in leaves(asked.result.content if asked.result else None)}
    passed = [value for _, value in leaves(exchange.call.arguments)]
    if any(plain(str(value)) in given for value in passed):
        return False  # the next step of the same work
    return any(not heard(trace).says(value, exchange.at) for value in passed if not isinstance(value, bool))


def _speaks_of(sentence: str, exchange: Exchange) -> bool:
    """It names a value of the call, or shares two of its words."""
    values = [value for _, value in leaves(exchange.call.arguments) if not isinstance(value, bool)]
    if any(says(sentence, value) for value in values if str(value)):
        return True
    words = {stem for value in values if isinstance(value, str) for stem in meaning(value)} | set(
        meaning(exchange.call.tool)
    )
    return len(words & set(meaning(sentence))) > 1
