"""How well poisoned-tool is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.poisoned_tool import poisoned_tool


def test_poisoned_tool_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(poisoned_tool)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (13, 6, (), ())
