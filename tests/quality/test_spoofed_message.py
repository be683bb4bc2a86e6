"""How well spoofed-message is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.several_agents.spoofed_message import spoofed_message


def test_spoofed_message_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(spoofed_message)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (9, 4, (), ())
