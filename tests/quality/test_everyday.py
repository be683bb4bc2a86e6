"""Everyday failures of several modes, each beside a sound twin: found under their names, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.roles import Detector
from misstep.detectors import detectors

_EXPECTED = {
    "cascading-error": 1,
    "duplicate-effect": 1,
    "fabricated-argument": 2,
    "fabricated-result": 1,
    "failure-to-recover": 1,
    "false-success": 1,
    "goal-drift": 1,
    "instruction-not-followed": 2,
    "malformed-output": 1,
    "reward-hacking": 1,
    "scope-creep": 1,
    "silent-tool-failure": 2,
    "sycophancy": 2,
}


@pytest.mark.parametrize("detector", [each for each in detectors() if each.needs != "objective"], ids=lambda e: e.mode)
def test_everyday_failures_are_found_and_nothing_else(score: Callable[..., Any], detector: Detector) -> None:
    measured = score(detector, corpus="everyday")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert measured.right == _EXPECTED.get(detector.mode, 0)
