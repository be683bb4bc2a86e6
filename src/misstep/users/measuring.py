"""A text and the facts that it leaves out → the one of which it gives another measure, in the same unit."""

import re
from collections.abc import Iterator, Sequence

from misstep.core.words import as_number, content_stems, sentences, stem, words
from misstep.users.belonging import shares_a_word
from misstep.wording.facts import Entry
from misstep.wording.topics import meets
from misstep.wording.values import number_words

_MEASURE = re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?)[ -]?([a-z]{1,12})\b", re.IGNORECASE)


def other_measure(text: str, absent: Sequence[Entry]) -> Entry | None:
    """`a 38-inch chest`, said to one whose chest size is 42 inches; the fact is spoken of in the same sentence."""
    for entry in absent:
        mine = dict(_measures(entry.value)) if entry.fact.reveal != "never" else {}
        for sentence in sentences(text) if mine else ():
            said = dict(_measures(sentence))
            differs = any(unit in mine and mine[unit] != number for unit, number in said.items())
            if differs and shares_a_word(entry, {stem(word) for word in words(sentence)} - mine.keys()):
                return entry
    return None


def _measures(text: str) -> Iterator[tuple[str, float]]:
    return ((stem(found[2].lower()), float(found[1])) for found in _MEASURE.finditer(text))


_DIGITS = re.compile(r"(?<![\w.,:/£$€-])\d{1,3}(?![\w:/]|[.,]\d|-\d)")
_NO_COUNTS = frozenset(("address", "phone", "amount", "identifier"))
_AGE = ("aged", "age", "old")
_BESIDE = 2


def other_number(text: str, absent: Sequence[Entry]) -> Entry | None:
    """`two cartons`, said to one who misses six cartons; `a 2-bedroom`, of one with three; `aged 4`, of one of ten."""
    found = list(_numbers(text))
    for entry in absent:
        mine = {number for number, _, _ in _numbers(entry.value)}
        if len(mine) != 1 or entry.fact.reveal == "never" or entry.kinds & _NO_COUNTS or entry.sorts & {"day", "clock"}:
            continue
        own = {root for root in content_stems(f"{entry.name} {entry.value}") if not root.isdigit()}
        if "age" in entry.kinds:
            own |= {stem(word) for word in _AGE}
        if any(number not in mine and _is_beside(text[:start], text[end:], own) for number, start, end in found):
            return entry
    return None


def _numbers(text: str) -> Iterator[tuple[float, int, int]]:
    """Small ones, in digits and in words, with where each begins and ends."""
    yield from number_words(text)
    for found in _DIGITS.finditer(text):
        if (number := as_number(found[0])) is not None:
            yield number, found.start(), found.end()


def _is_beside(before: str, behind: str, own: set[str]) -> bool:
    """What it counts, right behind it, or what it is of, right before it, is a word of the fact's own."""
    near = {stem(word) for word in (*words(behind)[:_BESIDE], *words(before)[-1:])}
    return any(meets(root, other) for root in near for other in own)
