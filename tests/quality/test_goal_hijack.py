"""How well goal-hijack is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.goal_hijack import goal_hijack


def test_goal_hijack_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(goal_hijack)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (36, 18, (), ())
