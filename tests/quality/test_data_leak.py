"""How well data-leak is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.data_leak import data_leak


def test_data_leak_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(data_leak)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (23, 11, (), ())
