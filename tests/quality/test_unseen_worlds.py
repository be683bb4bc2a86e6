"""Modes told apart in three more corpora, of worlds and wordings that no rule was written for.

Each was written when the rules stood, and run once before any of them was touched again. The first run of the second
corpus, 49 conversations with 30 labels: 27 found (2 of 9 dropped constraints and 1 of 4 false successes were missed),
and no finding on the 19 that show nothing; four further findings had no label, were right on a second look and have
one now. Of the third, 34 conversations with 20 labels: 15 found (3 of 11 dropped constraints and 2 of 5 hijacked goals
were missed), and 2 false alarms on the 14 that show nothing. Of the fourth, 28 conversations with 13 labels: 10 found
(2 of 3 dropped constraints and 1 of 2 acts without asking were missed), and 1 false alarm on the 15 that show nothing.
"""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors import detectors

SHOWN = {
    "second_mixed": {
        "acted-without-asking": 5,
        "destructive-action": 4,
        "dropped-constraint": 9,
        "duplicate-effect": 1,
        "fabricated-argument": 3,
        "false-success": 4,
        "goal-hijack": 4,
        "ignored-tool-error": 4,
    },
    "third_mixed": {
        "acted-without-asking": 2,
        "destructive-action": 2,
        "dropped-constraint": 11,
        "goal-hijack": 5,
    },
    "fourth_mixed": {
        "acted-without-asking": 2,
        "destructive-action": 2,
        "dropped-constraint": 3,
        "false-success": 2,
        "goal-hijack": 3,
        "ignored-tool-error": 2,
    },
}
SIZES = {"second_mixed": 49, "third_mixed": 34, "fourth_mixed": 28}


@pytest.mark.parametrize("corpus", SIZES)
@pytest.mark.parametrize(
    "detector", [each for each in detectors() if each.needs == "trace"], ids=lambda detector: detector.mode
)
def test_each_mode_is_told_from_all_the_others(score: Callable[..., Any], detector: Detector, corpus: str) -> None:
    measured = score(detector, corpus=corpus)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (SIZES[corpus], SHOWN[corpus].get(detector.mode, 0))
