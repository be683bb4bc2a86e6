"""Text → the values in it, under each form in which they can be met again."""

import re
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import Literal, cast

from misstep.core.tool import JSON
from misstep.core.words import as_number

Origin = Literal["user", "tool", "policy", "agent", "schema", "derived", "trivial", "composed", "nowhere"]
"""`agent` is what the agent proposed and the user did not turn down; `derived` was computed or put together from known
values; `trivial` needs no source (a flag, a small count); `composed` are the agent's own words, with no unknown
identifiers in them."""

Place = tuple[Origin, int | None]
"""An origin and the event, where there is one."""

Day = tuple[int | None, int, int]
"""Year, where it is said, month and day."""

PIECES = re.compile(r"[\W_]+")
NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*$")
PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,20}\d")
_TOKEN = re.compile(r"[\w@#+./:'’&=?%-]+(?:,\d[\d.]*)*")
_EDGES = "./:'’-#+,?&=%"
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SPLIT_DATE = re.compile(r"(\d{1,4})[./](\d{1,2})[./](\d{2,4})$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_SPOKEN_DATE = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?)\b"
    r"(?:,?\s+(\d{4}))?",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?:\d{1,2}(?::\d\d)+(?:[ap]m)?|\d{1,2}[ap]m|[\d.,]+(?:st|nd|rd|th|x|h|s|ms|kg|g|km|m|cm|mm|gb|mb|k|%))$",
    re.IGNORECASE,
)


def leaves(content: JSON) -> Iterator[tuple[str, JSON]]:
    """Each value that is no container, with its path, in order; deep content does not recurse."""
    waiting: list[tuple[str, JSON]] = [("", content)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, dict):
            inner = list(cast(Mapping[str, JSON], value).items())
            waiting.extend((f"{place}.{key}" if place else key, each) for key, each in reversed(inner))
        elif isinstance(value, (list, tuple)):
            items = list(enumerate(cast(list[JSON], value)))
            waiting.extend((f"{place}[{n}]", each) for n, each in reversed(items))
        else:
            yield place, value


def tokens(text: str) -> Iterator[str]:
    """What stands between spaces, without the punctuation around it."""
    for token in _TOKEN.findall(text):
        if bare := token.strip(_EDGES):
            yield bare


def canonical(text: str) -> str:
    """Letters and digits only, without case: `#ORD-12` and `ord12` are one."""
    low = text.casefold()
    return low if low.isalnum() else "".join(character for character in low if character.isalnum())


def has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def looks_like_identifier(text: str) -> bool:
    """By its shape: an address for mail, a long number, or letters and digits in one token."""
    if not text or len(text) > 80 or " " in text:
        return False
    if "@" in text[1:-1]:
        return True
    if not has_digit(text) or _MEASURE.match(text):
        return False
    bare = canonical(text)
    if bare.isdigit():
        return len(bare) >= 4 and "." not in text and "," not in text
    return len(bare) >= 3


def days_in(text: str) -> Iterator[Day]:
    """Each date in a text, however it is written."""
    for match in _ISO_DATE.finditer(text):
        yield int(match[1]), int(match[2]), int(match[3])
    for match in _SPOKEN_DATE.finditer(text):
        month = _MONTHS.index((match[2] or match[3]).lower()) + 1
        yield int(match[5]) if match[5] else None, month, int(match[1] or match[4])


def slashed_days(token: str) -> Iterator[Day]:
    """`24/05/2024`, in either reading."""
    match = _SPLIT_DATE.match(token)
    if not match:
        return
    first, second, third = int(match[1]), int(match[2]), int(match[3])
    if first > 31:
        yield first, second, third
        return
    year = third if third > 99 else 2000 + third
    yield year, second, first
    yield year, first, second


@lru_cache(maxsize=4096)
def names_in(path: str) -> tuple[str, ...]:
    """The field names of a path that may themselves be values, as where records are listed by their id."""
    parts = [part.partition("[")[0] for part in path.split(".")]
    return tuple(canonical(part) for part in parts if has_digit(part) or not (part.islower() or part == ""))


class Index:
    """The values of one or more texts, by key; numbers and dates apart, because they have forms of their own."""

    def __init__(self) -> None:
        self.keys: dict[str, Place] = {}
        self.numbers: dict[float, Place] = {}
        self.days: dict[Day, Place] = {}

    def read(self, text: str, place: Place, skip: Container[str] = ()) -> None:
        """Note what is new in a text, but for the keys to skip."""
        keys = self.keys
        for token in tokens(text):
            if token.isalpha():
                key = token.casefold()
                if key not in keys and key not in skip:
                    keys[key] = place
            elif canonical(token) not in skip:
                self._read_token(token, place)
        if len(text) >= 5:
            self._read_shapes(text, place)

    def _read_token(self, token: str, place: Place) -> None:
        low = token.casefold()
        self.keys.setdefault(canonical(low), place)
        if not low.isalnum():
            for piece in filter(None, PIECES.split(low)):
                self.keys.setdefault(piece, place)
        if len(low) >= 8 and low[-4:].isdigit():  # the last four of a long number are how people name it
            self.keys.setdefault(low[-4:], place)
        if NUMBER.match(token) and (number := as_number(token)) is not None:
            self.numbers.setdefault(number, place)
        for day in slashed_days(token):
            self.days.setdefault(day, place)

    def _read_shapes(self, text: str, place: Place) -> None:
        for day in days_in(text):
            self.days.setdefault(day, place)
        for match in PHONE.finditer(text):
            digits = canonical(match.group())
            self.keys.setdefault(f"phone {digits[-7:]}", place)
            self.keys.setdefault(digits, place)

    def read_number(self, number: float, place: Place) -> None:
        self.numbers.setdefault(float(number), place)
        self.keys.setdefault(str(number), place)


@lru_cache(maxsize=256)
def index_of(text: str) -> Index:
    """A policy or a description, read once: many traces share it. Not to be written to."""
    index = Index()
    index.read(text, ("policy", None))
    return index
