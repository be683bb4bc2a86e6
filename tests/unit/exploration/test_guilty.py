"""Guilty combinations: planted causes are named, chance is not, and what cannot be told apart is said so."""

import random
from collections.abc import Mapping

import pytest

from misstep.core.scenario import Scalar
from misstep.exploration.guilty import guilty
from misstep.exploration.outcome import Outcome

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4),
    "correction": ("no", "yes"),
    "noise": ("none", "typos", "heavy"),
    "fault": ("none", "error", "timeout"),
    "pressure": (0, 1, 2),
    "voice": ("plain", "terse", "chatty"),
}
SINGLE = {"fault": "timeout"}
PAIR = {"goals": 3, "correction": "yes"}
TRIPLE = {"goals": 3, "correction": "yes", "noise": "heavy"}


def trials(
    seed: int, cause: Mapping[str, Scalar], *, n: int = 300, inside: float = 1.0, noise: float = 0.0
) -> list[Outcome]:
    drawn = random.Random(seed)
    made: list[Outcome] = []
    for at in range(n):
        row = {name: drawn.choice(levels) for name, levels in SPACE.items()}
        struck = bool(cause) and all(row[name] == level for name, level in cause.items())
        passed = drawn.random() >= (inside if struck else noise)
        made.append(Outcome(scenario=f"s{at}", factors=row, passed=passed))
    return made


@pytest.mark.parametrize("cause", [SINGLE, PAIR, TRIPLE], ids=["single", "pair", "triple"])
@pytest.mark.parametrize(("inside", "noise"), [(1.0, 0.0), (0.9, 0.03)])
def test_a_planted_cause_is_named_as_that_combination(cause: dict[str, Scalar], inside: float, noise: float) -> None:
    named = [guilty(trials(seed, cause, inside=inside, noise=noise)).causes for seed in range(8)]
    assert sum(bool(causes) and causes[0].levels == cause for causes in named) >= 7


def test_three_goals_that_meet_a_correction_are_the_cause_and_explain_everything() -> None:
    found = guilty(trials(1, PAIR))
    assert [cause.levels for cause in found.causes] == [PAIR]
    assert (found.causes[0].failing.rate, found.causes[0].elsewhere.rate) == (1.0, 0.0)
    assert (found.causes[0].as_good, found.unexplained, found.suspect) == ((), 0, None)
    assert found.failures == found.causes[0].failing.n


def test_two_causes_are_found_one_after_the_other() -> None:
    told = [
        Outcome(scenario=one.scenario, factors=one.factors, passed=one.passed and one.factors["fault"] != "timeout")
        for one in trials(2, PAIR)
    ]
    assert [cause.levels for cause in guilty(told).causes] == [SINGLE, PAIR]


@pytest.mark.parametrize("noise", [0.02, 0.1, 0.5])
def test_failures_by_chance_have_no_cause(noise: float) -> None:
    accused = [guilty(trials(seed, {}, noise=noise)) for seed in range(20)]
    assert sum(bool(found.causes) for found in accused) <= 2
    assert all(found.because for found in accused if not found.causes)


def test_two_failures_are_too_few_and_leave_only_a_suspect() -> None:
    told = trials(3, {}, n=40)
    told += [Outcome(scenario=f"x{at}", factors={**told[at].factors, **PAIR}, passed=False) for at in range(2)]
    found = guilty([one for one in told if not (one.passed and PAIR.items() <= one.factors.items())])
    assert found.causes == ()
    assert found.suspect is not None
    assert "chance" in found.because


def test_levels_that_always_come_together_are_named_as_equals() -> None:
    told = [
        Outcome(scenario=str(at), factors={"one": at % 4, "other": "abcd"[at % 4], "x": at % 3}, passed=at % 4 != 2)
        for at in range(80)
    ]
    cause = guilty(told).causes[0]
    assert cause.levels == {"one": 2}
    assert cause.as_good == ({"other": "c"},)


def test_failures_of_one_task_are_no_proof_against_a_level() -> None:
    told = [
        Outcome(
            scenario=f"s{at}", task="bad" if at < 30 else f"t{at}", factors={"x": at < 30, "y": at % 2}, passed=at >= 30
        )
        for at in range(100)
    ]
    found = guilty(told)
    assert found.causes == ()
    assert found.because


def test_trials_of_one_scenario_again_and_again_are_one_piece_of_evidence() -> None:
    told = [
        Outcome(
            scenario=f"s{at}",
            trial=trial,
            factors={"x": at in (1, 2), "y": at % 3, "z": at % 2},
            passed=at not in (1, 2),
        )
        for at in range(8)
        for trial in range(50)
    ]
    assert guilty(told).causes == ()


def test_no_failures_or_nothing_but_failures_accuse_nobody() -> None:
    rows = trials(4, {})
    assert guilty(rows).because == "no failure is left to explain"
    failed = [Outcome(scenario=one.scenario, factors=one.factors, passed=False) for one in rows]
    assert "every trial failed" in guilty(failed).because
    assert guilty([]).causes == ()


def test_the_order_of_trials_does_not_change_who_is_guilty() -> None:
    told = trials(5, TRIPLE, inside=0.8, noise=0.05)
    assert guilty(told) == guilty(told[::-1])
