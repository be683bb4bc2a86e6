"""How well handoff-not-made is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.several_agents.handoff_not_made import handoff_not_made


def test_handoff_not_made_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(handoff_not_made)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (20, 8, (), ())
