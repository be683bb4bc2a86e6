"""Calls of what is not on offer."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.hallucination.unknown_tool import unknown_tool

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[unknown_tool])]


def test_every_call_of_a_tool_that_is_not_there_is_named(read: Read) -> None:
    assert places(read(TOOLS + 'fly(a=1) !! "no"\nlook(a=1) -> 1\nfly(a=2) !! "no"')) == [(0, 4)]


def test_a_tool_that_answers_is_there_whatever_the_list_says(read: Read) -> None:
    assert places(read(TOOLS + 'fly(a=1) -> "flying"\nfly(a=2) !! "too far"')) == []


@pytest.mark.parametrize(
    "said",
    [
        "Unknown tool: fly",
        "There is no tool 'fly'.",
        "Tool fly not found",
        "fly is not a valid tool",
        "invalid function",
    ],
)
def test_where_no_tools_are_known_the_answer_decides(read: Read, said: str) -> None:
    assert places(read(f'fly(a=1) !! "{said}"')) == [(0,)]


@pytest.mark.parametrize("said", ["not found", "no such record", "the function is not defined in a.py", "unknown city"])
def test_other_things_may_be_missing_than_tools(read: Read, said: str) -> None:
    assert places(read(f'{TOOLS}look(a=1) !! "{said}"')) == []


def test_what_has_vanished_may_be_called_once_in_good_faith(read: Read) -> None:
    gone = 'look(a=1) !! "There is no tool look."\n'
    assert places(read(TOOLS + gone)) == []
    assert places(read(TOOLS + gone * 2)) == [(2,)]
