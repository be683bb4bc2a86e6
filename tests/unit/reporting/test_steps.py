from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.reporting.steps import NOWHERE, REPLY, START, step_at, transition

TRACE = Trace(
    id="t",
    events=(
        Message(actor="user", role="user", text="hi"),
        ToolCall(actor="agent", call_id="1", tool="look"),
        ToolResult(actor="look", call_id="1", content={}),
        ToolCall(actor="agent", call_id="2", tool="write"),
        ToolResult(actor="write", call_id="2", is_error=True),
    ),
)


def test_a_result_belongs_to_the_step_of_its_call():
    assert [step_at(TRACE, at) for at in range(5)] == [REPLY, "look", "look", "write", "write"]


def test_a_place_that_is_not_in_the_trace_is_no_step():
    assert step_at(TRACE, 99) == NOWHERE


def test_a_call_that_is_itself_guilty_is_not_the_last_good_step(make_finding):
    assert transition(TRACE, [make_finding("x", 2)]) == (START, "look")
    assert transition(TRACE, [make_finding("x", 4)]) == ("look", "write")


def test_an_attributed_cause_goes_before_the_first_event(make_finding):
    assert transition(TRACE, [make_finding("x", 4, cause=1)]) == (START, "look")
