"""What a user asks for → the needs and exclusions in it, and whether anything said or done later speaks of them."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from misstep.core.event import Event, Handoff, Message, ToolCall, ToolResult
from misstep.core.once import once_per_text
from misstep.core.words import sentences
from misstep.detectors.evidence.support import stems_in
from misstep.objectives.vocabulary import Vocabulary, meaning

_THING = r"(?P<what>[A-Za-z][\w'-]*(?: [A-Za-z][\w'-]*){0,3})"
_CONDITIONS = (
    r"vegan|vegetarian|diabetic|pregnant|c(?:o)?eliac|deaf|blind|asthmatic|epileptic|kosher|halal|disabled"
    r"|(?:\w+[ -])?intolerant|wheelchair\w*|hard of hearing|claustrophobic|immuno\w+"
)
# What must not be in what is delivered, and what whoever delivers it has to know.
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\bnothing (?:with|containing|made (?:of|with|from)|that (?:has|contains)) (?:any )?{_THING}",
        rf"(?:^|[,;:.!–—-]\s{{0,20}}|\b(?:and|but|so|please)\s{{1,20}})(?:absolutely |definitely "
        rf"|strictly )?no {_THING}",
        rf"\bwithout (?:any )?(?!\w+ing\b){_THING}",
        rf"\b(?:avoid|leave out|steer clear of|stay away from) (?:any |all )?{_THING}",
        rf"\b(?:can(?:not|'t| not)|must not|mustn't|may not) (?:eat|have|tolerate|stand|bear|take|drink|be near"
        rf"|manage|climb"
        rf"|handle|cope with|be exposed to|go near|touch|wear|lift) (?:any |the )?{_THING}",
        rf"\b(?:don't|doesn't|do not|does not) (?:eat|drink|tolerate|wear) (?:any )?{_THING}",
        rf"\ballerg(?:ic|y|ies) to {_THING}|\b(?P<of>\w+)[ -](?:allerg(?:y|ies)|intolerance)\b",
        rf"\b(?:is|are|am|'s|'re|'m) (?:\w+ ){{0,2}}(?P<so>{_CONDITIONS})\b",
        rf"\b(?:he|she|they|it|who|which|mother|father|mum|dad|son|daughter|wife|husband|partner|child|kids?|baby|dog|cat"
        rf"|grandmother|grandfather|colleague|friend) (?:also )?(?:needs?|requires?|must have|has to have|depends? on) "
        rf"(?:an? |the |some )?(?!to be\b){_THING}",
        rf"\b(?:it|they|that|this|these|which|everything) (?:must|has to|have to|needs to|need to) (?:be|have"
        rf"|come with|fit"
        rf"|stay|contain) (?:an? |the )?{_THING}",
        rf"\b(?:make sure|ensure|see to it|important|please note|keep in mind|bear in mind|don't forget"
        rf"|remember)(?: that"
        rf"| to)? (?:(?:the|it|they|he|she|you|there|we|my|our) )?{_THING}",
        rf"\b(?:(?:must|may|should|can) (?:not|never)|mustn't|can't|shouldn't) be {_THING}",
    )
)
_CLAUSE = re.compile(r"[,;:–—]\s|\b(?:and|but|so|because|since)\b", re.IGNORECASE)
_LOOSE = re.compile(
    r"\b(?:if|unless|maybe|perhaps|ideally|preferably|possible|either way|otherwise|whatever|\w+n't mind|worr\w+"
    r"|sorry)\b"
    r"|\?$",
    re.IGNORECASE,
)
_VAGUE = frozenset(
    meaning(
        "rush hurry problem delay fuss hassle frill fancy spam call question worry need idea thanks doubt matter reply "
        "answer email mail message letter phone reminder news newsletter marketing confirmation receipt time "
        "moment luck "
        "way one thing anything longer later earlier sooner extra cost charge fee more less rest other others "
        "exception "
        "further ado surprise obligation pressure limit preference interest reason point wonder sign trace "
        "success access "
        "word help clue objection issue trouble people body one it that please done ready sent soon today tomorrow "
        "nothing something everything always good right wrong here there back paid"
    )
)
# A handoff with one of these may well say the same in words of its own.
_MARKED = re.compile(
    r"\b(?:no|not|without|free|avoid\w*|allerg\w*|diet\w*|must|only|special|restrict\w*|careful|note|important|except"
    r"|accessib\w*|safe\w*|suitable|above|conversation|transcript|attached|below|details|everything|as (?:asked"
    r"|said))\b"
    r"|n't\b|-free\b",
    re.IGNORECASE,
)
_POSITIVE_WISH = re.compile(
    r"\b(?:would like|'d like|want|need|please|also|as well|too|plus|could you|can you|get (?:me|us)|book"
    r"|along with)\b",
    re.IGNORECASE,
)
_NO_WISH = re.compile(
    r"\b(?:not|no|own|already|if|have|has|had|got|last|was|were|instead|without|never|about)\b|n't\b|'ve\b|\?",
    re.IGNORECASE,
)
_NO = re.compile(r"\bno\b", re.IGNORECASE)
# "We have no ladder": what somebody lacks is no wish.
_LACKS = re.compile(r"\b(?:have|has|had|got|there)\b[^.;!?\n]{0,60}\bno\b|\b(?:is|are|was|'s) no\b", re.IGNORECASE)
_READ = 400


class Wish(Struct, frozen=True):
    """Something that whoever acts has to know, in the user's words, with the stems that would tell of it."""

    text: str
    stems: frozenset[str]


@once_per_text
def needs(text: str) -> tuple[Wish, ...]:
    """The needs and exclusions that a message tells, in order."""
    found: list[Wish] = []
    for sentence in sentences(text.replace("’", "'")):
        if not _LOOSE.search(sentence):
            found += [wish for form in _FORMS for wish in _in_sentence(sentence, form)]
    return tuple(found)


def _in_sentence(sentence: str, form: re.Pattern[str]) -> Iterator[Wish]:
    for match in form.finditer(sentence):
        lacking = _NO.search(match.group()) and _LACKS.search(sentence, 0, match.end())
        if lacking and "please" not in sentence.casefold():
            continue
        what = next(filter(None, match.groups()))
        head = _CLAUSE.split(what)[0]
        own = frozenset(meaning(head)) - _VAGUE
        if own and not frozenset(meaning(head)) & _VAGUE and not any(map(str.isdigit, head)):
            start = max((end.end() for end in _CLAUSE.finditer(sentence, 0, match.start() + 1)), default=0)
            end = _CLAUSE.search(sentence, match.end())
            clause = sentence[start : end.start() if end else len(sentence)]
            yield Wish(" ".join(clause.strip(" ,.").split()), own | (frozenset(meaning(clause)) - _VAGUE))


def is_marked(text: str) -> bool:
    """The text has limits or notes of its own, or points to where they stand."""
    return _MARKED.search(text) is not None


def things_wanted(text: str, known: Vocabulary) -> Iterator[tuple[str, str, frozenset[str]]]:
    """A tool that does something to a kind of thing which no other tool speaks of, and the words that ask for such."""
    said = [(sentence, clause) for sentence in sentences(text) for clause in _CLAUSE.split(sentence) if clause]
    for tool in known.effectful:
        things = frozenset(each for each in tool.named - tool.acts if known.counts.get(each, 0) == 1)
        for sentence, clause in said if things else ():
            asked = _POSITIVE_WISH.search(sentence) and not _NO_WISH.search(clause)
            if asked and things <= frozenset(meaning(clause)):
                yield tool.name, " ".join(clause.strip(" ,.!").split()), things
                break


def is_spoken_of(stems: frozenset[str], events: Sequence[Event]) -> bool:
    """Anything that was said, passed on or given back has one of the words."""
    return any(not stems.isdisjoint(_stems(event)) for event in events[:_READ])


def _stems(event: Event) -> frozenset[str]:
    if isinstance(event, (Message, Handoff)):
        return frozenset(meaning(event.text))
    if isinstance(event, ToolCall):
        return stems_in(event.arguments) | frozenset(meaning(event.tool))
    return stems_in(event.content) if isinstance(event, ToolResult) else frozenset()
