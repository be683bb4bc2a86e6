"""How well premature-stop is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.drift.premature_stop import premature_stop


def test_premature_stop_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(premature_stop)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (18, 8)
