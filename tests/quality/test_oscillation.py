"""How well oscillation is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.loops.oscillation import oscillation


def test_oscillation_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(oscillation)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (11, 5, (), ())
