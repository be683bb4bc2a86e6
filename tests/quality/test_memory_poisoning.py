"""How well memory-poisoning is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.memory_poisoning import memory_poisoning


def test_memory_poisoning_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(memory_poisoning)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (14, 6, (), ())
