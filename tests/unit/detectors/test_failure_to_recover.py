"""Errors that could have been mended."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_failure.failure_to_recover import failure_to_recover

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* pay reaches-outside: Pay somebody.\n* list reads: List.\n"
SORRY = "agent: I am sorry, that did not work."


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[failure_to_recover])]


@pytest.mark.parametrize(
    "said",
    [
        "the server is busy",
        "timeout",
        "a must be one of 2, 3",
        "Unknown. Did you mean A-1?",
        "id is missing",
    ],
)
def test_to_give_up_on_what_may_pass_or_says_what_is_wanted_is_found(read: Read, said: str) -> None:
    assert places(read(f'{TOOLS}user: Go.\nlook(a=1) !! "{said}"\n{SORRY}')) == [(3, 2)]


@pytest.mark.parametrize("said", ["there is no thing 1", "not allowed", "it is closed for good"])
def test_to_say_so_is_right_where_nothing_can_be_done(read: Read, said: str) -> None:
    assert places(read(f'{TOOLS}user: Go.\nlook(a=1) !! "{said}"\n{SORRY}')) == []


def test_a_payment_that_may_have_happened_is_better_left(read: Read) -> None:
    assert places(read(f'{TOOLS}user: Go.\npay(a=1) !! "timeout"\n{SORRY}')) == []
    assert places(read(f'{TOOLS}user: Go.\npay(a=1) !! "too many requests"\n{SORRY}')) == [(3, 2)]


def test_another_try_another_way_a_question_or_a_promise_is_enough(read: Read) -> None:
    busy = 'user: Go.\nlook(a=1) !! "the server is busy"\n'
    assert places(read(f'{TOOLS}{busy}look(a=1) !! "the server is busy"\n{SORRY}')) == []
    assert places(read(f"{TOOLS}{busy}list(a=1) -> []\n{SORRY}")) == []
    assert places(read(f"{TOOLS}{busy}agent: That did not work. Do you know another number?")) == []
    assert places(read(f"{TOOLS}{busy}agent: That did not work, I will try again later.")) == []


def test_an_agent_that_breaks_down_over_an_error_has_not_recovered(read: Read) -> None:
    broke = f'{TOOLS}user: Go.\nlook(a=1) !! "the server is busy"'
    assert places(read(broke, end="agent-raised")) == [(2,)]
    assert places(read(broke)) == []
