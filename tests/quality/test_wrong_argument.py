"""How well wrong-argument is told from its neighbours on hand-written conversations; precision and recall are 1."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_misuse.wrong_argument import wrong_argument


def test_wrong_argument_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(wrong_argument, corpus="needed_calls")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (35, 9)
