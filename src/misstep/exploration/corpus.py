"""Trials that took a rare way → what their rows have in common: the part of a row that may lead there again."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from random import Random

from misstep.core.scenario import Scalar
from misstep.exploration.thompson import Row

_MOST = 8
"""The latest rows of a way: what they share is what it hangs on, and more of them do not say it better."""
_STAYS = 0.6
"""The chance of a level to be kept while a single row led to a way. A row tries many combinations at once, so that
small changes would waste it."""
_SHARED, _LOOSE = 0.9, 0.3
"""The same with several rows: of a level that all of them have, and of one that they differ in."""


class Corpus:
    """Remembers for each way how often it was taken, and the levels that led to it."""

    def __init__(self) -> None:
        self._rows: dict[str, deque[Row]] = {}
        self._seen: Counter[str] = Counter()
        self._used: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row, ways: Iterable[str]) -> None:
        """What a trial of the row showed."""
        for way in sorted(ways):  # the order of a set must not matter
            self._seen[way] += 1
            self._rows.setdefault(way, deque(maxlen=_MOST)).append(row)

    def part(self, random: Random) -> dict[str, Scalar]:
        """Of the rows of a way that was taken, and tried again, few times so far."""
        way = random.choices(list(self._rows), weights=[self._promise(way) for way in self._rows])[0]
        self._used[way] += 1
        rows = self._rows[way]
        return {
            name: level
            for name, level in random.choice(rows).items()
            if random.random() < _chance_to_stay([row.get(name) for row in rows])
        }

    def _promise(self, way: str) -> float:
        return 1 / self._seen[way] / (1 + self._used[way])


def _chance_to_stay(levels: Sequence[Scalar | None]) -> float:
    if len(levels) == 1:
        return _STAYS
    return _SHARED if len(set(levels)) == 1 else _LOOSE
