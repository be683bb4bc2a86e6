"""A trace pairs calls with results, and shows a detector nothing that it may not know."""

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.tool import Tool
from misstep.core.trace import Origin, Trace, encode_trace


def call(call_id: str, tool: str = "look") -> ToolCall:
    return ToolCall(actor="agent", call_id=call_id, tool=tool)


def result(call_id: str, content: object = None, *, is_error: bool = False) -> ToolResult:
    return ToolResult(actor="look", call_id=call_id, content=content, is_error=is_error)


def pairs(*events: Event) -> list[tuple[int, int | None]]:
    return [(each.at, each.result_at) for each in Trace(id="a", events=events).exchanges]


def test_calls_made_side_by_side_are_paired_by_id() -> None:
    assert pairs(call("a"), call("b"), result("b"), result("a")) == [(0, 3), (1, 2)]


def test_an_id_used_again_is_paired_in_order() -> None:
    assert pairs(call("a"), result("a"), call("a"), result("a")) == [(0, 1), (2, 3)]
    assert pairs(call("a"), call("a"), result("a"), result("a")) == [(0, 2), (1, 3)]


def test_a_result_before_its_call_answers_nothing() -> None:
    assert pairs(result("a"), call("a")) == [(1, None)]
    assert pairs(result("a"), call("a"), result("a")) == [(1, 2)]


def test_a_call_without_a_result_did_not_succeed() -> None:
    [exchange] = Trace(id="a", events=(call("a"),)).exchanges
    assert exchange.result is None
    assert not exchange.succeeded


def test_a_call_succeeded_when_its_result_is_no_error() -> None:
    good, bad = Trace(id="a", events=(call("a"), result("a"), call("b"), result("b", is_error=True))).exchanges
    assert good.succeeded
    assert not bad.succeeded


def test_messages_come_with_their_places() -> None:
    message = Message(actor="user", role="user", text="hello")
    assert Trace(id="a", events=(call("a"), message)).messages == ((1, message),)


def test_tools_are_found_by_name() -> None:
    assert Trace(id="a", tools=(Tool("look"), Tool("leap"))).tool_named["leap"] == Tool("leap")


def test_a_blinded_trace_shows_neither_its_origin_nor_its_faults() -> None:
    faulted = ToolResult(
        actor="look", call_id="c1", content="try later", is_error=True, served_by="faulted", fault="wobble"
    )
    trace = Trace(
        id="secret-scenario/3",
        events=(call("c1"), faulted),
        origin=Origin(scenario="secret-scenario", agent="zoo:culprit", tools="world:nowhere", seed=12345, trial=3),
    )
    text = encode_trace(trace.blinded()).decode()
    for secret in ("secret", "culprit", "nowhere", "12345", "faulted", "wobble"):
        assert secret not in text


def test_a_blinded_trace_keeps_the_conversation() -> None:
    trace = Trace(id="a", events=(call("c1"), result("c1", {"n": 1})), tools=(Tool("look"),), end="finished")
    blinded = trace.blinded()
    assert blinded.events == trace.events
    assert (blinded.tools, blinded.end) == (trace.tools, trace.end)


def test_blinding_leaves_the_trace_itself_alone() -> None:
    trace = Trace(id="a", events=(result("c1"),), origin=Origin(agent="zoo:culprit"))
    before = encode_trace(trace)
    trace.blinded()
    assert encode_trace(trace) == before


def test_pairs_are_not_carried_over_to_a_changed_copy() -> None:
    trace = Trace(id="a", events=(call("c1"), ToolResult(actor="look", call_id="c1", fault="wobble")))
    assert trace.exchanges[0].result is not None
    [blinded] = trace.blinded().exchanges
    assert blinded.result is not None
    assert blinded.result.fault is None


def test_what_a_user_does_with_tools_of_their_own_is_not_heard_and_moves_nothing() -> None:
    own = ToolCall(actor="user", call_id="u1", tool="read_texts")
    shown = ToolResult(actor="read_texts", call_id="u1", content="code 482913")
    told = Message(actor="user", role="user", text="It's 482913.")
    trace = Trace(id="a", events=(call("c1"), result("c1"), own, shown, told, call("c2")))
    for seen in (trace.as_heard(), trace.blinded()):
        assert [each.at for each in seen.exchanges] == [0, 5]
        assert seen.events[4] == told
        assert len(seen.events) == len(trace.events)
    assert b"482913" not in encode_trace(Trace(id="a", events=trace.as_heard().events[:4]))


def test_a_trace_without_tools_of_the_users_is_heard_as_it_is() -> None:
    trace = Trace(id="a", events=(call("c1"), result("c1")))
    assert trace.as_heard() is trace
