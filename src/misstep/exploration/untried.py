"""Rows that were tried → the row that tries most of what was not: levels, pairs and triples of levels, by their worth.

A failure is taken to need up to three levels together, and to strike any share of the times: a combination that was
tried is worth less the next time, never nothing. All levels count alike, so that rows become those of a covering array.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, prod
from random import Random

from misstep.core.scenario import Scalar
from misstep.exploration.thompson import Possible, Row, anything

_LARGEST = 3
_MOST_FACTORS = 24
"""With more than these, triples are too many to count."""

_Level = int
_Together = tuple[_Level, ...]


class Untried:
    """Counts how often levels were tried together."""

    def __init__(self, space: Mapping[str, Sequence[Scalar]], possible: Possible = anything) -> None:
        self._space = {name: tuple(levels) for name, levels in space.items()}
        self._possible = possible
        self._ids: dict[tuple[str, Scalar], _Level] = {}
        self._share: list[float] = []
        for name, levels in self._space.items():
            for level in levels:
                self._ids[name, level] = len(self._ids)
                self._share.append(1 / len(levels))
        self._largest = _LARGEST if len(self._space) <= _MOST_FACTORS else _LARGEST - 1
        # All combinations of a size are worth as much as all of another.
        self._scale = [1 / max(1, comb(len(self._space), size)) for size in range(1, self._largest + 1)]
        self._tried: Counter[_Together] = Counter()

    def tell(self, row: Row) -> None:
        """A row that is tried."""
        self._tried.update(self._together(self._known(row)))

    def worth(self, row: Row) -> float:
        """What a trial of the row would try, the more of it the less it was tried."""
        return sum(map(self._worth, self._together(self._known(row))))

    def row(self, random: Random, part: Row | None = None) -> dict[str, Scalar]:
        """A level after another, each the one that goes best with those before it; factors come in any order.

        With a part of a row, the rest of it. A factor of which no level can be had with those before it is left out.
        """
        row = dict(part or {})
        chosen = self._known(row)
        for name in random.sample(list(self._space), len(self._space)):
            if name in row:
                continue
            levels = random.sample(self._space[name], len(self._space[name]))  # so that any of equals may be first
            levels = [level for level in levels if self._possible({**row, name: level})]
            if not levels:
                continue
            row[name] = max(levels, key=lambda level, name=name: self._adds(self._ids[name, level], chosen))
            chosen = sorted((*chosen, self._ids[name, row[name]]))
        return row

    def _adds(self, level: _Level, chosen: Sequence[_Level]) -> float:
        return sum(
            self._worth(tuple(sorted((level, *others))))
            for size in range(self._largest)
            for others in combinations(chosen, size)
        )

    def _worth(self, together: _Together) -> float:
        tried = self._tried[together]
        # What a failure that strikes any share of the times still promises after so many trials that it was not in.
        promise = 2 / ((tried + 1) * (tried + 2))
        return self._scale[len(together) - 1] * promise * prod(self._share[level] for level in together)

    def _together(self, levels: Sequence[_Level]) -> Iterator[_Together]:
        for size in range(1, self._largest + 1):
            yield from combinations(levels, size)

    def _known(self, row: Row) -> list[_Level]:
        return sorted(self._ids[level] for level in row.items() if level in self._ids)
