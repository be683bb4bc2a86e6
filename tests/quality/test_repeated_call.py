"""How well repeated-call is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.loops.repeated_call import repeated_call


def test_repeated_call_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(repeated_call)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (21, 10, (), ())
