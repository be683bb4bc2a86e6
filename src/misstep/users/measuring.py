"""A text and the facts that it leaves out → the one of which it gives another measure, in the same unit."""

import re
from collections.abc import Iterator, Sequence

from misstep.core.words import sentences, stem, words
from misstep.users.belonging import shares_a_word
from misstep.wording.facts import Entry

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
