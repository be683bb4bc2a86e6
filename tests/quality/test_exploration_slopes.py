"""Planted slopes: agents whose success falls with one factor by a known amount, and with another not at all."""

import random
from collections.abc import Iterator

import pytest

from misstep.core.scenario import Scalar
from misstep.exploration.curves import curve
from misstep.exploration.effects import effects
from misstep.exploration.outcome import Outcome

LEVELS: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4, 5, 6),
    "noise": ("none", "typos", "heavy"),
    "patience": (4, 6, 12),
    "register": ("plain", "formal", "terse", "chatty"),
    "correction": ("no", "yes"),
}
REPETITIONS = 60
TASKS = 40
ALLOWED = REPETITIONS // 20


def run(seed: int, *, best: float, slope: float, trials: int = 2) -> Iterator[Outcome]:
    """Tasks that are a little easier or harder, each in six variants; only the number of goals makes a difference."""
    drawn = random.Random(f"slopes/{best}/{slope}/{seed}")
    lean = [drawn.uniform(-0.04, 0.04) for _ in range(TASKS)]
    middle = sum(lean) / TASKS
    for task, own in enumerate(lean):
        for variant in range(6):
            row = {name: drawn.choice(levels) for name, levels in LEVELS.items()}
            rate = rate_at(int(row["goals"]), best, slope) + own - middle
            for trial in range(1, trials + 1):
                passed = None if drawn.random() < 0.02 else drawn.random() < rate
                yield Outcome(scenario=f"{task}-{variant}", task=f"t{task}", trial=trial, factors=row, passed=passed)


def rate_at(goals: int, best: float, slope: float) -> float:
    return best + slope * (goals - 1)


PLANTED = [(0.95, -0.08), (0.9, -0.03), (0.6, -0.1), (0.96, 0.0)]


def terms(seed: int, best: float, slope: float) -> dict[str, bool]:
    """By factor: does the interval of every term of it hold what was planted?"""
    held: dict[str, bool] = {}
    for each in effects(run(seed, best=best, slope=slope), most=0).terms:
        planted = slope * 5 if each.factor == "goals" else 0.0
        held[each.factor] = held.get(each.factor, True) and each.low <= planted <= each.high
    return held


@pytest.mark.parametrize(("best", "slope"), PLANTED)
def test_the_factor_that_matters_and_one_that_does_not_are_recovered(best: float, slope: float) -> None:
    found = [terms(seed, best, slope) for seed in range(REPETITIONS)]
    assert sum(held["goals"] and held["noise"] for held in found) >= REPETITIONS - ALLOWED
    # All five factors at once: the promise is nineteen in twenty, so that seventeen in twenty is no bad luck any more.
    assert sum(all(held.values()) for held in found) >= REPETITIONS * 17 / 20


@pytest.mark.parametrize(("best", "slope"), PLANTED)
def test_a_planted_curve_lies_in_its_intervals_at_every_level(best: float, slope: float) -> None:
    recovered = 0
    for seed in range(REPETITIONS):
        told = list(run(seed, best=best, slope=slope))
        falling, flat = curve(told, "goals"), curve(told, "noise")
        middle = rate_at(1, best, slope) + slope * 2.5
        recovered += all(
            each.rate.low <= rate_at(int(each.at), best, slope) <= each.rate.high for each in falling.points
        ) and all(each.rate.low <= middle <= each.rate.high for each in flat.points)
    assert recovered >= REPETITIONS - ALLOWED


def test_a_slope_that_matters_is_not_taken_for_chance() -> None:
    proven = 0
    for seed in range(REPETITIONS):
        found = effects(run(seed, best=0.95, slope=-0.08), most=0)
        proven += {each.factor for each in found.terms if each.p <= 0.05} == {"goals"}
    assert proven >= REPETITIONS - ALLOWED
