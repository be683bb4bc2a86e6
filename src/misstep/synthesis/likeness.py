"""Texts → how alike each is to its nearest neighbour, with work that grows with the number of texts and no faster."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from misstep.core.words import words

_MOST_TEXTS = 1000
_MOST_HOLDERS = 60
_COMPARED = 20
_BINS = 10


class Likeness(Struct, frozen=True, kw_only=True):
    """How alike texts are to the one that is most like them: 0 nothing in common, 1 the same words."""

    texts: int = 0
    """So many were looked at."""
    median: float = 0.0
    ninetieth: float = 0.0
    highest: float = 0.0
    bins: tuple[int, ...] = ()
    """How many lie in each tenth, from the least alike on."""


def likeness(texts: Sequence[str]) -> Likeness:
    """Shared word pairs, of all word pairs of two texts; of very many texts an even sample."""
    step = max(1, -(-len(texts) // _MOST_TEXTS))
    pairs = [_pairs(text) for text in texts[::step]]
    if not pairs:
        return Likeness()
    nearest = sorted(_nearest(pairs))
    bins = Counter(min(int(each * _BINS), _BINS - 1) for each in nearest)
    return Likeness(
        texts=len(nearest),
        median=round(nearest[len(nearest) // 2], 3),
        ninetieth=round(nearest[len(nearest) * 9 // 10], 3),
        highest=round(nearest[-1], 3),
        bins=tuple(bins[at] for at in range(_BINS)),
    )


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    said = ["", *words(text), ""]
    return frozenset(pairwise(said))


def _nearest(texts: Sequence[frozenset[tuple[str, str]]]) -> list[float]:
    holders: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for at, pairs in enumerate(texts):
        for pair in pairs:
            if len(holders[pair]) < _MOST_HOLDERS:
                holders[pair].append(at)
    found: list[float] = []
    for at, pairs in enumerate(texts):
        # Ties in the count are broken by place, not by the order of a set.
        shared = Counter(other for pair in pairs for other in holders[pair] if other != at)
        close = sorted(shared, key=lambda other: (-shared[other], other))[:_COMPARED]
        found.append(max((len(pairs & texts[other]) / len(pairs | texts[other]) for other in close), default=0.0))
    return found
