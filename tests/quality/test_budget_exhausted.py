"""How well budget-exhausted is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.loops.budget_exhausted import budget_exhausted


def test_budget_exhausted_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(budget_exhausted)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (11, 5, (), ())
