"""Stopper: told outcome after outcome, says when the success rate is known as closely as was asked for.

One may look after every trial and stop when one likes: the interval is that of a confidence sequence, which holds at
all times at once. What it asks for in return is that trials come in no order that has to do with how they end:
scenarios drawn at random one after another; or, for a fixed set of them, in rounds, with every scenario once a round.
"""

from collections import Counter

from misstep.core.finding import Interval
from misstep.core.statistics import confidence_sequence
from misstep.exploration.outcome import Outcome

_EVERY_PART = 50


class Stopper:
    """Remembers the counts. With `scenarios`, how many a round has, it looks at the end of each round only."""

    def __init__(self, precision: float, *, level: float = 0.95, scenarios: int | None = None) -> None:
        if not 0 < precision < 1:
            raise ValueError(f"A precision lies between 0 and 1, like 0.05; got {precision}.")
        self.precision = precision
        self.interval = confidence_sequence(0, 0, level)
        """As it was at the last look."""
        self.invalid = 0
        self._scenarios = scenarios
        self._told: Counter[str] = Counter()
        self._passed = 0
        self._n = 0
        self._next_look = 0

    def tell(self, outcome: Outcome) -> bool:
        """Is it known now? Invalid trials complete a round, and count for nothing else."""
        self._told[outcome.scenario] += 1
        if outcome.passed is None:
            self.invalid += 1
        else:
            self._passed += outcome.passed
            self._n += 1
        # A look takes long beside a count, and one may look as seldom as one likes: after every fiftieth more.
        if self._n >= self._next_look and self._round_is_over():
            self._next_look = self._n + max(1, self._n // _EVERY_PART)
            self.interval = confidence_sequence(self._passed, self._n, self.interval.level)
        return self.known

    @property
    def known(self) -> bool:
        """Neither end of the interval is farther from the rate than the precision."""
        return within(self.interval, self.precision)

    def _round_is_over(self) -> bool:
        if self._scenarios is None:
            return True
        return len(self._told) == self._scenarios and len(set(self._told.values())) == 1


def within(interval: Interval, precision: float) -> bool:
    return interval.n > 0 and max(interval.high - interval.rate, interval.rate - interval.low) <= precision
