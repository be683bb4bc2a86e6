"""How well fabricated-result is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.hallucination.fabricated_result import fabricated_result


def test_fabricated_result_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(fabricated_result)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (16, 7, (), ())
