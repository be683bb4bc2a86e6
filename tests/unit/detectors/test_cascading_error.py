"""Paths from a bad value."""

from collections.abc import Callable

from misstep.core.event import Handoff, Message, ToolCall, ToolResult
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.cascade.cascading_error import cascading_error

Read = Callable[..., Trace]
CHAIN = """
make(id="QX-771") -> {"order": "OR-901"}
make(id="OR-901") -> {"bill": "BL-333"}
send(id="BL-333") -> "ok"
"""
TOOLS = "* look reads: Look.\n* make writes: Make a thing.\n* send reaches-outside: Send a thing.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[cascading_error])]


def test_the_path_of_an_invention_is_followed_through_what_rests_on_its_answers(read: Read) -> None:
    assert places(read(f"{TOOLS}user: Make me something.\n{CHAIN}")) == [(1, 3, 5)]


def test_values_with_a_source_are_no_cascade(read: Read) -> None:
    assert places(read(f"{TOOLS}user: Make QX-771.\n{CHAIN}")) == []


def test_what_is_refused_goes_no_further(read: Read) -> None:
    tries = 'make(id="QX-771") !! "no such id"\nsend(id="QX-771") !! "no such id"\nlook(id="QX-771") !! "no such id"'
    assert places(read(f"{TOOLS}user: Make me something.\n{tries}")) == []


def test_the_text_of_an_error_that_is_stored_is_followed(read: Read) -> None:
    carried = 'look(a="x") !! "Error: x could not be read"\nmake(name="error: x could not be read") -> {"id": "N-1"}'
    assert places(read(f"{TOOLS}user: Copy x.\n{carried}")) == [(2, 3)]


def test_an_error_that_is_told_in_other_words_is_a_report(read: Read) -> None:
    told = 'look(a="x") !! "Error: x could not be read"\nsend(text="Sorry: x could not be read today.") -> "ok"'
    assert places(read(f"{TOOLS}user: Copy x.\n{told}")) == []


def test_what_one_agent_made_up_and_another_acts_on_is_followed() -> None:
    tools = (Tool("look", "Look.", {}, None, "reads"), Tool("pay", "Pay.", {}, None, "reaches-outside"))
    events = (
        Message(actor="user", role="user", text="Pay the bill."),
        ToolCall(actor="finder", call_id="1", tool="look"),
        ToolResult(actor="look", call_id="1", content={"account": "AC-1001"}),
        Message(actor="finder", role="agent", text="The account is AC-1002.", to="user"),
        Handoff(actor="finder", to="payer", text="Please pay it."),
        ToolCall(actor="payer", call_id="2", tool="pay", arguments={"account": "AC-1002"}),
        ToolResult(actor="pay", call_id="2", content="ok"),
    )
    assert places(Trace(id="t", events=events, tools=tools)) == [(3, 5)]
