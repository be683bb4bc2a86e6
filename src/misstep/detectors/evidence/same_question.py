"""A trace → the questions that an agent asks over and over of a user who answers, and does nothing meanwhile."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from misstep.core.event import Message, ToolCall
from misstep.core.trace import Trace
from misstep.core.words import content_stems, sentences
from misstep.detectors.evidence.trouble import asks
from misstep.objectives.proposals import agrees, declines
from misstep.objectives.values import said

_ASKED = 3
_SHORTEST_QUESTION = 3
_FEWEST_WORDS = 2
_LATEST = 8
_LITTLE = 10
"""So many words beside the question may be courtesy."""
_MAY_ASK = re.compile(r"\?|\bplease\b", re.IGNORECASE)
_NAMING = re.compile(
    r"\b(?:sorry|apologi[sz]e|thank(?:s| you)|please|again|could|can|may|would|tell|give|provide|share|send|let|know"
    r"|confirm|have|need|sure|okay|and)\b",
    re.IGNORECASE,
)
_COMPLAINS = re.compile(
    r"\b(?:(?:i|we)(?:'ve| have)? (?:already|just) \w+|already (?:told|said|gave|answered|sent)"
    r"|(?:i|we) (?:told|gave) you|as i said|like i said|told you|said (?:so|that|it) (?:before|already)"
    r"|(?:asked|asking) (?:me )?(?:that|this|already|again|before))\b",
    re.IGNORECASE,
)


class _Asked(Struct):
    """One question, wherever it was asked, and what the user said to it each time."""

    text: str
    stems: frozenset[str]
    places: list[int]
    replies: list[str]
    bare: bool = True
    """When it was asked again, nothing was said with it that the user could have wanted."""

    def is_the_same(self, stems: frozenset[str]) -> bool:
        """In the same words, or in these and no more than one other."""
        few, many = sorted((self.stems, stems), key=len)
        return few <= many and len(many) - len(few) <= 1


def asked_again(trace: Trace) -> Iterator[list[int]]:
    """The places of one and the same question, asked of a user who answers each time, while nothing else is done."""
    asked: dict[frozenset[str], list[int]] = {}
    questions: list[_Asked] = []
    answered = True
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolCall):
            yield from _repeats(asked, questions)
            asked, questions = {}, []
        elif isinstance(event, Message) and event.role == "user":
            answered = True
            for each in questions:
                if len(each.replies) < len(each.places):
                    each.replies.append(event.text)
        elif isinstance(event, Message) and event.role == "agent" and _MAY_ASK.search(event.text) and asks(event.text):
            words = frozenset(content_stems(_NAMING.sub(" ", event.text)))
            if answered and "?" in event.text and len(words) >= _SHORTEST_QUESTION:
                asked.setdefault(words, []).append(at)
            if answered:
                _enter(questions, event.text, at)
            answered = False
    yield from _repeats(asked, questions)


def _enter(questions: list[_Asked], text: str, at: int) -> None:
    """Note the last question of a message, which is the one that waits for an answer."""
    spoken = sentences(text)
    asking = [sentence for sentence in spoken if "?" in sentence or asks(sentence)]
    stems = frozenset(content_stems(_NAMING.sub(" ", asking[-1]))) if asking else frozenset[str]()
    if len(stems) < _FEWEST_WORDS:
        return
    for each in questions[-_LATEST:]:
        if each.is_the_same(stems):
            each.places.append(at)
            each.replies += [""] * (len(each.places) - 1 - len(each.replies))
            each.bare = each.bare and _says_little([other for other in spoken if other != asking[-1]])
            return
    questions.append(_Asked(asking[-1], stems, [at], []))


def _says_little(beside: Sequence[str]) -> bool:
    text = " ".join(beside)
    return len(content_stems(text)) <= _LITTLE and not any(map(str.isdigit, text)) and "?" not in text


def _repeats(asked: dict[frozenset[str], list[int]], questions: Sequence[_Asked]) -> Iterator[list[int]]:
    seen: set[int] = set()
    several = [places for places in asked.values() if len(places) >= _ASKED]
    several += [each.places for each in questions if len(each.places) >= _ASKED and _was_answered(each)]
    for places in several:
        if seen.isdisjoint(places):
            seen.update(places)
            yield places


def _was_answered(question: _Asked) -> bool:
    """The user gave one and the same value twice over, says that it had been said, or gave what was asked for."""
    given = [said(reply) for reply in question.replies[:-1] or question.replies]
    later = [said(reply) for reply in question.replies[1:]]
    values = [each.codes | {str(number) for number in each.numbers} for each in given]
    again = [each.codes | {str(number) for number in each.numbers} for each in later]
    if any(not first.isdisjoint(second) for place, first in enumerate(values) for second in again[place:]):
        return True
    if any(_COMPLAINS.search(reply.replace("’", "'")) for reply in question.replies):
        return True
    return question.bare and _got_what_it_asked_for(question)


_DODGES = re.compile(
    r"\b(?:don't|do not|no idea|not sure|unsure|can't|cannot|hold on|wait|moment|second|why|later|depends?|either|maybe"
    r"|perhaps|let me|forgot|lost)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\b(?:when|(?:what|which) (?:\w+ )?(?:days?|dates?|times?|slots?|weeks?|months?))\b", re.IGNORECASE)
_TIME = re.compile(
    r"\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|noon|midday|midnight|morning|afternoon"
    r"|evening|o'clock|next week|weekend|january|february|march|april|june|july|august|september|october|november"
    r"|december|half past|quarter (?:past|to)|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|long|big|large|old|tall|heavy|far)\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozen|hundred|half|couple"
    r"|just me)\b",
    re.IGNORECASE,
)
# Whoever lacks what identifies something tells other things instead, and it has to be asked for again.
_IDENTIFIES = re.compile(
    r"\b(?:numbers?|ids?|codes?|references?|e-?mails?|address|phone|pin|zip|postcode|password|names?|account)\b",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"(?:^|[,;:]\s*)(?:so |and |then )?(?:shall|should|may|can|do|does|did|are|is|was|were|will|would|have|has"
    r"|could)\b",
    re.IGNORECASE,
)


def _got_what_it_asked_for(question: _Asked) -> bool:
    """Two of the replies are of the kind that was asked for, or say the same thing twice."""
    replies = [reply.replace("’", "'") for reply in question.replies]
    replies = [reply for reply in replies if reply and not _DODGES.search(reply)]
    if len(replies) < _ASKED - 1:
        return False
    for form, kind in ((_WHEN, _TIME), (_HOW_MANY, _AMOUNT)):
        if form.search(question.text):
            return sum(kind.search(reply) is not None for reply in replies) >= _ASKED - 1
    if _YES_OR_NO.search(question.text):
        return sum(agrees(reply) or declines(reply) for reply in replies) >= _ASKED - 1
    if _IDENTIFIES.search(question.text):
        return False
    told = [frozenset(content_stems(_NAMING.sub(" ", reply))) - question.stems for reply in replies]
    return any(not first.isdisjoint(second) for first, second in pairwise(told))
