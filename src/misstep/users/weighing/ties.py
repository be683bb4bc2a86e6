"""A text and a ledger → how its words go with what each fact is: its name, its kin, the looks of its value."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from misstep.core.words import STOPWORDS, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry
from misstep.wording.thesaurus import groups_in

Ties = Mapping[str, Mapping[str, float]]
"""By a side of a fact: which words speak for it, and which against."""


def sides(entry: Entry) -> tuple[str, ...]:
    """What of a fact a word may go with. All but the words of its name stand for any fact of its sort."""
    return _sides(entry.name, entry.sorts, frozenset(atom.kind for atom in entry.atoms))


@lru_cache(maxsize=4096)
def _sides(name: str, sorts: frozenset[str], looks: frozenset[str]) -> tuple[str, ...]:
    own = [stem(word) for word in words(name) if word not in STOPWORDS] or [stem(name)]
    listed = (*(f"name {root}" for root in dict.fromkeys(own)), f"head {own[-1]}")
    kin = (f"kin {group}" for group in sorted(groups_in(name)))
    return (*listed, *kin, *(f"sort {each}" for each in sorted(sorts)), *(f"looks {each}" for each in sorted(looks)))


@lru_cache(maxsize=4096)
def spoken(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if not word.isdigit())


def tied(text: str, ledger: Ledger, by: Ties) -> dict[str, float]:
    """How much the words of a text speak for each fact, by the fact's name."""
    said = spoken(text)
    return {entry.name: sum(_of(entry, said, by)) for entry in ledger.entries}


def _of(entry: Entry, said: frozenset[str], by: Ties) -> Iterator[float]:
    for side in sides(entry):
        own = by.get(side)
        if own:
            yield sum(own[word] for word in said if word in own)
