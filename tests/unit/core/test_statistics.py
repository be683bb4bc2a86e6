"""The intervals agree with scipy where scipy has them, and hold as often as they promise where it has not."""

import math
import random
from collections.abc import Callable
from statistics import fmean
from types import ModuleType

import pytest

from misstep.core.finding import Interval
from misstep.core.statistics import (
    clopper_pearson,
    clustered_rate,
    confidence_sequence,
    mcnemar_exact,
    pass_hat_k,
    wilson,
)

COUNTS = [(k, n) for n in (1, 2, 3, 10, 57, 400, 100_000) for k in sorted({0, 1, n // 3, n // 2, n - 1, n})]
LEVELS = (0.8, 0.95, 0.999)


def holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "ours"), [("wilson", wilson), ("exact", clopper_pearson)])
def test_wilson_and_clopper_pearson_agree_with_scipy(
    name: str, ours: Callable[[int, int, float], Interval], level: float, stats: ModuleType
) -> None:
    for successes, n in COUNTS:
        theirs = stats.binomtest(successes, n).proportion_ci(level, method=name)
        interval = ours(successes, n, level)
        assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        assert (interval.rate, interval.n, interval.level) == (successes / n, n, level)


def test_the_exact_interval_never_holds_less_often_than_it_promises(stats: ModuleType) -> None:
    n = 25
    intervals = [clopper_pearson(successes, n) for successes in range(n + 1)]
    for truth in (step / 200 for step in range(1, 200)):
        covered = sum(stats.binom.pmf(k, n, truth) for k, interval in enumerate(intervals) if holds(interval, truth))
        assert covered >= 0.95 - 1e-9


def test_mcnemar_agrees_with_the_exact_binomial_test(stats: ModuleType) -> None:
    for a in (*range(25), 300, 4000):
        for b in (*range(25), 310):
            expected = stats.binomtest(a, a + b).pvalue if a + b else 1.0
            assert mcnemar_exact(a, b) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("n", [1, 5, 40, 1000])
def test_a_confidence_sequence_is_wider_than_the_exact_interval(n: int) -> None:
    for successes in {0, 1, n // 2, n}:
        always, once = confidence_sequence(successes, n), clopper_pearson(successes, n)
        assert always.low <= once.low
        assert always.high >= once.high


@pytest.mark.parametrize("truth", [0.03, 0.5, 0.9, 1.0])
def test_a_confidence_sequence_survives_stopping_when_one_likes_what_one_sees(truth: float) -> None:
    # The worst a person can do is to stop as soon as the interval leaves out the truth; 400 looks, 1 000 careers.
    looks, careers, rng = 400, 1000, random.Random(7)
    seen: dict[tuple[int, int], bool] = {}

    def still_holds(successes: int, n: int) -> bool:
        if (successes, n) not in seen:
            seen[successes, n] = holds(confidence_sequence(successes, n, 0.9), truth)
        return seen[successes, n]

    misled = 0
    for _ in range(careers):
        successes = 0
        for n in range(1, looks + 1):
            successes += rng.random() < truth
            if not still_holds(successes, n):
                misled += 1
                break
    assert misled / careers <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / careers)


def test_an_interval_made_for_one_look_does_not_survive_many() -> None:
    # Otherwise the test above would prove nothing.
    rng, misled = random.Random(7), 0
    once = {(k, n): holds(wilson(k, n, 0.9), 0.5) for n in range(10, 200) for k in range(n + 1)}
    for _ in range(300):
        successes = 0
        for n in range(1, 200):
            successes += rng.random() < 0.5
            if not once.get((successes, n), True):
                misled += 1
                break
    assert misled / 300 > 0.3


Rates = Callable[[random.Random], float]
POPULATIONS: dict[str, tuple[Rates, float, float]] = {
    # How scenarios differ; the mean of their rates; the mean of their rates cubed.
    "all alike": (lambda _: 0.9, 0.9, 0.9**3),
    "always or never": (lambda rng: float(rng.random() < 0.9), 0.9, 0.9),
    "mostly easy": (lambda rng: rng.betavariate(4.5, 0.5), 0.9, 4.5 * 5.5 * 6.5 / (5 * 6 * 7)),
    "of every kind": (lambda rng: rng.betavariate(1, 1), 0.5, 0.25),
}


@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize(("scenarios", "trials"), [(2, 10), (5, 4), (36, 4)])
def test_clustered_intervals_hold_however_alike_the_trials_of_a_scenario_are(
    population: str, scenarios: int, trials: int
) -> None:
    draw, rate, cubed = POPULATIONS[population]
    rng, runs = random.Random(11), 300
    held: list[tuple[bool, bool]] = []
    for _ in range(runs):
        rates = [draw(rng) for _ in range(scenarios)]
        tallies = [(sum(rng.random() < each for _ in range(trials)), trials) for each in rates]
        held.append((holds(clustered_rate(tallies), rate), holds(pass_hat_k(tallies, 3), cubed)))
    least = 0.95 - 3 * math.sqrt(0.05 * 0.95 / runs)
    assert fmean(of_rate for of_rate, _ in held) >= least
    assert fmean(of_power for _, of_power in held) >= least


def test_pass_hat_k_is_unbiased(stats: ModuleType) -> None:
    n, k, truth = 6, 3, 0.7
    expected = sum(stats.binom.pmf(c, n, truth) * pass_hat_k([(c, n)], k).rate for c in range(n + 1))
    assert expected == pytest.approx(truth**k)


def test_pass_hat_1_is_the_rate() -> None:
    tallies = [(3, 4), (4, 4), (0, 4), (2, 4)]
    assert pass_hat_k(tallies, 1) == clustered_rate(tallies)


def test_pass_hat_k_leaves_out_scenarios_with_too_few_trials() -> None:
    assert pass_hat_k([(4, 4), (2, 4), (1, 1)], 3) == pass_hat_k([(4, 4), (2, 4)], 3)
    assert pass_hat_k([(1, 1)], 2).n == 0


def test_pass_hat_k_of_one_scenario_is_its_interval_to_the_power_of_k() -> None:
    single = clopper_pearson(9, 10)
    power = pass_hat_k([(9, 10)], 2)
    assert (power.low, power.high) == pytest.approx((single.low**2, single.high**2))


def test_a_rate_always_lies_in_its_own_interval() -> None:
    for passes in range(5):
        for k in range(1, 5):
            for tallies in ([(passes, 4)], [(passes, 4), (4, 4)], [(passes, 4), (0, 4), (1, 4)]):
                for interval in (pass_hat_k(tallies, k), clustered_rate(tallies)):
                    assert holds(interval, interval.rate)


@pytest.mark.parametrize("tallies", [[(4, 4)] * 20, [(0, 4)] * 20, [(2, 4)] * 20, [(7, 7)], [(0, 3), (3, 3)]])
def test_no_clustered_interval_claims_to_know_the_rate_exactly(tallies: list[tuple[int, int]]) -> None:
    interval = clustered_rate(tallies)
    assert interval.high - interval.low > 0.1
    power = pass_hat_k(tallies, 2)
    assert power.high - power.low > 0.1


def test_where_all_trials_pass_each_scenario_counts_for_one() -> None:
    assert clustered_rate([(4, 4)] * 30).low == pytest.approx(clopper_pearson(30, 30).low)


def test_scenarios_without_trials_change_nothing() -> None:
    assert clustered_rate([(3, 4), (0, 0), (4, 4)]) == clustered_rate([(3, 4), (4, 4)])


@pytest.mark.parametrize(
    "interval",
    [wilson(0, 0), clopper_pearson(0, 0), confidence_sequence(0, 0), clustered_rate([]), pass_hat_k([], 2)],
)
def test_without_trials_nothing_is_known(interval: Interval) -> None:
    assert (interval.low, interval.high, interval.n) == (0.0, 1.0, 0)


@pytest.mark.parametrize(("successes", "n", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 0.0), (1, 2, 95)])
def test_impossible_counts_and_levels_are_refused(successes: int, n: int, level: float) -> None:
    for ours in (wilson, clopper_pearson, confidence_sequence):
        with pytest.raises(ValueError, match=r"passes in|between 0 and 1"):
            ours(successes, n, level)
