"""How well unknown-tool is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.hallucination.unknown_tool import unknown_tool


def test_unknown_tool_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(unknown_tool)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (9, 4, (), ())
