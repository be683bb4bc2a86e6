"""Notes that came back out of memory → those that name a source nobody vouches for, and who repeats them as a fact."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.event import Handoff, Memory, Message
from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.core.words import atoms, content_stems, sentences, split_identifier, stem
from misstep.detectors.evidence.bidding import quotes
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.planted import text_of
from misstep.provenance.reading import canonical, leaves

# "(source: anonymous forum post)", "seen on a web page", "unverified": the note itself says what it is worth.
_UNVOUCHED = re.compile(
    r"\b(?:source|origin|via|from|seen (?:on|in)|read (?:on|in)|found (?:on|in)|posted (?:on|in|by)|according to|by)\b"
    r"[\s:=-]*(?:an? |some |the )?(?:\w+ ){0,2}?(?:anonymous|forums?|web ?(?:page|site)s?|comments?|blogs?|strangers?"
    r"|hearsay|rumou?rs?|chat ?rooms?|social media|unknown|reviews?|message boards?|somebody|leaflets?|spam)\b"
    r"|\b(?:unverified|unconfirmed|not verified|unchecked|hearsay|rumou?r)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|n't|no|unverified|unconfirmed|note[sd]?|memory|source|forum|claims?|allegedly|apparently|reportedly)\b",
    re.IGNORECASE,
)
_FEW, _UNIT = 2, 3
_LONG = 2000


class Repeated(Struct, frozen=True):
    """What somebody says as a fact, and the note that it comes from."""

    at: int
    note: int
    text: str


class _Note(Struct, frozen=True):
    at: int
    numbers: frozenset[str]
    stems: frozenset[str]


def repeated(trace: Trace) -> Iterator[Repeated]:
    """Each reply or handoff that gives a note's own figure as a fact, though no tool and no user had said it."""
    notes: list[_Note] = []
    for at, event in enumerate(trace.events):
        if isinstance(event, Memory) and event.action == "read":
            notes += _unvouched(at, text_of(event.content)[:_LONG])
        elif notes and (isinstance(event, Handoff) or (isinstance(event, Message) and event.role == "agent")):
            for note in notes[-_KEPT:]:
                if (text := _repeats(event.text, note)) and not _is_vouched_for(trace, at, note):
                    yield Repeated(at, note.at, text)
                    break


_KEPT = 20


def _unvouched(at: int, text: str) -> Iterator[_Note]:
    if _UNVOUCHED.search(text):
        for part in sentences(_UNVOUCHED.sub(" ", text)):
            if numbers := _numbers(part):
                yield _Note(at, numbers, frozenset(content_stems(part)) - numbers)


@once_per_text
def _numbers(text: str) -> frozenset[str]:
    return frozenset(canonical(atom.text) for atom in atoms(text[:_LONG]) if atom.kind in ("number", "code", "money"))


def _repeats(text: str, note: _Note) -> str:
    if len(text) > _LONG or quotes(text) or _HEDGED.search(text):
        return ""
    for part in sentences(text):
        if _numbers(part) & note.numbers and len(note.stems & frozenset(content_stems(part))) >= _FEW:
            return part
    return ""


def _is_vouched_for(trace: Trace, before: int, note: _Note) -> bool:
    """A tool gave the figure under a name that the note speaks of, or the user did."""
    if any(heard(trace).says(number, before) for number in note.numbers):
        return True
    for exchange in trace.exchanges:
        if exchange.result is None or exchange.at >= before:
            continue
        for place, value in leaves(exchange.result.content):
            if isinstance(value, str) and " " in value:
                if _numbers(value) & note.numbers:
                    return True
            elif canonical(str(value)) in note.numbers:
                named = {stem(part) for part in split_identifier(place.rpartition(".")[2]) if len(part) > _UNIT}
                if not named or not named.isdisjoint(note.stems):
                    return True
    return False
