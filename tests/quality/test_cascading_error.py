"""How well cascading-error is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.cascade.cascading_error import cascading_error


def test_cascading_error_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(cascading_error)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (9, 4, (), ())
