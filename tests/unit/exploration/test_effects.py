"""Effects: known changes are found again, nothing is claimed of what was not seen, and no width is too small."""

import random
from collections.abc import Callable, Mapping

import pytest

from misstep.core.scenario import Scalar
from misstep.exploration.effects import Effects, Term, effects
from misstep.exploration.outcome import Outcome

Row = Mapping[str, Scalar]
SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4),
    "correction": ("no", "yes"),
    "noise": ("none", "typos", "heavy"),
    "voice": ("plain", "terse"),
}


def trials(seed: int, rate: Callable[[Row], float], *, n: int = 400, tasks: int = 80) -> list[Outcome]:
    drawn = random.Random(seed)
    made: list[Outcome] = []
    for at in range(n):
        row = {name: drawn.choice(levels) for name, levels in SPACE.items()}
        passed = drawn.random() < rate(row)
        made.append(Outcome(scenario=f"s{at}", task=f"t{drawn.randrange(tasks)}", factors=row, passed=passed))
    return made


def term(found: Effects, factor: str, level: Scalar | None = None) -> Term:
    return next(each for each in found.terms if each.factor == factor and level in (None, each.level))


def test_a_slope_and_a_step_are_found_and_nothing_else_is_claimed() -> None:
    told = trials(1, lambda row: 0.95 - 0.1 * (int(row["goals"]) - 1) - 0.25 * (row["correction"] == "yes"), n=800)
    found = effects(told)
    goals, correction = term(found, "goals"), term(found, "correction")
    assert goals.straight
    assert (goals.against, goals.level) == (1, 4)
    assert goals.low < -0.3 < goals.high < 0
    assert goals.per_unit == pytest.approx(goals.change / 3)
    assert correction.low < -0.25 < correction.high < 0
    assert {each.factor for each in found.terms if each.p <= 0.05} == {"goals", "correction"}


def test_a_pair_that_fails_together_is_the_strongest_interaction() -> None:
    told = trials(2, lambda row: 0.2 if row["goals"] == 3 and row["correction"] == "yes" else 0.9, n=800)
    first = effects(told, baselines={"goals": 1}).interactions[0]
    assert first.levels == {"correction": "yes", "goals": 3}
    assert first.p < 0.001
    assert first.low < -0.7 < first.high < -0.3


def test_nothing_together_is_claimed_where_factors_add_up() -> None:
    claimed = 0
    for seed in range(20):
        found = effects(trials(seed, lambda row: 0.9 - 0.1 * int(row["goals"])))
        claimed += any(each.p <= 0.05 for each in found.interactions)
    assert claimed <= 2


def test_a_level_is_held_against_the_baseline_that_is_given() -> None:
    told = trials(3, lambda row: 0.5 if row["noise"] == "none" else 0.9)
    levels = {each.level for each in effects(told, ["noise"], baselines={"noise": "none"}).terms}
    assert levels == {"typos", "heavy"}


def test_factors_that_always_come_together_are_not_told_apart() -> None:
    told = [
        Outcome(scenario=str(at), factors={"one": at % 2, "other": "yes" if at % 2 else "no"}, passed=at % 3 > 0)
        for at in range(60)
    ]
    found = effects(told)
    assert [each.factor for each in found.terms] == ["one"]
    assert "cannot be told apart" in found.dropped["other=yes"]


def test_what_cannot_be_used_is_left_out_with_the_reason() -> None:
    told = [
        Outcome(scenario=str(at), factors={"same": 1, "name": f"n{at}", "x": at % 2, "difficulty": at % 2}, passed=True)
        for at in range(40)
    ]
    told.append(Outcome(scenario="partial", factors={"same": 1, "name": "n", "x": 0, "rare": True}, passed=True))
    found = effects(told)
    assert "same level" in found.dropped["same"]
    assert "41 levels" in found.dropped["name"]
    assert "1 of 41 trials" in found.dropped["rare"]
    assert [each.factor for each in found.terms] == ["x"]


def test_where_everything_passed_no_effect_is_known_to_be_nothing() -> None:
    found = effects([Outcome(scenario=str(at), factors={"x": at % 2}, passed=True) for at in range(20)])
    only = term(found, "x")
    assert only.change == pytest.approx(0)
    assert only.low < -0.25
    assert only.high > 0.25
    assert only.p == pytest.approx(1)


def test_ten_trials_that_all_failed_are_not_sure_beyond_their_number() -> None:
    told = [Outcome(scenario=str(at), factors={"x": at < 4}, passed=at >= 4) for at in range(100)]
    only = term(effects(told), "x")
    assert only.change == pytest.approx(-1)
    assert only.high > -0.5


def test_a_level_of_one_task_only_is_not_judged() -> None:
    told = [Outcome(scenario=str(at), task=f"t{at // 4}", factors={"x": at < 4}, passed=at % 3 > 0) for at in range(80)]
    found = effects(told)
    assert found.terms == ()
    assert "one task" in found.dropped["x=True"]


def test_trials_that_resemble_each_other_make_the_interval_wider() -> None:
    drawn = random.Random(5)
    apart, alike = list[Outcome](), list[Outcome]()
    for task in range(30):
        ways = [drawn.random() < 0.7 for _ in range(8)]
        for at, way in enumerate(ways):
            row: dict[str, Scalar] = {"x": task % 2}
            apart.append(Outcome(scenario=f"{task}-{at}", task=f"t{task}", factors=row, passed=way))
            alike.append(Outcome(scenario=f"{task}-{at}", task=f"t{task}", factors=row, passed=ways[0]))
    narrow, wide = term(effects(apart), "x"), term(effects(alike), "x")
    assert wide.high - wide.low > 1.8 * (narrow.high - narrow.low)


def test_no_outcomes_give_no_effects_and_no_crash() -> None:
    assert effects([]).terms == ()
    assert effects([Outcome(scenario="s", factors={"x": 1}, passed=None)]).invalid == 1


def test_the_order_of_trials_changes_nothing_that_matters() -> None:
    told = trials(7, lambda row: 0.8 - 0.1 * (row["noise"] == "heavy"), n=200)
    one, other = effects(told), effects(told[::-1])
    assert [each.factor for each in one.terms] == [each.factor for each in other.terms]
    assert [each.change for each in one.terms] == pytest.approx([each.change for each in other.terms])
    assert [each.p for each in one.terms] == pytest.approx([each.p for each in other.terms])
