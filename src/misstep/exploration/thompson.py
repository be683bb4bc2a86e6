"""Thompson sampling over the levels of factors: levels that brought something new are drawn more often."""

from collections.abc import Mapping, Sequence
from random import Random

from misstep.core.scenario import Scalar

Row = Mapping[str, Scalar]
"""A level for each factor."""
Level = tuple[str, Scalar]
"""A factor's name, and one of its levels."""

_MEMORY = 0.98
"""What was new wears off: each trial counts for this much of the next."""
_FIRM = 4.0
_MILDEST, _HARSHEST = 0.15, 0.5


class Thompson:
    """Remembers, for each level of each factor, how much its trials brought.

    With `harsh`, levels come mildest first, and later ones are drawn more often as long as they do no worse: failures
    need trouble, and rare ones several troubles at once.
    """

    def __init__(self, space: Mapping[str, Sequence[Scalar]], *, harsh: bool = False) -> None:
        self._space = {name: tuple(levels) for name, levels in space.items()}
        self._harsh = harsh
        self._brought: dict[Level, float] = {}
        self._tried: dict[Level, float] = {}

    def tell(self, row: Row, gain: float) -> None:
        """How much, from 0 to 1, a trial of the row brought."""
        for key in self._tried:
            self._tried[key] *= _MEMORY
            self._brought[key] *= _MEMORY
        for key in row.items():
            self._tried[key] = self._tried.get(key, 0.0) + 1
            self._brought[key] = self._brought.get(key, 0.0) + gain

    def row(self, random: Random) -> dict[str, Scalar]:
        """The level of each factor that wins this draw."""
        return {name: levels[self._worth(name, random).index(1.0)] for name, levels in self._space.items()}

    def worth(self, random: Random) -> dict[Level, float]:
        """All levels in one draw, each beside the one that wins its factor, which has 1."""
        return {
            (name, level): each
            for name, levels in self._space.items()
            for level, each in zip(levels, self._worth(name, random), strict=True)
        }

    def _worth(self, name: str, random: Random) -> list[float]:
        levels = self._space[name]
        draws = [self._draw((name, level), self._hope(at, len(levels)), random) for at, level in enumerate(levels)]
        best = max(draws)
        return [draw / best for draw in draws]

    def _draw(self, key: Level, hope: float, random: Random) -> float:
        brought, tried = self._brought.get(key, 0.0), self._tried.get(key, 0.0)
        return random.betavariate(_FIRM * hope + brought, _FIRM * (1 - hope) + max(0.0, tried - brought))

    def _hope(self, at: int, count: int) -> float:
        """What a trial of a level is thought to bring before there was one."""
        return _MILDEST + (_HARSHEST - _MILDEST) * at / (count - 1) if self._harsh and count > 1 else 0.5
