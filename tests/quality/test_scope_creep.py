"""How well scope-creep is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.alignment.scope_creep import scope_creep


def test_scope_creep_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(scope_creep)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (13, 4)
