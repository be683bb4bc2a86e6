"""How well acted-without-asking is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.alignment.acted_without_asking import acted_without_asking


def test_acted_without_asking_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(acted_without_asking)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (35, 14)
