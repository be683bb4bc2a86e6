"""How well silent-tool-failure is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_failure.silent_tool_failure import silent_tool_failure


def test_silent_tool_failure_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(silent_tool_failure)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (11, 4, (), ())
