"""Passes and trials by scenario → a rate with its interval, and pass^k."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from misstep.core.finding import Interval, Outcome
from misstep.core.statistics import Tally, clustered_rate, pass_hat_k, wilson
from misstep.reporting.summary import Marked, Method, PassHat, Rate

_LARGEST_K = 20

Outcomes = Counter[Outcome]
ByScenario = defaultdict[str, Outcomes]


def pooled(by_scenario: Iterable[Tally]) -> Rate:
    """Trials of one scenario resemble each other: where several scenarios repeat, the interval is taken over them.

    Repeated trials of a single scenario say how that one goes, and nothing about others: the method says so.
    """
    tallies = [tally for tally in by_scenario if tally[1]]
    passes, trials = sum(passes for passes, _ in tallies), sum(trials for _, trials in tallies)
    if trials == len(tallies):
        return _rate(wilson(passes, trials), "wilson")
    if len(tallies) == 1:
        return _rate(wilson(passes, trials), "this scenario only")
    return _rate(clustered_rate(tallies), "clustered by scenario")


def success(outcomes: Iterable[Outcomes]) -> Rate:
    """Of the trials that were decided."""
    return pooled(map(tally, outcomes))


def tally(outcomes: Outcomes) -> Tally:
    return outcomes["pass"], outcomes["pass"] + outcomes["fail"]


def marked(marks: Mapping[str, Outcomes], of: Iterable[str], every: Mapping[str, Outcomes]) -> Marked:
    """`of` names the scenarios whose trials could have had the mark."""
    having = {name: marks.get(name, Counter[Outcome]()) for name in every}
    return Marked(
        trials=sum(each.total() - each["invalid"] for each in having.values()),
        share=pooled(
            (having[name].total() - having[name]["invalid"], every[name].total() - every[name]["invalid"])
            for name in of
        ),
        success_without=success(outcomes - having[name] for name, outcomes in every.items()),
    )


def pass_hats(tallies: Sequence[Tally]) -> tuple[PassHat, ...]:
    """For each k that at least half of the scenarios can speak of: past that the curve is about other scenarios."""
    decided = [tally for tally in tallies if tally[1]]
    hats: list[PassHat] = []
    for k in range(1, min(max((trials for _, trials in decided), default=0), _LARGEST_K) + 1):
        able = sum(trials >= k for _, trials in decided)
        if able * 2 < len(decided):
            break
        hat = pass_hat_k(decided, k)
        rate, low, high = round(hat.rate, 6), round(hat.low, 6), round(hat.high, 6)
        hats.append(PassHat(k=k, rate=rate, low=low, high=high, scenarios=able))
    return tuple(hats)


def _rate(interval: Interval, method: Method) -> Rate:
    if interval.n == 0:
        return Rate()
    return Rate(
        rate=round(interval.rate, 6),
        low=round(interval.low, 6),
        high=round(interval.high, 6),
        n=interval.n,
        level=interval.level,
        method=method,
    )
