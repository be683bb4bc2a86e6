"""How well rogue-action is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.rogue_action import rogue_action


def test_rogue_action_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(rogue_action)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (16, 7, (), ())
