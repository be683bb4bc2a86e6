"""How well instruction-not-followed is found on hand-written conversations: precision and recall are both 1."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.form.instruction_not_followed import instruction_not_followed


def test_instruction_not_followed_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(instruction_not_followed)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (25, 12)
