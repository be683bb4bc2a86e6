"""Modes told apart in a second corpus, of worlds that occur nowhere else here.

It was written when the rules of version 2 stood, and run once before any of them was touched again. That first run, of
49 conversations with 30 labels: 27 found (2 of 9 dropped constraints and 1 of 4 false successes were missed), and no
finding on the 19 that show nothing. Four further findings had no label and were right on a second look: they have one
now.
"""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors import detectors

SHOWN = {
    "acted-without-asking": 5,
    "destructive-action": 4,
    "dropped-constraint": 9,
    "duplicate-effect": 1,
    "fabricated-argument": 3,
    "false-success": 4,
    "goal-hijack": 4,
    "ignored-tool-error": 4,
}


@pytest.mark.parametrize(
    "detector", [each for each in detectors() if each.needs == "trace"], ids=lambda detector: detector.mode
)
def test_each_mode_is_told_from_all_the_others(score: Callable[..., Any], detector: Detector) -> None:
    measured = score(detector, corpus="second_mixed")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (49, SHOWN.get(detector.mode, 0))
