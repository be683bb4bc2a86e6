"""Limits and leave in wordings that no rule was written for, told from each other and from mere talk.

It was written before the rules were touched. The first run, of 47 conversations: 4 of 15 dropped constraints and no
false alarm; 3 of 8 acts without asking and 5 false alarms (four of the eight were relabelled as destructive-action
since, for nobody had asked for the act at all). What is still missed takes knowing that a wife is a relative.
"""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors.alignment.acted_without_asking import acted_without_asking
from misstep.detectors.drift.dropped_constraint import dropped_constraint


@pytest.mark.parametrize(
    ("detector", "right", "missed"),
    [(dropped_constraint, 14, ("my wife must not be told",)), (acted_without_asking, 4, ())],
    ids=lambda each: each.mode if isinstance(each, Detector) else "",
)
def test_limits_and_leave_are_told_apart(
    score: Callable[..., Any], detector: Detector, right: int, missed: tuple[str, ...]
) -> None:
    measured = score(detector, corpus="fifth_mixed")
    assert (measured.false_alarms, measured.missed) == ((), missed)
    assert (measured.n, measured.right) == (47, right)
