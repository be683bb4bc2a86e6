"""How well failure-to-recover is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_failure.failure_to_recover import failure_to_recover


def test_failure_to_recover_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(failure_to_recover)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (10, 4, (), ())
