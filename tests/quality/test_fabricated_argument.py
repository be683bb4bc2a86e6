"""How well fabricated-argument is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.hallucination.fabricated_argument import fabricated_argument


def test_fabricated_argument_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(fabricated_argument)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (28, 12, (), ())
