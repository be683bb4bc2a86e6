"""How well sycophancy is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.alignment.sycophancy import sycophancy


def test_sycophancy_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(sycophancy)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (12, 5)
