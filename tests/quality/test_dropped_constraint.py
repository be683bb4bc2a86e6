"""How well dropped-constraint is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.drift.dropped_constraint import dropped_constraint


def test_dropped_constraint_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(dropped_constraint)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (35, 16)
