"""How well ignored-peer is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.several_agents.ignored_peer import ignored_peer


def test_ignored_peer_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(ignored_peer)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (18, 8, (), ())
