"""Stopping early: the rate is where the interval says, although one looked after every trial."""

import random

import pytest

from misstep.core.finding import Interval
from misstep.exploration.outcome import Outcome
from misstep.exploration.stopping import Stopper


def stopped(seed: int, rates: list[float], *, rounds: bool, precision: float = 0.1) -> Interval:
    drawn = random.Random(seed)
    stopper = Stopper(precision, scenarios=len(rates) if rounds else None)
    trial = 0
    while not stopper.known:
        trial += 1
        chosen = range(len(rates)) if rounds else [drawn.randrange(len(rates))]
        for at in chosen:
            stopper.tell(Outcome(scenario=str(at), trial=trial, passed=drawn.random() < rates[at]))
    return stopper.interval


@pytest.mark.parametrize("rounds", [True, False], ids=["in rounds", "drawn"])
@pytest.mark.parametrize("rates", [[0.5], [0.97], [1.0, 1.0, 1.0, 0.0], [0.95] * 5 + [0.3] * 5])
def test_the_rate_lies_in_the_interval_at_which_one_stopped(rates: list[float], *, rounds: bool) -> None:
    truth = sum(rates) / len(rates)
    intervals = [stopped(seed, rates, rounds=rounds) for seed in range(60)]
    assert sum(each.low <= truth <= each.high for each in intervals) >= 57
    assert all(each.high - each.rate <= 0.1 and each.rate - each.low <= 0.1 for each in intervals)


def test_easy_answers_take_fewer_trials_than_hard_ones() -> None:
    assert stopped(1, [1.0], rounds=False).n < stopped(1, [0.9], rounds=False).n < stopped(1, [0.5], rounds=False).n


def test_a_round_is_looked_at_when_it_is_over() -> None:
    stopper = Stopper(0.9, scenarios=2)
    assert not stopper.tell(Outcome(scenario="a", passed=True))
    assert stopper.interval.n == 0
    stopper.tell(Outcome(scenario="b", passed=None))
    assert (stopper.interval.n, stopper.invalid) == (1, 1)


def test_a_run_of_invalid_trials_is_never_known() -> None:
    stopper = Stopper(0.5)
    assert not any(stopper.tell(Outcome(scenario="a", trial=at, passed=None)) for at in range(50))


def test_a_precision_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"like 0\.05; got 5"):
        Stopper(5)
