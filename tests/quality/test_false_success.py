"""How well false-success is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.hallucination.false_success import false_success


def test_false_success_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(false_success)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (39, 18)
