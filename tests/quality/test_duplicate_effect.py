"""How well duplicate-effect is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_misuse.duplicate_effect import duplicate_effect


def test_duplicate_effect_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(duplicate_effect)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (24, 11, (), ())
