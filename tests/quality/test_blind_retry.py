"""How well blind-retry is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_failure.blind_retry import blind_retry


def test_blind_retry_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(blind_retry)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (12, 4, (), ())
