"""Outcomes of plans of different lengths → the chance that a single step goes right, and what it compounds to.

The model is the plainest there is: every step goes right with the same chance, and a plan passes when all of its steps
do. `fits` says whether the observed rates bear that out.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.statistics import Tally, student_quantile
from misstep.exploration.curves import curve_along
from misstep.exploration.levels import cluster_of, decided, is_number
from misstep.exploration.outcome import Outcome

ByCluster = dict[str, dict[float, Tally]]
"""Passes and trials of each cluster, by the number of steps."""

_MOST_CARE = 60.0
"""Where e to this power is met, a chance is as good as 0."""


class Compound(Struct, frozen=True, kw_only=True):
    """What a plan of so many steps should come to, and what it came to."""

    steps: float
    expected: Interval
    observed: Interval | None = None


class PerStep(Struct, frozen=True, kw_only=True):
    """The chance that a step goes right."""

    rate: Interval
    """Its `n` are trials."""
    compounds: tuple[Compound, ...]
    fits: bool
    """Every observed interval (they hold all at once) meets the one that it should."""


def per_step(outcomes: Iterable[Outcome], *, over: Sequence[float] = (), level: float = 0.95) -> PerStep | None:
    """None where no trial says how long its right plan is. `over`: more lengths to show."""
    known = [outcome for outcome in decided(outcomes) if steps_of(outcome)]
    if not known:
        return None
    clusters = _by_cluster(known, cluster_of(known))
    low, rate, high = _bounds(clusters, level)
    n = len(known)
    seen = {float(point.at): point.rate for point in curve_along(known, "steps", steps_of, level=level).points}
    compounds = tuple(
        Compound(
            steps=steps,
            expected=Interval(rate**steps, low**steps, high**steps, n, level),
            observed=seen.get(steps),
        )
        for steps in sorted({*seen, *map(float, over)})
    )
    fits = all(
        each.observed is None or (each.observed.low <= each.expected.high and each.expected.low <= each.observed.high)
        for each in compounds
    )
    return PerStep(rate=Interval(rate, low, high, n, level), compounds=compounds, fits=fits)


def needed_per_step(target: float, steps: float) -> float:
    """How sure each of so many steps must be, for all of them to go right with the chance `target`."""
    if not 0 < target < 1 or steps <= 0:
        raise ValueError(f"A target lies between 0 and 1, and there is a step at least; got {target} and {steps}.")
    return target ** (1 / steps)


def steps_of(outcome: Outcome) -> float | None:
    """How long a right plan is: as the objective says, or else the factor of that name."""
    value = outcome.steps or outcome.factors.get("steps", 0)
    return float(value) if is_number(value) and float(value) > 0 else None


def _by_cluster(outcomes: Sequence[Outcome], cluster: Callable[[Outcome], str]) -> ByCluster:
    clusters: defaultdict[str, dict[float, Tally]] = defaultdict(dict)
    for outcome in outcomes:
        tallies, steps = clusters[cluster(outcome)], steps_of(outcome) or 0.0
        passed, n = tallies.get(steps, (0, 0))
        tallies[steps] = passed + bool(outcome.passed), n + 1
    return dict(clusters)


def _bounds(clusters: ByCluster, level: float) -> tuple[float, float, float]:
    """Low, best and high: by the likelihood, which is made flatter the more alike the trials of a cluster are."""
    pooled = _pooled(clusters.values())
    passed, n = sum(passed for passed, _ in pooled.values()), sum(n for _, n in pooled.values())
    if passed in (0, n):
        # Nothing shows how alike the trials of a cluster are: each counts for one.
        lengths = [_mean_length(tallies) for tallies in clusters.values()]
        return _all_alike(lengths, (1 - level) / 2, passed=passed == n)
    hazard = _root(lambda value: _score(pooled, value))
    alike = _design_effect(clusters, pooled, hazard)
    reach = student_quantile(1 - level, max(1, len(clusters) - 1)) ** 2 * alike / 2
    best = _likelihood(pooled, hazard)

    def too_far(value: float) -> float:
        return best - reach - _likelihood(pooled, value)

    low = _root(too_far, below=hazard)
    high = _root(lambda value: -too_far(value), above=hazard)
    return math.exp(-high), math.exp(-hazard), math.exp(-low)


def _pooled(tallies: Iterable[dict[float, Tally]]) -> dict[float, Tally]:
    total: dict[float, Tally] = {}
    for each in tallies:
        for steps, (passed, n) in each.items():
            before = total.get(steps, (0, 0))
            total[steps] = before[0] + passed, before[1] + n
    return total


def _mean_length(tallies: dict[float, Tally]) -> float:
    return sum(steps * n for steps, (_, n) in tallies.items()) / sum(n for _, n in tallies.values())


def _all_alike(lengths: Sequence[float], tail: float, *, passed: bool) -> tuple[float, float, float]:
    """The exact bound where all passed, or all failed."""
    if passed:
        return tail ** (1 / sum(lengths)), 1.0, 1.0
    hazard = _root(lambda value: math.log(tail) - sum(_log_failing(steps * value) for steps in lengths))
    return 0.0, 0.0, math.exp(-hazard)


def _likelihood(pooled: dict[float, Tally], hazard: float) -> float:
    return math.fsum(
        -passed * steps * hazard + (n - passed) * _log_failing(steps * hazard) for steps, (passed, n) in pooled.items()
    )


def _log_failing(reach: float) -> float:
    """The logarithm of the chance that not all goes right."""
    return math.log(-math.expm1(-reach))


def _score(tallies: dict[float, Tally], hazard: float) -> float:
    """How the likelihood grows with the hazard: more while failures outweigh it."""
    return math.fsum(
        (n - passed) * steps / math.expm1(min(_MOST_CARE, steps * hazard)) - passed * steps
        for steps, (passed, n) in tallies.items()
    )


def _design_effect(clusters: ByCluster, pooled: dict[float, Tally], hazard: float) -> float:
    """How much more the clusters scatter than independent trials would."""
    if len(clusters) < 2:
        return 1.0
    scatter = sum(_score(tallies, hazard) ** 2 for tallies in clusters.values()) * len(clusters) / (len(clusters) - 1)
    usual = sum(n * steps**2 / math.expm1(min(_MOST_CARE, steps * hazard)) for steps, (_, n) in pooled.items())
    return max(1.0, scatter / usual)


def _root(falling: Callable[[float], float], *, above: float = 1e-12, below: float = 700.0) -> float:
    """Where a function of the hazard that falls from plus to minus is 0, by halving its logarithm."""
    low, high = math.log(above), math.log(below)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(math.exp(middle)) > 0 else (low, middle)
    return math.exp((low + high) / 2)
