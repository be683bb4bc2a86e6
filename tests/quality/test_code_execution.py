"""How well code-execution is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.code_execution import code_execution


def test_code_execution_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(code_execution)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (12, 5, (), ())
