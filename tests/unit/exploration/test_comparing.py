"""Comparisons: pairs are pairs, differences carry what they rest on, and ties stay ties."""

import random

import pytest
from msgspec import structs

from misstep.core.statistics import mcnemar_exact
from misstep.exploration.comparing import compare
from misstep.exploration.outcome import Outcome


def run(passes: dict[str, str], *, modes: tuple[str, ...] = ()) -> list[Outcome]:
    """`+` passes, `-` fails, `?` is invalid: a sign a trial."""
    return [
        Outcome(scenario=name, trial=at, passed={"+": True, "-": False, "?": None}[sign], modes=modes)
        for name, signs in passes.items()
        for at, sign in enumerate(signs, 1)
    ]


def test_trials_are_paired_and_what_has_no_partner_is_counted() -> None:
    found = compare(run({"a": "++-", "b": "+", "only": "+"}), run({"a": "+-?", "b": "+-"}))
    assert (found.pairs, found.invalid, found.unpaired) == (3, 1, 2)
    assert (found.both, found.only_a, found.only_b, found.neither) == (2, 1, 0, 0)


def test_mcnemars_test_is_the_exact_one_over_pairs() -> None:
    a = run({f"s{at}": "+" if at < 12 else "-" for at in range(20)})
    b = run({f"s{at}": "+" if at >= 10 else "-" for at in range(20)})
    found = compare(a, b)
    assert found.p == mcnemar_exact(10, 8) == found.p_by_task
    assert found.better is None


def test_the_scenarios_that_only_one_breaks_are_named() -> None:
    found = compare(run({"x": "++", "y": "++", "z": "-+"}), run({"x": "--", "y": "+-", "z": "++"}))
    assert [(each.scenario, each.a, each.b) for each in found.broken_by_b] == [("x", 2, 0), ("y", 2, 1)]
    assert [each.scenario for each in found.broken_by_a] == ["z"]


def test_modes_appear_and_vanish_with_their_counts() -> None:
    signs = {f"s{at}": "-" for at in range(12)}
    found = compare(run(signs, modes=("old", "both")), run(signs, modes=("both", "new")))
    assert {(each.mode, each.how, each.a, each.b) for each in found.modes} == {
        ("old", "vanishes", 12, 0),
        ("new", "appears", 0, 12),
        ("both", "stays", 12, 12),
    }
    assert next(each for each in found.modes if each.mode == "new").p == pytest.approx(3 * mcnemar_exact(0, 12))


def test_two_runs_alike_are_not_known_to_be_the_same() -> None:
    same = run({f"s{at}": "+" for at in range(30)})
    found = compare(same, same)
    assert found.difference.change == 0
    assert found.difference.low < -0.1
    assert found.difference.high > 0.1
    assert found.better is None


def test_one_task_run_many_times_does_not_make_a_winner() -> None:
    other = {f"s{at}": "++++" for at in range(3)}
    found = compare(run({"x": "+" * 40, **other}), run({"x": "-" * 40, **other}))
    assert found.p < 1e-9
    assert found.p_by_task == 1.0
    assert found.better is None


def test_no_pairs_say_nothing_and_do_not_crash() -> None:
    found = compare([], run({"x": "+"}))
    assert (found.pairs, found.unpaired, found.better) == (0, 1, None)
    assert (found.difference.low, found.difference.high) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("a_rate", "b_rate", "tasks", "trials"), [(0.8, 0.8, 40, 3), (0.9, 0.7, 25, 4), (0.98, 0.97, 60, 1)]
)
def test_the_difference_lies_in_its_interval_as_often_as_promised(
    a_rate: float, b_rate: float, tasks: int, trials: int
) -> None:
    held = 0
    for seed in range(150):
        drawn = random.Random(seed)
        a = [
            Outcome(scenario=f"s{task}", trial=trial, passed=drawn.random() < a_rate)
            for task in range(tasks)
            for trial in range(trials)
        ]
        b = [structs.replace(each, passed=drawn.random() < b_rate) for each in a]
        difference = compare(a, b).difference
        held += difference.low <= b_rate - a_rate <= difference.high
    assert held >= 0.93 * 150


def test_a_better_agent_is_called_better() -> None:
    drawn = random.Random(3)
    a = [Outcome(scenario=f"s{at}", passed=drawn.random() < 0.6) for at in range(120)]
    b = [structs.replace(each, passed=each.passed or drawn.random() < 0.6) for each in a]
    assert compare(a, b).better == "b"
    assert compare(b, a).better == "a"
