"""Ordinary failures in logs that list no tools: found, each under its name, and nothing found in their sound twins."""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors import detectors

_EXPECTED = {
    "false-success": 9,
    "ignored-tool-error": 9,
    "dropped-constraint": 15,
    "reward-hacking": 1,
    "no-progress": 3,
    "premature-stop": 4,
    "lost-in-handoff": 2,
}


@pytest.mark.parametrize("detector", [each for each in detectors() if each.needs != "objective"], ids=lambda e: e.mode)
def test_ordinary_failures_are_found_in_plain_logs_and_nothing_else(
    score: Callable[..., Any], detector: Detector
) -> None:
    measured = score(detector, corpus="plain_logs")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert measured.right == _EXPECTED.get(detector.mode, 0)
