"""Levels with hardly any passes or failures → the least error that an honest comparison with them has.

Where all trials at a level went the same way, a regression sees no scatter and is sure of everything. The exact
interval of the level's rate is not, and says how wide the error must at least be.
"""

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

from misstep.core.scenario import Scalar
from misstep.exploration.columns import Column
from misstep.exploration.outcome import Outcome
from misstep.exploration.rates import rate_of, tallies

_THIN = 5
"""With fewer passes or failures than this, a normal error is too sure of itself."""
_USUAL = 0.95


def least_error(column: Column, outcomes: Sequence[Outcome], cluster: Callable[[Outcome], str]) -> float:
    """0 where there is enough of both everywhere."""
    name = column.factor.name
    weights = _weights(column, outcomes)
    groups: dict[Scalar, list[Outcome]] = {level: [] for level in weights}
    for outcome in outcomes:
        if outcome.factors[name] in groups:
            groups[outcome.factors[name]].append(outcome)
    return math.hypot(*(weight * thin_error(groups[level], cluster) for level, weight in weights.items()))


def thin_error(outcomes: Sequence[Outcome], cluster: Callable[[Outcome], str]) -> float:
    """What the exact interval says of the error of a rate, where there are few passes or few failures."""
    passed = sum(bool(outcome.passed) for outcome in outcomes)
    if min(passed, len(outcomes) - passed) >= _THIN:
        return 0.0
    rate = rate_of(tallies(outcomes, cluster), _USUAL)
    return max(rate.rate - rate.low, rate.high - rate.rate) / NormalDist().inv_cdf((1 + _USUAL) / 2)


def _weights(column: Column, outcomes: Sequence[Outcome]) -> dict[Scalar, float]:
    """How much each level's rate counts in the change that the column measures."""
    factor = column.factor
    if column.level is not None:
        return {column.level: 1.0, factor.against: -1.0}
    counts = dict.fromkeys(factor.levels, 0)
    for outcome in outcomes:
        counts[outcome.factors[factor.name]] += 1
    n = len(outcomes)
    middle = sum(column.value(level) * count for level, count in counts.items()) / n
    spread = sum((column.value(level) - middle) ** 2 * count for level, count in counts.items())
    return {level: (column.value(level) - middle) * count / spread for level, count in counts.items()}
