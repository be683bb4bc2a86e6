"""Trials that took rare ways → children of their rows: a part of each is kept, and the rest is drawn anew."""

import math
from collections import Counter
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.exploration.thompson import Row, Thompson

_MOST = 200
_STAYS = 0.6
"""The chance of a level to be kept. A row tries many combinations at once, so that small changes would waste it."""
_CROSSED = 0.3


class _Kept(Struct):
    row: dict[str, Scalar]
    ways: frozenset[str]
    used: int = 0


class Corpus:
    """Keeps rows that brought something new, and knows how rare the ways of their trials are by now."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        self._seen: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, row: Row, ways: frozenset[str], *, keep: bool) -> None:
        """What a trial showed; its row is kept, as long as there is room for all that promise more."""
        self._seen.update(ways)
        if keep:
            self._kept.append(_Kept(dict(row), ways))
        if len(self._kept) > _MOST:
            self._kept.remove(min(self._kept, key=self._promise))

    def child(self, thompson: Thompson, random: Random) -> dict[str, Scalar]:
        """Of a parent with rare ways and few children so far; or of two."""
        row = self._drawn(random).row
        if len(self._kept) > 1 and random.random() < _CROSSED:
            row = _mixed(row, self._drawn(random).row, 0.5, random)
        return _mixed(row, thompson.row(random), _STAYS, random)

    def _drawn(self, random: Random) -> _Kept:
        kept = random.choices(self._kept, weights=[self._promise(each) for each in self._kept])[0]
        kept.used += 1
        return kept

    def _promise(self, kept: _Kept) -> float:
        # Not sum: the order of a set must not matter.
        return math.fsum(1 / self._seen[way] ** 2 for way in kept.ways) / (1 + kept.used)


def _mixed(one: Row, other: Row, stays: float, random: Random) -> dict[str, Scalar]:
    """What stays of the one comes first."""
    kept = {name: level for name, level in one.items() if name in other and random.random() < stays}
    return {**kept, **{name: level for name, level in other.items() if name not in kept}}
