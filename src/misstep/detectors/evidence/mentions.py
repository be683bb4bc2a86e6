"""What a user says → what a text must mention and must not, and whether the text that was delivered keeps to it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.core.words import atoms, sentences
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.support import did_its_job
from misstep.detectors.evidence.trouble import asks
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import meaning

_SPEAKING = (
    r"(?:mention(?:ing)?|refer(?:ring)? to|bring(?:ing)? up|talk(?:ing)? about|disclos(?:e|ing)|reveal(?:ing)?"
    r"|allud(?:e|ing) to)"
)
_BAN = re.compile(
    rf"(?:(?:n't|\b(?:not|never|without|avoid))\s+(?:ever\s+|to\s+)?{_SPEAKING}|\bno mention of"
    r"|\bnot a word (?:about|on|of))"
    r"\s+(?P<what>[^.;:!?,\n]{2,60})",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"\b(?:must|should|has to|have to|needs? to|make sure (?:it|you|that it|to)|be sure to|please)\s+"
    r"(?:also\s+|always\s+)?(?:mention|include|state|contain|quote)s?\s+(?P<what>[^.;!?\n]{2,120}(?:\.\d[^.;!?\n]{0,60})?)",
    re.IGNORECASE,
)
_NEXT_BAN = re.compile(
    r",?\s{0,20}(?:\b(?:and|but)\s{1,20})?\b(?:it\s+)?(?:must|should|may|do|does|can)\s{0,20}(?:not|n't)\b.*",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|unless|until|where|whenever|such as|e\.g|yet)\b", re.IGNORECASE)
_CUT = re.compile(r"\s{1,20}(?:to|in|and|or|but|as|because|since|at|on|so)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"(?:the|my|our|his|her|their|any|your)\s+|(?=[A-Z\d])")
_VAGUE = frozenset(
    meaning("thing things word words name names fact other others anything something matter topic it that")
)
_LEAST_DIGITS = 3
_SHORTEST_TEXT = 60
_SHORTEST_ARGUMENT = 30
_KEPT_OUT = re.compile(
    r"n't\b|\b(?:not|no|never|without|mention\w*|left out|leave out|leaving out|omit\w*|kept|keep\w*|avoid\w*|secret"
    r"|as (?:you )?(?:asked|requested|wished|told|instructed)|refer\w*|removed)\b",
    re.IGNORECASE,
)


class Mention(Struct, frozen=True):
    """Something that a text is to speak of, or not to speak of."""

    text: str
    banned: bool
    stems: frozenset[str]
    values: tuple[str, ...] = ()
    """The numbers, days and names that are to be in the text."""


class Delivered(NamedTuple):
    """The text that came of a request, and where."""

    at: int
    text: str


@once_per_text
def mentions(text: str) -> tuple[Mention, ...]:
    """What a message says that a text must, or must not, speak of."""
    low = text.lower()
    if not any(
        map(low.__contains__, ("mention", "includ", "refer", "not a word", "talk", "reveal", "disclos", "contain"))
    ):
        return ()
    return tuple(each for sentence in sentences(text.replace("’", "'")) for each in _in_sentence(sentence))


def _in_sentence(sentence: str) -> Iterator[Mention]:
    if _CONDITION.search(sentence):
        return
    for match in _BAN.finditer(sentence):
        what = _CUT.split(match["what"])[0]
        stems = frozenset(meaning(what)) - _VAGUE
        if _DEFINITE.match(what) and stems:
            yield Mention(match.group(), True, stems)
    for match in _DEMAND.finditer(sentence):
        what = _NEXT_BAN.sub("", match["what"])
        values = tuple(atom.text for atom in atoms(what) if sum(map(str.isdigit, atom.text)) >= _LEAST_DIGITS)
        if values:
            yield Mention(
                f"{match.group()[: match.start('what') - match.start()]}{what}", False, frozenset(meaning(what)), values
            )


def delivered(trace: Trace, after: int, before: int) -> Sequence[Delivered]:
    """What was sent or written for a request; where nothing was, the answer to it, if it is an answer."""
    first = bisect_left(trace.exchanges, after, key=lambda each: each.at)
    found: list[Delivered] = []
    for exchange in trace.exchanges[first:]:
        if exchange.at >= before:
            break
        if effect_of(trace, exchange.call) in ("writes", "reaches-outside") and did_its_job(trace, exchange):
            found += [
                Delivered(exchange.at, value)
                for _, value in leaves(exchange.call.arguments)
                if isinstance(value, str) and len(value) >= _SHORTEST_ARGUMENT and " " in value.strip()
            ]
    if found:
        return found
    last = bisect_left(trace.messages, before, key=lambda each: each[0]) - 1
    if last < 0 or trace.messages[last][0] <= after:
        return ()
    at, message = trace.messages[last]
    if message.role != "agent" or len(message.text) < _SHORTEST_TEXT or asks(message.text):
        return ()
    return (Delivered(at, message.text),)


def speaks_of(mention: Mention, text: str) -> bool:
    """A sentence says all of it, and not that it is kept out."""
    for sentence in sentences(text):
        if mention.stems <= frozenset(meaning(sentence)) and not _KEPT_OUT.search(sentence):
            return True
    return False


def lacks(mention: Mention, text: str) -> str | None:
    """The first value that a text is to have and has not."""
    return next((value for value in mention.values if not says(text, value)), None)


def passes_on(mention: Mention, text: str) -> bool:
    """What was handed over says it too: a ban as a ban, a value as a value."""
    if mention.banned:
        return any(
            not mention.stems.isdisjoint(meaning(sentence)) and _KEPT_OUT.search(sentence)
            for sentence in sentences(text)
        )
    return lacks(mention, text) is None
