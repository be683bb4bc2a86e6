"""A proposal and the facts that are not in it → the one whose value it nearly has, with a slip."""

import difflib
from collections.abc import Iterator, Sequence

from misstep.core.words import STOPWORDS, stem
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry
from misstep.wording.values import folded, number_words

_ALIKE = 0.75
_LEAST = 5


def misspelt(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """`goldfinch` for goldfinch7, `The Silk Road` for The Salt Road: nearly the value, and no other."""
    spoken = folded(text)
    for entry in ledger.entries:
        if entry not in absent:  # what stands in another value is no slip of this one
            for way in entry.forms:
                spoken = spoken.replace(way.folded, " | ")
    said = spoken.split()
    known = {word for entry in ledger.entries for each in entry.forms for word in each.folded.split()}
    for entry in absent:
        for way in entry.forms[:1]:
            value = way.folded.split()
            if len(value) == 1 and len(value[0]) >= _LEAST and not (value[0].isdigit() or number_words(value[0])):
                near = (
                    word
                    for word in said
                    if word not in known and len(word) >= _LEAST - 1 and not _inflected(word, value[0])
                )
                if any(_is_alike(word, value[0]) for word in near):
                    return entry
            if len(value) > 2 and any(_all_but_one(window, value) for window in _windows(said, len(value))):
                return entry
            if len(value) > 3 and any(_all_but_one(window, value[:3]) for window in _windows(said, 3)):
                return entry
    return None


def _is_alike(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 2 or len(set(one) & set(other)) < _LEAST - 2:
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _inflected(word: str, value: str) -> bool:
    return stem(word) == stem(value) or word.rstrip("s") == value.rstrip("s") or value.startswith(word + "s")


def _windows(said: list[str], size: int) -> Iterator[list[str]]:
    return (said[at : at + size] for at in range(len(said) - size + 1))


def _all_but_one(window: list[str], value: list[str]) -> bool:
    differing = [(mine, theirs) for mine, theirs in zip(value, window, strict=True) if mine != theirs]
    alike = [
        mine
        for mine, theirs in zip(value, window, strict=True)
        if mine == theirs and mine not in STOPWORDS and len(mine) > 1
    ]
    return len(differing) == 1 and bool(alike) and differing[0][1] not in STOPWORDS
