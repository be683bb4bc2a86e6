"""What a user says → the limits that it sets: acts and things that are forbidden, and numbers not to be passed."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from misstep.core.words import as_number, sentences
from misstep.objectives.values import said
from misstep.objectives.vocabulary import meaning

Kind = Literal["act", "thing", "everything", "limit"]


class Constraint(Struct, frozen=True):
    """One limit that a user set."""

    kind: Kind
    text: str
    """The words that set it."""
    stems: tuple[str, ...]
    """What is forbidden, in order, so that of an act the verb comes first; for a number, what it is about."""
    codes: frozenset[str] = frozenset()
    """Ids and names of the things that are meant, where some are named."""
    number: float = 0.0
    at_most: bool = True
    strictly: bool = False
    unless_asked: bool = False
    """The act is forbidden only without asking first."""
    to_user: bool = False
    """What must not reach the user: "don't write to me"."""
    loose: bool = False
    """Said of a thing ("no receipts"), which may also be a complaint about it."""

    def broken_by(self, number: float) -> bool:
        if number == self.number:
            return self.strictly
        return number > self.number if self.at_most else number < self.number


_NOT = r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|may not|under no circumstances|on no account)"
# A dot inside a word is no full stop.
_WHAT = r"(?P<what>(?:[^.;!?\n]|\.(?=\w))+)"
_SHORT_WHAT = r"(?P<what>(?:[^,.;!?\n]|[.,](?=\w))+)"
_FORBIDS = re.compile(
    rf"(?P<who>\b(?:i|we|they|he|she|it|which|who|why|that|you)\s+)?\b(?:{_NOT}"
    r"|avoid|refrain from"
    r"|(?:(?:as|so) long as|provided(?: that)?|make sure|ensure)(?: that)?(?: you)? (?:not to|don't|do not|never)"
    rf"|(?:i|we)(?:'d| would) rather (?:you )?(?:not|didn't|did not)|without(?= \w+ing\b| any\b))\s+{_WHAT}",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    rf"\b(?:i|we) (?:do not|don't) (?:(?:want|wish)(?: you)? to(?: have)?|(?:want|need)(?= any\b))\s+{_WHAT}",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"(?:^|[,;:]|\b(?:and|but|with|please|absolutely))\s*no\s+(?!(?:problem|need|longer|more|one|idea|later|less|matter|rush"
    r"|worries|thanks?|thank|doubt|wonder|way|hurry|i|it|that|this|you|we|sorry|please|just|not|don't|do|is|are)\b)"
    + _SHORT_WHAT,
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"\b(?:leave|keep)\s+(?P<what>(?:[^,.;!?\n]|[.,](?=\w))+?)\s+"
    r"(?:alone|as (?:it|they) (?:is|are|stands?)|untouched|unchanged|as is"
    r"|in place|out of (?:it|this)|the way (?:it|they))\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|other than|apart from|but not|excluding|save for|with the exception of)\s+"
    + _SHORT_WHAT,
    re.IGNORECASE,
)
_NUMBER = (
    r"\s+(?:a (?:total|budget|price) of\s+)?(?:[€$£]\s?|(?:eur|usd|gbp)\s)?(?P<number>\d[\d,.]*)"
    r"\s*(?P<unit>[€$£%]|\w+)?"
)
_AT_MOST = re.compile(
    r"\b(?:(?P<strictly>under|below|less than|cheaper than|fewer than|lower than)|at most|(?:no|not) more than|up to"
    r"|(?:nothing|not|never|none|no \w+) (?:over|above|beyond)"
    r"|max(?:imum)?(?: of)?|(?:not|never) (?:to )?exceed(?:ing)?|budget (?:is|of)|limit (?:is|of)|no higher than)"
    + _NUMBER,
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:at least|no less than|not less than|no fewer than|min(?:imum)?(?: of)?)" + _NUMBER, re.IGNORECASE
)
# "Don't forget to …" orders it; "I don't know …" is no order at all.
_NO_ORDER = re.compile(
    r"\s*(?:forget|hesitate|worry|have|know|think|mind|care|understand|remember|see|recall|believe|like|recogni[sz]e"
    r"|feel|hear|agree|get|got|be|been|delay|only|just|hold back|use up|wait)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:unless|until|if|when|before)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:without|before) (?:first )?"
    r"(?:asking|checking|confirming|consulting|telling|my (?:permission|consent|approval|ok))",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:,|\bbut\b|\bbecause\b|\bsince\b|\band (?=(?:please|i|then|also|do|make)\b)|\bthough\b)", re.IGNORECASE
)
_NO_MORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_ANYTHING = re.compile(
    r"\s*(?:change|do|touch|modify|make|alter|edit|act on)\s+"
    r"(?:anything|any (?:changes?|thing)|a thing)(?!\s+(?:else|other))",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    meaning(
        "yet any anything anybody anyone about thing else ever whatever happens back way now again later way kind sort"
    )
)
_TO_USER = re.compile(r"\b(?:me|us|from you)\b", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)
_TOUCH = frozenset(meaning("touch change alter modify mess affect do"))


@lru_cache(maxsize=4096)
def constraints(text: str) -> tuple[Constraint, ...]:
    """The limits that a user's message sets, in order."""
    return tuple(each for sentence in sentences(text.replace("’", "'")) for each in _in_sentence(sentence))


def _in_sentence(sentence: str) -> Iterator[Constraint]:
    for match in _FORBIDS.finditer(sentence):
        without_order = match["who"] or _NO_ORDER.match(match["what"])
        if not without_order and not _ASKING.match(match.group()):
            yield from _forbidden(match["what"], match.group())
    for match in _UNWANTED.finditer(sentence):
        if not _NO_MORE.search(match["what"]):
            yield from (structs.replace(each, loose=True) for each in _forbidden(match["what"], match.group()))
    for match in _NO_THING.finditer(sentence):
        yield from (structs.replace(each, loose=True) for each in _thing_or_act(match["what"], match.group()))
    for form in (_LEAVES, _EXCEPT):
        for match in form.finditer(sentence):
            yield from _things(match["what"], match.group())
    for form, at_most in ((_AT_MOST, True), (_AT_LEAST, False)):
        for match in form.finditer(sentence):
            number = as_number(match["number"].rstrip(".,"))
            if number is not None:
                strictly = bool(at_most and match["strictly"])
                about = (*meaning(match["unit"] or ""), *meaning(sentence))
                yield Constraint("limit", match.group(), about, number=number, at_most=at_most, strictly=strictly)


def _forbidden(what: str, text: str) -> Iterator[Constraint]:
    asking = _ASKING.search(what)
    if asking:
        what = what[: asking.start()]
    elif _CONDITION.search(what):
        return
    what = _ENDS.split(what)[0]
    if _ANYTHING.match(what):
        yield Constraint("everything", text, (), unless_asked=asking is not None)
        return
    for each in _thing_or_act(what, text):
        yield structs.replace(each, unless_asked=asking is not None)


def _thing_or_act(what: str, text: str) -> Iterator[Constraint]:
    """What is forbidden, each of several alternatives on its own."""
    codes, to_user = said(what).codes, _TO_USER.search(what) is not None
    listed = [tuple(each for each in meaning(part) if each not in _GENERIC) for part in _OR.split(what)]
    for stems in listed:
        if stems and stems[0] in _TOUCH and codes:
            yield from _things(what, text)
        elif stems:
            # "Don't move or delete the plan": what stands after the last verb belongs to each.
            shared = listed[-1][1:] if len(stems) == 1 and stems != listed[-1] else ()
            yield Constraint("act", text, (*stems, *shared), codes, to_user=to_user)


def _things(what: str, text: str) -> Iterator[Constraint]:
    stems = tuple(each for each in meaning(what) if each not in _GENERIC and each not in _TOUCH)
    if stems:
        yield Constraint("thing", text, stems, said(what).codes)
