"""What agents tell and nothing gave."""

from collections.abc import Callable

import pytest

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.policy import Policy
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.hallucination.fabricated_result import fabricated_result

Read = Callable[..., Trace]
TOOLS = "* show_total reads: Show a total.\n"
GAVE = """user: What is it?
show_total(a="x") -> {"id": "RX-1001", "total": 12.5, "on": "2025-03-04", "parts": [3.25, 9.25]}
"""


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[fabricated_result])]


@pytest.mark.parametrize("said", ["RX-1002 is it.", "It comes to 99.17 EUR.", "The total is $1,234.99."])
def test_a_value_that_nothing_gave_is_found(read: Read, said: str) -> None:
    assert places(read(f"{TOOLS}{GAVE}agent: {said}")) == [(3,)]


@pytest.mark.parametrize(
    "said",
    [
        "It is RX-1001.",
        "The total is 12.50 EUR.",
        "Twice that is 25.00 EUR.",
        "With 10.00 off it is 2.50 EUR.",
        "It was on 4 March 2025.",
        "Is it RX-1002?",
        "Codes look like RX-1002, for example.",
        "It would be about 99.17 EUR.",
        "GPT-4000 is something else.",
    ],
)
def test_what_was_given_worked_out_asked_or_only_an_example_is_not(read: Read, said: str) -> None:
    assert places(read(f"{TOOLS}{GAVE}agent: {said}")) == []


def test_after_a_look_in_vain_any_figure_is_made_up(read: Read) -> None:
    vain = f'{TOOLS}user: What is it?\nshow_total(a="x") !! "timeout"\n'
    assert places(read(f"{vain}agent: It is 345.")) == [(3, 2)]
    assert places(read(f"{vain}agent: I could not look it up; it was 345 once.")) == []
    assert places(read(f"{vain}agent: I have nothing for you.")) == []


def test_without_any_look_only_what_a_tool_is_there_for_counts(read: Read) -> None:
    assert places(read(f"{TOOLS}user: What is my total?\nagent: Your total is 345.")) == [(1,)]
    assert places(read(f"{TOOLS}user: How high is that hill?\nagent: It is 345 metres high.")) == []
    assert (
        places(read(f"{TOOLS}user: What is my total?\nagent: Your total is 345.", policy=Policy("345 is usual."))) == []
    )


def test_an_answer_that_the_agent_writes_itself_is_found(read: Read) -> None:
    text = "Action: search\\nObservation: 14 results were found"
    assert places(read(f"user: Go.\nagent: {text}")) == [(1,)]
    assert places(read(f'user: Go.\nagent: {text}\nsearch(a="x") -> "14 results were found"')) == []
    assert places(read("user: Go.\nagent: Observation: the sky is blue today.")) == []


def test_a_result_that_the_agent_says_it_makes_up_is_found() -> None:
    thought = Thought(actor="agent", text="I will now simulate that the search returned these results.")
    assert places(Trace(id="t", events=(thought,))) == [(0,)]
    proposal = Thought(actor="agent", text="We could simulate search results if nothing else works.")
    assert places(Trace(id="t", events=(proposal,))) == []


def test_a_final_answer_from_nowhere_is_found() -> None:
    events = (
        Message(actor="user", role="user", text="How many live there?"),
        ToolCall(actor="agent", call_id="1", tool="finish", arguments={"answer": "56012"}),
        ToolResult(actor="finish", call_id="1", content=None),
        Message(actor="agent", role="agent", text="56012"),
    )
    assert places(Trace(id="t", events=events)) == [(1,)]
    known = Message(actor="user", role="user", text="Is it 56012?")
    assert places(Trace(id="t", events=(known, *events[1:]))) == []


def test_agents_among_themselves_may_know_more_than_the_trace() -> None:
    look = ToolCall(actor="a", call_id="1", tool="look")
    gave = ToolResult(actor="look", call_id="1", content={"id": "RX-1001"})
    said = Message(actor="a", role="agent", text="RX-1002 is the one.")
    assert places(Trace(id="t", events=(look, gave, said))) == [(2,)]
    passed = Handoff(actor="b", to="a", text="Go on.")
    assert places(Trace(id="t", events=(passed, look, gave, said))) == []
