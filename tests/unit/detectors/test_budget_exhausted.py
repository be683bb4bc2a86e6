"""Budgets that ran out."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.loops.budget_exhausted import budget_exhausted

Read = Callable[..., Trace]
TALK = 'user: Go.\nlook(a="x") -> []\n'


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[budget_exhausted])]


@pytest.mark.parametrize("end", ["turns", "calls", "seconds"])
def test_the_last_step_before_the_end_of_a_budget_is_named(read: Read, end: str) -> None:
    assert places(read(TALK, end=end)) == [(1,)]


@pytest.mark.parametrize("end", ["finished", "gave-up", "unknown", "agent-raised"])
def test_other_ends_are_no_spent_budget(read: Read, end: str) -> None:
    assert places(read(TALK, end=end)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Reached max steps.",
        "Maximum number of iterations reached",
        "Recursion limit of 25 reached without hitting a stop condition.",
        "Max time (1500s) reached.",
        "Agent stopped due to iteration limit or time limit.",
        "I have run out of steps.",
    ],
)
def test_what_frameworks_say_at_the_end_is_understood(read: Read, said: str) -> None:
    assert places(read(f"{TALK}agent: {said}")) == [(3,)]


@pytest.mark.parametrize("said", ["Your card has reached its limit.", "It takes at most three steps.", "All in time."])
def test_other_talk_of_limits_is_not_taken_for_it(read: Read, said: str) -> None:
    assert places(read(f"{TALK}agent: {said}")) == []
