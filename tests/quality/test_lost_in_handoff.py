"""How well lost-in-handoff is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.several_agents.lost_in_handoff import lost_in_handoff


def test_lost_in_handoff_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(lost_in_handoff)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (10, 4, (), ())
