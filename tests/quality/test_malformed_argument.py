"""How well malformed-argument is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_misuse.malformed_argument import malformed_argument


def test_malformed_argument_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(malformed_argument)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (9, 4, (), ())
