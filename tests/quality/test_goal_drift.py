"""How well goal-drift is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.drift.goal_drift import goal_drift


def test_goal_drift_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(goal_drift)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (13, 5)
