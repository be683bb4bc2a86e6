"""How well reward-hacking is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.alignment.reward_hacking import reward_hacking


def test_reward_hacking_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(reward_hacking)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (14, 7)
