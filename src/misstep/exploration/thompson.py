"""Thompson sampling over the levels of factors: levels that brought something new are drawn more often."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from misstep.core.scenario import Scalar

Row = Mapping[str, Scalar]
"""A level for each factor."""
Possible = Callable[[Row], bool]
"""Whether some scenario has these levels, of some of the factors."""
Level = tuple[str, Scalar]
"""A factor's name, and one of its levels."""

_MEMORY = 0.98
"""What was new wears off: each trial counts for this much of the next."""
_HOPE = 2.0
"""How many trials that brought something, and how many that did not, are taken for granted before the first."""


def anything(_: Row) -> bool:
    """Where nothing is known of levels that clash."""
    return True


class Thompson:
    """Remembers, for each level of each factor, how much its trials brought."""

    def __init__(self, space: Mapping[str, Sequence[Scalar]]) -> None:
        self._space = {name: tuple(levels) for name, levels in space.items()}
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
        return [self._draw((name, level), random) for level in self._space[name]]

    def _draw(self, key: Level, random: Random) -> float:
        brought, tried = self._brought.get(key, 0.0), self._tried.get(key, 0.0)
        return random.betavariate(_HOPE + brought, _HOPE + max(0.0, tried - brought))
