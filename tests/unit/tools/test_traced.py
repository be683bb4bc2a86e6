"""The tape of an agent's calls: what was asked, what came back, and when it had to stop."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from misstep.core.errors import BudgetSpentError, InvalidTrialError, UnknownToolError
from misstep.core.event import ToolCall, ToolResult
from misstep.core.objective import Limits
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.tools.traced import Traced


class Scripted:
    """Answers with what it is given, in any order of finishing."""

    def __init__(self, answer: object = None, *, waits: Mapping[str, int] | None = None) -> None:
        self.answer = answer
        self.waits = waits or {}

    async def tools(self) -> Sequence[Tool]:
        return [Tool("echo", input_schema={"type": "object"})]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if isinstance(self.answer, Exception):
            raise self.answer
        for _ in range(self.waits.get(str(arguments.get("who")), 0)):
            await asyncio.sleep(0)
        return Answer(self.answer if self.answer is not None else dict(arguments), took_s=2.0)


def traced(box: Any, **limits: float) -> tuple[Traced, Tape]:
    tape = Tape()
    return Traced(box, tape, limits=Limits(**limits)), tape  # pyright: ignore[reportArgumentType]


def test_a_call_is_written_before_and_its_result_after_with_the_time_it_took(till: Any) -> None:
    box, tape = traced(till)
    answer = asyncio.run(box.call("add_sale", {"amount": 3}))

    assert answer.content == {"id": "s1", "amount": 3}
    assert list(tape.view) == [
        ToolCall(actor="agent", call_id="c1", tool="add_sale", arguments={"amount": 3}),
        ToolResult(actor="add_sale", at_s=1.0, call_id="c1", content=answer.content, served_by="simulated"),
    ]


def test_an_agent_that_changes_what_it_gave_or_got_changes_nothing_on_the_tape() -> None:
    box, tape = traced(Scripted())

    async def agent() -> None:
        given: dict[str, JSON] = {"list": [1]}
        answer = await box.call("echo", given)
        given["list"].append(2)  # pyright: ignore
        answer.content["list"].append(3)  # pyright: ignore

    asyncio.run(agent())
    call, result = tape.view
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert call.arguments == result.content == {"list": [1]}


def test_an_agent_that_edits_a_schema_does_not_edit_the_toolbox(till: Any) -> None:
    box, _ = traced(till)
    asyncio.run(box.tools())[0].input_schema.clear()
    assert asyncio.run(till.tools())[0].input_schema


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        ('{"amount": 1}', '{"amount": 1}'),
        (None, "null"),
        ({"who": {"b", "a"}}, '{"who": <set>}'),
        ({"who": object()}, '{"who": <object>}'),
        ({"who": float("nan")}, '{"who": nan}'),
        ({"who": "\ud800"}, '{"who": "\\ud800"}'),
    ],
)
def test_arguments_that_are_no_json_object_are_recorded_as_malformed_and_refused(arguments: Any, written: str) -> None:
    box, tape = traced(Scripted())
    answer = asyncio.run(box.call("echo", arguments))

    call, result = tape.view
    assert answer.is_error
    assert isinstance(call, ToolCall)
    assert (call.arguments, call.malformed) == ({}, written)
    assert isinstance(result, ToolResult)
    assert result.is_error
    trace = Trace(id="t", events=tape.frozen())
    assert decode_trace(encode_trace(trace)) == trace


def test_a_call_of_an_unknown_tool_is_on_the_tape_and_answered() -> None:
    box, tape = traced(Scripted(UnknownToolError("ecko", ["echo"])))
    answer = asyncio.run(box.call("ecko", {}))

    assert answer.is_error
    assert answer.content == "There is no tool 'ecko'. Did you mean 'echo'?"
    assert [type(event) for event in tape.view] == [ToolCall, ToolResult]


@pytest.mark.parametrize(("limits", "what"), [({"calls": 2}, "calls"), ({"seconds": 4}, "seconds")])
def test_a_spent_budget_stops_every_later_call_and_leaves_no_event(limits: dict[str, float], what: str) -> None:
    box, tape = traced(Scripted(), **limits)

    for _ in range(2):
        asyncio.run(box.call("echo", {}))
    for _ in range(2):
        with pytest.raises(BudgetSpentError) as raised:
            asyncio.run(box.call("echo", {}))
        assert raised.value.what == what
    assert len(tape.view) == 4
    assert isinstance(box.stopped, BudgetSpentError)


def test_calls_made_side_by_side_keep_their_own_results_and_share_the_time() -> None:
    box, tape = traced(Scripted(waits={"a": 5, "b": 1, "c": 3}))

    async def agent() -> list[Answer]:
        return await asyncio.gather(*(box.call("echo", {"who": who}) for who in "abc"))

    answers = asyncio.run(agent())
    exchanges = Trace(id="t", events=tape.frozen()).exchanges
    assert [answer.content for answer in answers] == [{"who": who} for who in "abc"]
    assert [each.result.content for each in exchanges if each.result] == [each.call.arguments for each in exchanges]
    assert [event.call_id for event in tape.view if isinstance(event, ToolResult)] == ["c2", "c3", "c1"]
    assert tape.clock.now_s == 2.0


@pytest.mark.parametrize(
    ("raised", "blame"),
    [(InvalidTrialError("tool-simulator", "cannot"), "tool-simulator"), (KeyError("x"), "tool"), (object(), "tool")],
)
def test_a_toolbox_that_breaks_makes_the_trial_invalid_even_where_the_agent_swallows_it(
    raised: object, blame: str
) -> None:
    box, tape = traced(Scripted(raised))
    for _ in range(2):
        with pytest.raises(InvalidTrialError) as error:
            asyncio.run(box.call("echo", {}))
        assert error.value.blame == blame
    assert isinstance(box.stopped, InvalidTrialError)
    assert [type(event) for event in tape.view] == [ToolCall]


class Giving:
    """Answers with whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    async def tools(self) -> Sequence[Tool]:
        return (Tool("echo"),)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return self._answer


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"content": 1},
        Answer("late", took_s=float("nan")),
        Answer("late", took_s=float("inf")),
        Answer("late", took_s="1"),  # pyright: ignore[reportArgumentType]
        Answer("odd", is_error="no"),  # pyright: ignore[reportArgumentType]
        Answer("odd", served_by="me"),  # pyright: ignore[reportArgumentType]
        Answer("odd", fault=5),  # pyright: ignore[reportArgumentType]
        Answer(10**400),
        Answer("\ud800"),
    ],
    ids=range(10),
)
def test_an_answer_that_is_none_is_the_tools_fault(answer: Any) -> None:
    box, _ = traced(Giving(answer))
    with pytest.raises(InvalidTrialError) as raised:
        asyncio.run(box.call("echo", {}))
    assert raised.value.blame == "tool"


def test_a_list_of_tools_that_is_none_is_the_tools_fault() -> None:
    class Listing(Giving):
        async def tools(self) -> Any:
            return [Tool("echo", "\ud800"), "echo"]

    box, _ = traced(Listing(Answer(1)))
    with pytest.raises(InvalidTrialError) as raised:
        asyncio.run(box.tools())
    assert raised.value.blame == "tool"


def test_a_number_beyond_64_bits_is_recorded_as_a_malformed_argument() -> None:
    box, tape = traced(Giving(Answer(1)))
    answer = asyncio.run(box.call("echo", {"amount": 10**400}))
    call = tape.view[0]
    assert answer.is_error
    assert "64 bits" in str(answer.content)
    assert isinstance(call, ToolCall)
    assert (call.arguments, call.malformed) == ({}, '{"amount": <a number of 1329 bits>}')
