"""A text and the sayings that it should tell → which of them it keeps, loses or changes, and what it makes up."""

import difflib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from misstep.core.words import Atom, as_number, atoms, words
from misstep.wording.requests.act import Found, Saying
from misstep.wording.requests.forms import CLOCK, ISO, ISO_TIME, dated_forms, named_ways, spoken_name
from misstep.wording.values import days_of, same_day, shape

Span = tuple[int, int]

_CLOCKS = re.compile(r"\b(\d{1,2})(?::(\d\d))?\s?([ap])m\b|\b(\d{1,2}):(\d\d)\b", re.IGNORECASE)
_SLASHED = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_ALIKE = 0.75
_QUOTES = tuple("\"'“”«»‹›")


def facts_in(text: str, sayings: Sequence[Saying], *, also: Sequence[str] = ()) -> Found:
    """Read a text back. Values in the texts `also` (a tool's name, a description) count as known."""
    seen = tuple(atoms(text))
    kept: list[str] = []
    missing: list[Saying] = []
    covered: list[Span] = []
    for saying in sayings:
        spans = list(_spans(text, seen, saying))
        covered.extend(spans)
        if spans:
            kept.append(saying.name)
        else:
            missing.append(saying)
    loose = [atom for atom in atoms(_without(text, covered)) if not _is_known(atom.text, sayings, also)]
    changed = [saying.name for saying in missing if _nearly(text, loose, saying)]
    return Found(
        tuple(kept),
        tuple(saying.name for saying in missing if saying.name not in changed),
        tuple(changed),
        tuple(atom.text for atom in loose),
    )


def _spans(text: str, seen: Sequence[Atom], saying: Saying) -> Iterator[Span]:
    """Where the value stands, in any form that it may have."""
    value = saying.value
    for way in saying.says:
        yield from _verbatim(text, way)
    if isinstance(value, bool) or value == "":
        for way in named_ways(spoken_name(saying.name), value):
            yield from _verbatim(text.lower(), way.lower())
        return
    if isinstance(value, str):
        yield from _verbatim(text, value)
        yield from _dated(text, seen, saying, value)
        return
    places = [span for way in dict.fromkeys((str(value), f"{value:g}")) for span in _verbatim(text, way)]
    places += [
        (atom.start, atom.start + len(atom.text))
        for atom in seen
        if atom.kind == "number" and as_number(atom.text) == value
    ]
    yield from (place for place in places if text[place[0] - 1 : place[0]] not in ("-", "−"))


def _verbatim(text: str, value: str) -> Iterator[Span]:
    if not value:
        return
    for match in _pattern(value).finditer(text):
        yield match.start(), match.end()


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str]:
    """The value as it is, not as a piece of a longer word, id or number."""
    before = r"(?<!\w)(?<!\w[-/@_])(?<!\d[.,:])" if value[0].isalnum() else ""
    after = r"(?!\w)(?![-/@_:]\w)(?![.,]\d)" if value[-1].isalnum() else ""
    return re.compile(f"{before}{re.escape(value)}{after}")


def _dated(text: str, seen: Sequence[Atom], saying: Saying, value: str) -> Iterator[Span]:
    if CLOCK.fullmatch(value):
        for match in _CLOCKS.finditer(text):
            if _minutes(match) == int(value[:2]) * 60 + int(value[3:]):
                yield match.start(), match.end()
    elif ISO_TIME.fullmatch(value):
        for way in dated_forms(value, year=True):
            yield from _verbatim(text, way)
    elif ISO.fullmatch(value):
        wanted = days_of(value)[0]
        for atom in seen:
            if atom.kind != "date":
                continue
            days = days_of(atom.text)
            told = bool(days) and (days[0][0] is not None or saying.role == "mark")
            if told and len(days) == 1 and same_day(days[0], wanted) and _is_day(atom.text):
                yield atom.start, atom.start + len(atom.text)


def _is_day(text: str) -> bool:
    """A bare date: with a time of day it is another value."""
    return ISO.fullmatch(text) is not None or _SLASHED.fullmatch(text) is not None or any(map(str.isalpha, text))


def _minutes(match: re.Match[str]) -> int:
    if match[3]:
        return (int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)) * 60 + int(match[2] or 0)
    return int(match[4]) * 60 + int(match[5])


def _without(text: str, covered: Sequence[Span]) -> str:
    """The text with spaces in place of all that was found, and of the quotes around it."""
    bare = list(text)
    for start, end in covered:
        left = start - 1 if text[start - 1 : start] in _QUOTES else start
        right = end + 1 if text[end : end + 1] in _QUOTES else end
        bare[left:right] = " " * (right - left)
    return "".join(bare)


def _is_known(text: str, sayings: Sequence[Saying], also: Sequence[str]) -> bool:
    """A literal out of a name, or of a text that may be spoken of."""
    low = text.lower().strip()
    if not any(character.isalnum() for character in low):
        return True
    return any(low in each.lower() for each in (*(spoken_name(saying.name) for saying in sayings), *also))


def _nearly(text: str, loose: Sequence[Atom], saying: Saying) -> bool:
    """Something of the value's look stands in the text in its place."""
    value = str(saying.value)
    if any(shape(atom.text) == shape(value) for atom in loose if atom.kind != "quoted"):
        return True
    if not isinstance(saying.value, str):
        return any(atom.kind == "number" for atom in loose)
    if ISO.fullmatch(value) or ISO_TIME.fullmatch(value):
        return any(atom.kind == "date" for atom in loose)
    wanted = [word for word in words(value) if len(word) > 3]
    if not wanted or len(wanted) > 12:
        return False
    said = words(text)
    return any(
        word != other and difflib.SequenceMatcher(None, word, other).ratio() >= _ALIKE
        for word in wanted
        for other in said
        if abs(len(word) - len(other)) <= 2
    )
