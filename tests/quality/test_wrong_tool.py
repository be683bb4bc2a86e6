"""How well wrong-tool is told from its neighbours on hand-written conversations; precision and recall are both 1."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_misuse.wrong_tool import wrong_tool


def test_wrong_tool_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(wrong_tool, corpus="needed_calls")
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (35, 7)
