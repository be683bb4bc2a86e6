"""curve: outcomes and a factor → the success rate at each of its levels, with intervals that hold all at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.scenario import Scalar
from misstep.exploration.levels import cluster_of, decided, in_order
from misstep.exploration.outcome import Outcome
from misstep.exploration.rates import rate_of, tallies


class Point(Struct, frozen=True, kw_only=True):
    """A level of a factor, and how the trials at it came out."""

    at: Scalar
    passed: int
    rate: Interval
    """Its `n` are the trials that passed or failed; its `level` is that of this interval alone."""
    clusters: int
    """Tasks that the trials come from: the evidence that the interval rests on."""
    invalid: int = 0


class Curve(Struct, frozen=True, kw_only=True):
    """The success rate along a factor."""

    factor: str
    points: tuple[Point, ...]
    level: float = 0.95
    """The confidence with which all intervals hold at once."""
    invalid: int = 0
    unsaid: int = 0
    """Trials whose scenario says nothing of the factor."""


def curve(outcomes: Iterable[Outcome], factor: str, *, level: float = 0.95) -> Curve:
    """Invalid and undecided trials are counted apart."""
    return curve_along(outcomes, factor, lambda outcome: outcome.factors.get(factor), level=level)


def by_user(outcomes: Iterable[Outcome], *, level: float = 0.95) -> Curve:
    """The success rate with each of the simulated users: how much of it is due to who was simulated."""
    return curve_along(outcomes, "user", lambda outcome: outcome.user, level=level)


def curve_along(
    outcomes: Iterable[Outcome], factor: str, level_of: Callable[[Outcome], Scalar | None], *, level: float = 0.95
) -> Curve:
    """Along anything that can be said of an outcome; None where it cannot."""
    at: defaultdict[Scalar, list[Outcome]] = defaultdict(list)
    unsaid = 0
    for outcome in outcomes:
        place = level_of(outcome)
        if place is None:
            unsaid += 1
        else:
            at[place].append(outcome)
    known = [outcome for group in at.values() for outcome in decided(group)]
    cluster = cluster_of(known)
    of_many = len({cluster(outcome) for outcome in known}) > 1
    # Bonferroni's share: levels have tasks in common, so that nothing less careful holds.
    shared = sum(bool(decided(group)) for group in at.values())
    each = 1 - (1 - level) / max(1, shared)
    points = tuple(_point(place, at[place], cluster, each, of_many=of_many) for place in in_order(at))
    return Curve(
        factor=factor, points=points, level=level, invalid=sum(point.invalid for point in points), unsaid=unsaid
    )


def _point(
    at: Scalar, outcomes: list[Outcome], cluster: Callable[[Outcome], str], level: float, *, of_many: bool
) -> Point:
    counted = tallies(outcomes, cluster)
    rate = rate_of(counted, level, of_many=of_many)
    passed = sum(passed for passed, _ in counted)
    return Point(at=at, passed=passed, rate=rate, clusters=len(counted), invalid=len(outcomes) - rate.n)
