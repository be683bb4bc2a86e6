"""Curves: what is counted at each level, and how far the intervals can be trusted."""

import random

import pytest

from misstep.core.scenario import Scalar
from misstep.core.statistics import clopper_pearson
from misstep.exploration.curves import by_user, curve
from misstep.exploration.outcome import Outcome


def outcome(
    at: Scalar, *, passed: bool | None, scenario: str = "s", task: str = "", trial: int = 1, user: str | None = None
) -> Outcome:
    return Outcome(scenario=scenario, task=task, trial=trial, factors={"goals": at}, passed=passed, user=user)


def test_levels_come_in_the_order_of_numbers_and_invalid_trials_are_counted_apart() -> None:
    told = [outcome(10, passed=True, scenario="a"), outcome(2, passed=False, scenario="b")]
    told += [outcome(2, passed=None, scenario="c"), Outcome(scenario="d", passed=True)]
    drawn = curve(told, "goals")
    assert [(point.at, point.passed, point.rate.n, point.invalid) for point in drawn.points] == [
        (2, 0, 1, 1),
        (10, 1, 1, 0),
    ]
    assert (drawn.invalid, drawn.unsaid) == (1, 1)


def test_intervals_share_the_chance_of_error_between_the_levels() -> None:
    told = [outcome(at, passed=number > 2, scenario=f"{at}-{number}") for at in (1, 2) for number in range(20)]
    for point in curve(told, "goals").points:
        assert point.rate == clopper_pearson(17, 20, 0.975)


def test_a_level_where_everything_passed_is_not_sure_to_pass() -> None:
    told = [outcome(1, passed=True, scenario=str(number)) for number in range(10)]
    assert curve(told, "goals").points[0].rate.low == pytest.approx(0.025 ** (1 / 10))


def test_a_level_that_a_single_task_speaks_for_says_next_to_nothing() -> None:
    told = [outcome(1, passed=True, task="one", trial=number) for number in range(1, 40)]
    told += [outcome(2, passed=True, task=f"t{number}", scenario=str(number)) for number in range(40)]
    single, many = curve(told, "goals").points
    assert (single.clusters, many.clusters) == (1, 40)
    assert single.rate.low < 0.02 < 0.8 < many.rate.low


def test_trials_of_one_task_that_go_the_same_way_widen_the_interval() -> None:
    alike = [
        outcome(1, passed=task % 4 > 0, task=f"t{task}", scenario=f"{task}-{trial}", trial=trial)
        for task in range(12)
        for trial in range(10)
    ]
    apart = [outcome(1, passed=each.passed, scenario=str(at)) for at, each in enumerate(alike)]
    wide, narrow = curve(alike, "goals").points[0].rate, curve(apart, "goals").points[0].rate
    assert wide.rate == narrow.rate
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_a_level_without_any_decided_trial_is_shown_with_nothing_known() -> None:
    point = curve([outcome(1, passed=None)], "goals").points[0]
    assert (point.rate.n, point.rate.low, point.rate.high, point.invalid) == (0, 0.0, 1.0, 1)


def test_all_intervals_hold_at_once_as_often_as_they_promise() -> None:
    rates = {1: 0.95, 2: 0.8, 3: 0.6, 4: 0.3}
    held = 0
    for seed in range(120):
        drawn = random.Random(seed)
        lean = {task: drawn.uniform(-0.05, 0.05) for task in range(40)}
        told = [
            outcome(
                at, passed=drawn.random() < rate + lean[task], task=f"t{task}", scenario=f"{task}-{at}", trial=trial
            )
            for task in lean
            for at, rate in rates.items()
            for trial in (1, 2)
        ]
        points = curve(told, "goals").points
        held += all(point.rate.low <= rates[int(point.at)] <= point.rate.high for point in points)
    assert held >= 0.95 * 120


def test_the_rate_with_each_simulated_user_is_a_curve_too() -> None:
    told = [outcome(1, passed=at % 2 == 0, scenario=str(at), user="first" if at < 6 else "second") for at in range(10)]
    assert [(point.at, point.passed, point.rate.n) for point in by_user(told).points] == [
        ("first", 3, 6),
        ("second", 2, 4),
    ]
