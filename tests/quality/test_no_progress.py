"""How well no-progress is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.loops.no_progress import no_progress


def test_no_progress_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(no_progress)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (12, 5, (), ())
