"""Outcomes → tallies by cluster, and the rate that those stand for."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from misstep.core.finding import Interval
from misstep.core.statistics import Tally, clopper_pearson, clustered_rate
from misstep.exploration.outcome import Outcome


def tallies(outcomes: Iterable[Outcome], by: Callable[[Outcome], str]) -> tuple[Tally, ...]:
    """Passes and decided trials of each cluster, in the order of first sight."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for outcome in outcomes:
        if outcome.passed is not None:
            count = counts[by(outcome)]
            count[0] += outcome.passed
            count[1] += 1
    return tuple((passed, n) for passed, n in counts.values())


def rate_of(clusters: Sequence[Tally], level: float, *, of_many: bool = True) -> Interval:
    """The rate over clusters like these, with the exact interval where no cluster has two trials.

    A single cluster says next to nothing of others: where it is one `of_many`, its trials count for one.
    """
    passed, n = sum(passed for passed, _ in clusters), sum(n for _, n in clusters)
    if n == len(clusters):
        return clopper_pearson(passed, n, level)
    if len(clusters) == 1 and of_many:
        # Either way that the next cluster may go is left open, as far as one trial leaves it.
        low, high = clopper_pearson(0, 1, level), clopper_pearson(1, 1, level)
        share = passed / n
        return Interval(share, 0.0 if share < 1 else high.low, 1.0 if share > 0 else low.high, n, level)
    return clustered_rate(clusters, level)


def mean_share(clusters: Iterable[Sequence[float]], level: float) -> Interval:
    """The mean of shares between 0 and 1 that come in clusters; `n` counts the shares."""
    sums = [(sum(shares), len(shares)) for shares in clusters if shares]
    # The arithmetic of a rate holds for parts of passes as it does for whole ones.
    return clustered_rate(cast("list[Tally]", sums), level)
