"""How well ignored-tool-error is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_failure.ignored_tool_error import ignored_tool_error


def test_ignored_tool_error_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(ignored_tool_error)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (26, 12, (), ())
