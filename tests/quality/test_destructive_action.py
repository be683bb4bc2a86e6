"""How well destructive-action is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.destructive_action import destructive_action


def test_destructive_action_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(destructive_action)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (24, 10)
