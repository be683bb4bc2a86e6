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
_MILDEST, _HARSHEST = 0.3, 0.7
"""What a trial at a factor's mildest level, and at its harshest, is thought to bring before there was one."""
_FIRM = 4.0
"""And how many trials that thought counts for."""


class Thompson:
    """Remembers, for each level of each factor, how much its trials brought.

    With `harsh`, levels come mildest first, and later ones are thought to bring more until they were tried: failures
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
        """The level of each factor that wins this draw; the factor whose level promises most comes first."""
        winners: list[tuple[float, str, Scalar]] = []
        for name, levels in self._space.items():
            draws = self._draws(name, random)
            best = max(draws)
            winners.append((best, name, levels[draws.index(best)]))
        return {name: level for _, name, level in sorted(winners, key=lambda each: -each[0])}

    def worth(self, random: Random) -> dict[Level, float]:
        """All levels in one draw, each beside the one that wins its factor, which has 1."""
        found: dict[Level, float] = {}
        for name, levels in self._space.items():
            draws = self._draws(name, random)
            found.update({(name, level): draw / max(draws) for level, draw in zip(levels, draws, strict=True)})
        return found

    def _draws(self, name: str, random: Random) -> list[float]:
        levels = self._space[name]
        return [self._draw((name, level), self._hope(at, len(levels)), random) for at, level in enumerate(levels)]

    def _draw(self, key: Level, hope: float, random: Random) -> float:
        brought, tried = self._brought.get(key, 0.0), self._tried.get(key, 0.0)
        return random.betavariate(_FIRM * hope + brought, _FIRM * (1 - hope) + max(0.0, tried - brought))

    def _hope(self, at: int, count: int) -> float:
        return _MILDEST + (_HARSHEST - _MILDEST) * at / (count - 1) if self._harsh and count > 1 else 0.5
