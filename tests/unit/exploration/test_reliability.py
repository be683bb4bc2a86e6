"""Reliability: what repeating and stringing together does to a success rate."""

import random
from math import prod

import pytest
from msgspec import structs

from misstep.core.statistics import pass_hat_k
from misstep.exploration.outcome import Outcome
from misstep.exploration.per_step import PerStep, needed_per_step, per_step
from misstep.exploration.reliability import consistency, pass_hats, reliability


def repeated(passes: list[int], trials: int, *, tasks: int | None = None) -> list[Outcome]:
    return [
        Outcome(scenario=f"s{at}", task=f"t{at % tasks}" if tasks else "", trial=trial, passed=trial <= passed)
        for at, passed in enumerate(passes)
        for trial in range(1, trials + 1)
    ]


def plans(seed: int, rate: float, *, n: int, alike: int = 1) -> list[Outcome]:
    """Plans of one to eight steps, each passed when all of its steps go right; tasks with so many trials alike."""
    drawn = random.Random(seed)
    made: list[Outcome] = []
    for at in range(n):
        steps = drawn.choice((1, 2, 4, 8))
        passed = drawn.random() < rate**steps
        made += [Outcome(scenario=f"s{at}", trial=trial, steps=steps, passed=passed) for trial in range(1, alike + 1)]
    return made


def fitted(outcomes: list[Outcome]) -> PerStep:
    found = per_step(outcomes)
    assert found is not None
    return found


def test_pass_hat_is_that_of_the_scenarios_where_each_is_a_task() -> None:
    hats = pass_hats(repeated([4, 2, 0], 4))
    assert [hat.k for hat in hats] == [1, 2, 3, 4]
    for hat in hats:
        assert hat.rate == pass_hat_k([(4, 4), (2, 4), (0, 4)], hat.k)
        assert hat.scenarios == 3


def test_scenarios_of_one_task_count_for_less_and_leave_the_rate_alone() -> None:
    passes = [4, 0] * 10
    apart, together = pass_hats(repeated(passes, 4)), pass_hats(repeated(passes, 4, tasks=4))
    for one, other in zip(apart, together, strict=True):
        assert one.rate.rate == pytest.approx(other.rate.rate)
        assert other.rate.high - other.rate.low > one.rate.high - one.rate.low


def test_a_k_that_few_scenarios_can_speak_of_is_left_out() -> None:
    told = [*repeated([1] * 5, 1), *(structs.replace(each, scenario="long") for each in repeated([3], 3))]
    assert [hat.k for hat in pass_hats(told)] == [1]


def test_a_single_scenario_has_its_own_pass_hat() -> None:
    assert [hat.rate for hat in pass_hats(repeated([3], 4))] == [pass_hat_k([(3, 4)], k) for k in (1, 2, 3, 4)]


def test_consistency_tells_always_from_never_and_sometimes() -> None:
    found = consistency(repeated([4, 4, 0, 2], 4))
    assert found is not None
    assert (found.always, found.never, found.sometimes) == (2, 1, 1)
    assert found.alike.rate == pytest.approx((1 + 1 + 1 + 1 / 3) / 4)
    assert found.by_chance == pytest.approx((10 / 16) ** 2 + (6 / 16) ** 2)
    assert consistency(repeated([1, 0], 1)) is None


@pytest.mark.parametrize(("rate", "n", "alike"), [(0.97, 100, 1), (0.97, 100, 3), (0.99, 30, 1), (0.6, 20, 1)])
def test_the_reliability_of_a_step_lies_in_its_interval_as_often_as_promised(rate: float, n: int, alike: int) -> None:
    held = 0
    for seed in range(100):
        found = fitted(plans(seed, rate, n=n, alike=alike)).rate
        held += found.low <= rate <= found.high
    assert held >= 91


def test_a_step_compounds_and_the_observed_rates_stand_beside() -> None:
    found = per_step(plans(1, 0.95, n=300), over=(16,))
    assert found is not None
    assert found.fits
    assert [each.steps for each in found.compounds] == [1, 2, 4, 8, 16]
    assert found.compounds[-1].observed is None
    for each in found.compounds:
        assert each.expected.rate == pytest.approx(prod([found.rate.rate] * int(each.steps)))


def test_an_agent_that_fails_long_plans_only_does_not_fit() -> None:
    told = [Outcome(scenario=str(at), steps=1 + at % 8, passed=at % 8 < 4) for at in range(160)]
    assert not fitted(told).fits


def test_where_all_passed_or_all_failed_the_bound_is_exact() -> None:
    told = [Outcome(scenario=str(at), steps=2, passed=True) for at in range(10)]
    good, bad = fitted(told).rate, fitted([structs.replace(each, passed=False) for each in told]).rate
    assert (good.rate, good.low) == (1.0, pytest.approx(0.025 ** (1 / 20)))
    assert bad.rate == 0.0
    assert (1 - bad.high**2) ** 10 == pytest.approx(0.025)


def test_where_nobody_says_how_long_a_plan_is_nothing_is_said_of_steps() -> None:
    assert per_step([Outcome(scenario="s", passed=True)]) is None
    named = [Outcome(scenario=str(at), factors={"steps": 2}, passed=at > 0) for at in range(9)]
    assert fitted(named).rate.rate == pytest.approx((8 / 9) ** 0.5)


def test_what_a_step_needs_to_be_compounds_to_the_target() -> None:
    assert needed_per_step(0.95, 10) ** 10 == pytest.approx(0.95)
    found = reliability(plans(1, 0.9, n=20), target=0.8, over=(3,))
    assert [(need.steps, need.per_step) for need in found.needs] == [(3, pytest.approx(0.8 ** (1 / 3)))]
    with pytest.raises(ValueError, match="between 0 and 1"):
        needed_per_step(1.5, 3)
