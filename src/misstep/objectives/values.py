"""The literal values in calls, results and texts, and whether a text says a value in any usual form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.words import atoms
from misstep.objectives.dates import days_named, same_day
from misstep.objectives.matching import number_in, plain
from misstep.objectives.vocabulary import meaning

Scalar = str | int | float | bool


class Said(Struct, frozen=True):
    """What a text says, ready for looking values up in it."""

    text: str
    """Without case and runs of space, between two spaces."""
    stems: frozenset[str]
    numbers: frozenset[float]
    dates: tuple[str, ...]
    codes: frozenset[str]
    """Ids, addresses and the like, without case."""


@once_per_text
def said(text: str) -> Said:
    """Read a text once for all the values that will be looked up in it."""
    found = atoms(text)
    numbers = {number for atom in found if atom.kind == "number" and (number := number_in(atom.text)) is not None}
    return Said(
        f" {plain(text)} ",
        frozenset(meaning(text)),
        frozenset(numbers),
        tuple(atom.text for atom in found if atom.kind == "date"),
        frozenset(_codes(text)) | {plain(atom.text) for atom in found if atom.kind in ("email", "url")},
    )


_EDGES = ".,;:!?()[]{}<>\"'*`“”‘’#"
_DATE_LIKE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:t[\d:.]+z?)?|[€$£]?\d+(?:[.,]\d+)*[€$£%]?|\d+(?:st|nd|rd|th)"
)
_INSIDE = re.compile(r"\w[._@]\w|^/\w|\w/\w*[\d.]")


def _codes(text: str) -> Iterator[str]:
    """Words that nobody would say: with digits among letters, or dots, slashes and the like inside; `#17` too."""
    for token in text.split():
        marked = token.lstrip(_EDGES[:-1]).startswith("#")
        word = token.strip(_EDGES).casefold().removesuffix("'s").removesuffix("’s")
        if not word or (_DATE_LIKE.fullmatch(word) and not marked):
            continue
        has_digit = any(character.isdigit() for character in word)
        if has_digit or (len(word) > 3 and _INSIDE.search(word)):
            yield word


def says(text: str, value: JSON) -> bool:
    """Whether a text says a value: a number in any format, a date in any form, words by their stems."""
    return _says(said(text), value)


def _says(heard: Said, value: JSON) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    number = number_in(value)
    if number is not None and number in heard.numbers:
        return True
    if not isinstance(value, str):
        return isinstance(value, int) and str(value) in heard.codes
    wanted = plain(value)
    if not wanted:
        return False
    if wanted.lstrip("#") in heard.codes or _holds(heard.text, wanted):
        return True
    if days_named(value):
        return any(same_day(value, date) for date in heard.dates)
    return _says_words(heard, value)


def _holds(text: str, wanted: str) -> bool:
    """The words stand in the text as whole words."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (text[at - 1].isalnum() and wanted[0].isalnum()) and not (text[end].isalnum() and wanted[-1].isalnum()):
            return True
        at = text.find(wanted, at + 1)
    return False


def _says_words(heard: Said, value: str) -> bool:
    if any(character.isdigit() for character in value):
        return False
    needed = meaning(value)
    return bool(needed) and all(each in heard.stems for each in needed)


def leaves(value: JSON, name: str = "") -> Iterator[tuple[str, Scalar]]:
    """Every scalar in a value, with the name of the field that holds it."""
    if isinstance(value, (str, int, float)):
        yield name, value
    elif isinstance(value, (dict, Mapping)):
        for key, inner in cast("Mapping[str, JSON]", value).items():
            if isinstance(inner, (str, int, float)):
                yield str(key), inner
            elif inner is not None:
                yield from leaves(inner, str(key))
    elif isinstance(value, (list, tuple)):
        for inner in cast("Sequence[JSON]", value):
            yield from leaves(inner, name)


def is_identifying(value: JSON) -> bool:
    """A value that picks out one thing: an id, an address, a date, a number; no free text and no flag."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return False
    if isinstance(value, str):
        return len(value) <= 64 and (any(character.isdigit() for character in value) or "@" in value)
    return True


@lru_cache(maxsize=8192)
def shape(text: str) -> str:
    """What two ids of one kind share: the letters that they begin with, and where digits are."""
    text = plain(text).lstrip("#")
    lead = re.match(r"[a-z]+(?=[^a-z0-9])|[a-z]+(?=\d+$)", text)
    head = lead.group() if lead else ""
    return head + re.sub(r"[a-z0-9]+", "x", text[len(head) :])
