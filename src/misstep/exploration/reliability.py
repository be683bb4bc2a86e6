"""reliability: outcomes → pass^1 to pass^k, how alike trials of one scenario come out, and how sure a step is."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.statistics import Tally, pass_hat_k
from misstep.exploration.levels import cluster_of, decided
from misstep.exploration.outcome import Outcome
from misstep.exploration.per_step import PerStep, needed_per_step, per_step
from misstep.exploration.rates import mean_share

_LARGEST_K = 20


class PassHat(Struct, frozen=True, kw_only=True):
    """The chance that k trials of a scenario all pass."""

    k: int
    rate: Interval
    scenarios: int
    """Those with k trials or more, which alone can say."""


class Consistency(Struct, frozen=True, kw_only=True):
    """How alike trials of one scenario come out."""

    alike: Interval
    """The chance that two trials of a scenario both pass or both fail."""
    by_chance: float
    """The same for two trials of any two scenarios."""
    always: int
    """Scenarios of which every trial passed."""
    never: int
    sometimes: int


class Need(Struct, frozen=True):
    """How sure a step must be for a plan of so many to meet the target."""

    steps: float
    per_step: float


class Reliability(Struct, frozen=True, kw_only=True):
    """What an agent's successes are good for when they are repeated, and when they are strung together."""

    pass_hats: tuple[PassHat, ...] = ()
    consistency: Consistency | None = None
    """None where no scenario has two trials."""
    steps: PerStep | None = None
    """None where nothing says how long the plans are."""
    target: float
    needs: tuple[Need, ...] = ()
    invalid: int = 0


def reliability(
    outcomes: Iterable[Outcome],
    *,
    target: float = 0.95,
    over: Sequence[float] = (5, 10, 20),
    level: float = 0.95,
) -> Reliability:
    """`over`: lengths of plans that one wants to know of, beside those that were seen."""
    told = list(outcomes)
    known = decided(told)
    return Reliability(
        pass_hats=pass_hats(known, level=level),
        consistency=consistency(known, level=level),
        steps=per_step(known, over=over, level=level),
        target=target,
        needs=tuple(Need(steps, needed_per_step(target, steps)) for steps in over),
        invalid=len(told) - len(known),
    )


def pass_hats(outcomes: Iterable[Outcome], *, level: float = 0.95) -> tuple[PassHat, ...]:
    """For each k that at least half of the scenarios can speak of: past that it would be about other scenarios."""
    clusters = _scenarios(decided(outcomes))
    every = [tally for scenarios in clusters for tally in scenarios]
    hats: list[PassHat] = []
    for k in range(1, min(_LARGEST_K, max((n for _, n in every), default=0)) + 1):
        able = sum(n >= k for _, n in every)
        if able * 2 < len(every):
            break
        hats.append(PassHat(k=k, rate=_pass_hat(clusters, every, k, level), scenarios=able))
    return tuple(hats)


def _pass_hat(clusters: Sequence[Sequence[Tally]], every: Sequence[Tally], k: int, level: float) -> Interval:
    single = pass_hat_k(every, k, level)
    if len(clusters) == len(every):
        return single
    # Scenarios of one task are no independent evidence: the same rate, with an interval over tasks.
    shares = [[pass_hat_k([tally], k).rate for tally in scenarios if tally[1] >= k] for scenarios in clusters]
    over_tasks = mean_share(shares, level)
    return Interval(single.rate, over_tasks.low, over_tasks.high, single.n, level)


def consistency(outcomes: Iterable[Outcome], *, level: float = 0.95) -> Consistency | None:
    """Of the scenarios that have two trials or more."""
    clusters = [[tally for tally in scenarios if tally[1] > 1] for scenarios in _scenarios(decided(outcomes))]
    repeated = [tally for scenarios in clusters for tally in scenarios]
    if not repeated:
        return None
    passed, n = sum(passed for passed, _ in repeated), sum(n for _, n in repeated)
    always, never = sum(passed == n for passed, n in repeated), sum(passed == 0 for passed, _ in repeated)
    return Consistency(
        alike=mean_share([[_alike(*tally) for tally in scenarios] for scenarios in clusters], level),
        by_chance=(passed / n) ** 2 + (1 - passed / n) ** 2,
        always=always,
        never=never,
        sometimes=len(repeated) - always - never,
    )


def _alike(passed: int, n: int) -> float:
    failed = n - passed
    return (passed * (passed - 1) + failed * (failed - 1)) / (n * (n - 1))


def _scenarios(outcomes: Sequence[Outcome]) -> list[list[Tally]]:
    """The passes and trials of each scenario, by cluster."""
    cluster = cluster_of(outcomes)
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    members: defaultdict[str, dict[str, None]] = defaultdict(dict)
    # In a run of one scenario, trials are no scenarios of their own.
    alone = len({outcome.scenario for outcome in outcomes}) == 1
    for outcome in outcomes:
        counts[outcome.scenario][0] += bool(outcome.passed)
        counts[outcome.scenario][1] += 1
        members["" if alone else cluster(outcome)].setdefault(outcome.scenario)
    return [[(counts[name][0], counts[name][1]) for name in names] for names in members.values()]
