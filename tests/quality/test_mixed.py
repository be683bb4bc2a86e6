"""Modes told apart in one corpus of worlds and wordings that no rule was written for.

It was written after the rules and run once before any of them was touched. That first run, of 40 conversations: 9 of 9
false successes and 1 false alarm; 5 of 5 acts without asking and 2 more that were dropped constraints; 3 of 3
destructive actions and 1 more that was a dropped constraint; 4 of 6 dropped constraints and no false alarm.
"""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors.alignment.acted_without_asking import acted_without_asking
from misstep.detectors.drift.dropped_constraint import dropped_constraint
from misstep.detectors.hallucination.false_success import false_success
from misstep.detectors.security.destructive_action import destructive_action


@pytest.mark.parametrize(
    ("detector", "right"),
    [(false_success, 9), (acted_without_asking, 5), (destructive_action, 3), (dropped_constraint, 6)],
    ids=lambda each: each.mode if isinstance(each, Detector) else str(each),
)
def test_each_mode_is_told_from_the_others(score: Callable[..., Any], detector: Detector, right: int) -> None:
    measured = score(detector, corpus="mixed")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (40, right)
