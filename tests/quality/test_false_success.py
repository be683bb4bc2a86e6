"""How well false-success is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.false_success import false_success


def test_false_success_is_told_from_true_reports(score: Callable[..., Any]) -> None:
    measured = score(false_success)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (39, 18, (), ())
