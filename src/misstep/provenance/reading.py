"""Text → the values in it, under each form in which they can be met again."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from misstep.core.once import once_per_text
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
# As that matches in a text, without the signs before it: a search that begins with a digit is quick.
_PHONE_DIGITS = re.compile(r"\d[\d\s().-]{6,20}\d")
_SHORT_TOKEN = 64
_SHORTEST_SHAPE = 5
# A comma stands within a number, and not between the fields of a row.
_TOKEN = re.compile(r"[\w@#+./:'’&=?%-]+(?:(?<=\d),\d{1,3}(?!\d)(?:\.\d+)?)*")
_EDGES = "./:'’-#+,?&=%"
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SPLIT_DATE = re.compile(r"(\d{1,4})[./](\d{1,2})[./](\d{2,4})$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,20}\.?"
_SPOKEN_DATE = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?)\b"
    r"(?:,?\s+(\d{4}))?",
)
# What a date in words must have, and what is quickly looked for in a text of any length.
_DIGIT = re.compile(r"\d")
_DAY_MONTH = re.compile(rf"\d(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}")
_MONTH_DAY = re.compile(rf"{_MONTH}\s{{1,20}}(?:the\s+)?\d")
# Two months that are other words as well: with a capital, or where a month would stand.
_MONTH_OR_WORD = re.compile(
    r"(?:\b(?=M)|\b(?:in|for|of|since|from|until|till|to|by|during|last|next|this|late|early|mid|end)[ -](?=m)"
    r"|\b\d(?:\d|st|nd|rd|th)? (?=m))([Mm]ay|[Mm]arch)\b"
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
    return low if low.isalnum() else PIECES.sub("", low)


def has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


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
    if not _DIGIT.search(text):
        return
    for match in _ISO_DATE.finditer(text):
        yield int(match[1]), int(match[2]), int(match[3])
    low = text.lower()
    if not _DAY_MONTH.search(low) and not _MONTH_DAY.search(low):
        return
    for match in _SPOKEN_DATE.finditer(low):
        month = _MONTHS.index(match[2] or match[3]) + 1
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


class _Values(NamedTuple):
    """What is in a text, or in one token of it; numbers and days in their order."""

    keys: frozenset[str]
    numbers: tuple[float, ...]
    days: tuple[Day, ...]


@once_per_text
def _values(text: str) -> _Values:
    return _without(text, ())


def _without(text: str, skip: Collection[str]) -> _Values:
    """What is in a text but for the tokens to skip. Each token is looked at once, however often it comes."""
    keys: set[str] = set()
    numbers: list[float] = []
    days: list[Day] = []
    for token in dict.fromkeys(_TOKEN.findall(text)):
        bare = token.strip(_EDGES)
        if bare.isalpha():
            if (key := bare.casefold()) not in skip:
                keys.add(key)
        elif bare and (not skip or canonical(bare) not in skip):
            found = _remembered_token(bare) if len(bare) <= _SHORT_TOKEN else _of_token(bare)
            keys |= found.keys
            numbers += found.numbers
            days += found.days
    if "may" in keys or "march" in keys:
        keys.update(f"month {match[1].lower()}" for match in _MONTH_OR_WORD.finditer(text))
    if len(text) >= _SHORTEST_SHAPE and _DIGIT.search(text):
        days += days_in(text)
        for match in _PHONE_DIGITS.finditer(text):
            digits = canonical(match.group())
            keys |= {f"phone {digits[-7:]}", digits}
    return _Values(frozenset(keys), tuple(numbers), tuple(days))


def _of_token(token: str) -> _Values:
    low = token.casefold()
    keys = {canonical(low)}
    if not low.isalnum():
        keys.update(filter(None, PIECES.split(low)))
    if len(low) >= 8 and low[-4:].isdigit():  # the last four of a long number are how people name it
        keys.add(low[-4:])
    number = as_number(token) if NUMBER.match(token) else None
    return _Values(frozenset(keys), () if number is None else (number,), tuple(slashed_days(token)))


_remembered_token = lru_cache(maxsize=16384)(_of_token)


class Index:
    """The values of one or more texts, by key; numbers and dates apart, because they have forms of their own."""

    def __init__(self) -> None:
        self.keys: dict[str, Place] = {}
        self.numbers: dict[float, Place] = {}
        self.days: dict[Day, Place] = {}

    def read(self, text: str, place: Place, skip: Collection[str] = ()) -> None:
        """Note what is new in a text, but for the keys to skip."""
        found = _values(text)
        if skip and not found.keys.isdisjoint(skip):
            found = _without(text, skip)
        self.keys.update(dict.fromkeys(found.keys.difference(self.keys), place))
        for number in found.numbers:
            self.numbers.setdefault(number, place)
        for day in found.days:
            self.days.setdefault(day, place)

    def read_number(self, number: float, place: Place) -> None:
        self.numbers.setdefault(float(number), place)
        self.keys.setdefault(str(number), place)


@lru_cache(maxsize=256)
def index_of(text: str) -> Index:
    """A policy or a description, read once: many traces share it. Not to be written to."""
    index = Index()
    index.read(text, ("policy", None))
    return index
