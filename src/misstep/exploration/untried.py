"""Rows that were tried → the row that tries most of what was not: levels, pairs and triples of levels, by their worth.

A failure is taken to need up to three levels together, and to strike any share of the times: a combination that was
tried is worth less the next time, never nothing. Half of the worth goes to trouble, harsh levels before mild ones, and
half to all levels alike. As trouble is tried out, the other half leads, and rows become those of a covering array.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from misstep.core.scenario import Scalar
from misstep.exploration.thompson import Row

_TROUBLE = 0.5
"""The part of the worth that trouble has."""
_SIZES = (1.0, 1.0, 1.0)
"""What single levels, pairs and triples are worth beside each other, all of a size taken together."""
_MOST_FACTORS = 24
"""With more than these, triples are too many to count."""

_Level = int
_Together = tuple[_Level, ...]


class Untried:
    """Counts how often levels were tried together."""

    def __init__(self, space: Mapping[str, Sequence[Scalar]]) -> None:
        self._space = {name: tuple(levels) for name, levels in space.items()}
        self._ids: dict[tuple[str, Scalar], _Level] = {}
        self._harsh: list[float] = []
        self._plain: list[float] = []
        for name, levels in self._space.items():
            steps = max(1, len(levels) * (len(levels) - 1) // 2)
            for at, level in enumerate(levels):
                self._ids[name, level] = len(self._ids)
                self._harsh.append(at / steps if len(levels) > 1 else 1.0)
                self._plain.append(1 / len(levels))
        self._largest = 3 if len(self._space) <= _MOST_FACTORS else 2
        self._scale = [size / max(1, _sets(len(self._space), at)) for at, size in enumerate(_SIZES, 1)]
        self._tried: Counter[_Together] = Counter()

    def tell(self, row: Row) -> None:
        """A row that is tried."""
        self._tried.update(self._together(self._known(row)))

    def worth(self, row: Row) -> float:
        """What a trial of the row would try, the more of it the less it was tried."""
        return sum(map(self._worth, self._together(self._known(row))))

    def row(self, random: Random) -> dict[str, Scalar]:
        """A level after another, each the one that goes best with those before it; factors come in any order."""
        row: dict[str, Scalar] = {}
        chosen: list[_Level] = []
        for name in random.sample(list(self._space), len(self._space)):
            levels = random.sample(self._space[name], len(self._space[name]))  # so that any of equals may be first
            row[name] = max(levels, key=lambda level, name=name: self._adds(self._ids[name, level], chosen))
            chosen.append(self._ids[name, row[name]])
            chosen.sort()
        return row

    def _adds(self, level: _Level, chosen: Sequence[_Level]) -> float:
        return sum(
            self._worth(tuple(sorted((level, *others))))
            for size in range(self._largest)
            for others in combinations(chosen, size)
        )

    def _worth(self, together: _Together) -> float:
        harsh = plain = 1.0
        for level in together:
            harsh *= self._harsh[level]
            plain *= self._plain[level]
        tried = self._tried[together]
        # What a failure that strikes any share of the times still promises after so many trials that it was not in.
        promise = 2 / ((tried + 1) * (tried + 2))
        return self._scale[len(together) - 1] * promise * (_TROUBLE * harsh + (1 - _TROUBLE) * plain)

    def _together(self, levels: Sequence[_Level]) -> Iterator[_Together]:
        for size in range(1, self._largest + 1):
            yield from combinations(levels, size)

    def _known(self, row: Row) -> list[_Level]:
        return sorted(self._ids[level] for level in row.items() if level in self._ids)


def _sets(count: int, size: int) -> int:
    found = 1
    for at in range(size):
        found = found * (count - at) // (at + 1)
    return found
