"""A trace → the acts and answers that go by a figure or a day that a user remembers, where a look-up showed another."""

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.core.words import atoms, sentences, split_identifier
from misstep.detectors.evidence.premises import Premise
from misstep.detectors.evidence.trouble import asks
from misstep.objectives.dates import days_named, same_day
from misstep.objectives.matching import number_in
from misstep.objectives.values import Scalar, leaves, says
from misstep.objectives.vocabulary import effect_of, lemma, meaning, widened

# Of the past there is a record; what somebody says of today may be news.
_PAST = re.compile(
    r"\b(?:was|were|did|had|bought|paid|cost|ordered|booked|charged|arrived|got|came|signed|joined|purchased|delivered"
    r"|received|started|began|opened|took|sent|quoted|agreed|weighed|measured|lasted|ran)\b",
    re.IGNORECASE,
)
_NOT_STATED = re.compile(
    r"\b(?:if|whether|when|unless|in case|once|should|would|could|might|(?-i:may)|not|never|want|please|will"
    r"|until|think|maybe"
    r"|perhaps|about|around|roughly|almost|nearly|over|under|change|set|make|update|move|correct|instead)\b|n't\b|\?$",
    re.IGNORECASE,
)
_WEIGHS = re.compile(
    r"\b(?:but|however|although|though|shows?|records?|recorded|according|actually|in fact|listed|instead|unfortunately"
    r"|contrary|cannot|unable|not|difference|rather than|our (?:system|files?|data))\b|n't\b(?! (?:doubt|worry"
    r"|hesitate))",
    re.IGNORECASE,
)
_GENERAL = frozenset(
    map(lemma, ("id", "number", "no", "date", "time", "day", "value", "at", "on", "in", "of", "my", "name"))
)
_READ = 200


class _Remembered(Struct):
    """One value that a user gave as a fact, with what it was said of."""

    at: int
    text: str
    is_day: bool
    about: frozenset[str]
    shown: tuple[int, Scalar] | None = None
    acted_at: int | None = None
    open: bool = True


def false_figures(trace: Trace) -> Iterator[Premise]:
    """One for each value: at the act that passes it on, or at the answer that repeats it and keeps the other quiet."""
    known: list[_Remembered] = []
    reading: set[str] = set()
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            known = list(_remembered(at, event.text))
        elif isinstance(event, ToolCall) and known:
            if effect_of(trace, event.tool) == "reads":
                reading.add(event.call_id)
                continue
            for each in known:
                if each.shown and each.acted_at is None and any(_is_it(each, v) for _, v in leaves(event.arguments)):
                    each.acted_at = at
        elif isinstance(event, ToolResult) and known and not event.is_error and event.call_id in reading:
            _hold_against(at, event, known)
        elif isinstance(event, Message) and event.role == "agent" and known:
            yield from _gone_by(at, event.text, known)
            known = []


def _remembered(at: int, text: str) -> Iterator[_Remembered]:
    for sentence in sentences(text[:2000].replace("’", "'")):
        if not _PAST.search(sentence) or _NOT_STATED.search(sentence):
            continue
        found = atoms(sentence)
        for kind in ("number", "date"):
            values = [atom for atom in found if atom.kind == kind]
            if len(values) == 1:
                yield _Remembered(at, values[0].text, kind == "date", widened(meaning(sentence)) - _GENERAL)


def _is_it(each: _Remembered, value: Scalar) -> bool:
    if isinstance(value, bool):
        return False
    if each.is_day:
        return isinstance(value, str) and bool(days_named(value)) and same_day(value, each.text)
    return number_in(value) is not None and number_in(value) == number_in(each.text)


def _hold_against(at: int, result: ToolResult, known: list[_Remembered]) -> None:
    """Of the values of the same kind, the only one whose field is named as the user named it, and it differs."""
    fields = [
        (frozenset(map(lemma, split_identifier(name))), value)
        for name, value in islice(leaves(result.content), _READ)
        if not isinstance(value, bool)
    ]
    for each in known:
        if any(_is_it(each, value) or (isinstance(value, str) and says(value[:500], each.text)) for _, value in fields):
            each.open = False
            continue
        alike = [
            (name, value)
            for name, value in fields
            if (isinstance(value, str) and len(value) <= _SHORT and bool(days_named(value))) == each.is_day
            and (each.is_day or number_in(value) is not None)
        ]
        named = {value for name, value in alike if not each.about.isdisjoint(name)}
        if len(named) == 1:
            each.shown = (at, named.pop())


_SHORT = 32


def _gone_by(at: int, reply: str, known: list[_Remembered]) -> Iterator[Premise]:
    if _WEIGHS.search(reply.replace("’", "'")) or asks(reply):
        return
    for each in known:
        if each.shown is None or not each.open or says(reply, each.shown[1]):
            continue
        if each.acted_at is not None or says(reply, each.text):
            place = at if each.acted_at is None else each.acted_at
            yield Premise(place, each.at, each.shown[0], each.text, str(each.shown[1]))
