"""What is wrong with tools themselves."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.synthesis.task import Step
from misstep.synthesis.tool_findings import ToolFinding, tool_findings
from misstep.worlds import world_named

_TEXT = {"type": "string"}


class _Flawed:
    """One tool, one answer, and a count of the calls as its state."""

    def __init__(self, tools: Sequence[Tool], answer: Answer, *, counts: bool = False) -> None:
        self.calls = 0
        self._tools, self._answer, self._counts = tools, answer, counts

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls += self._counts
        return self._answer

    def snapshot(self) -> State:
        return {"calls": {"all": {"count": self.calls}}}

    def restore(self, state: State) -> None:
        self.calls = int(str(state["calls"]["all"]["count"]))


def _made(name: str, fields: dict[str, JSON], *, says: str = "", effect: Effect = "reads", **more: JSON) -> Tool:
    schema: dict[str, JSON] = {"type": "object", "properties": fields, "required": list(fields)}
    return Tool(name, says, schema, effect=effect, **more)  # pyright: ignore[reportArgumentType]


def _found(
    tools: Sequence[Tool], answer: Answer, *, counts: bool = False, known: Sequence[Step] = ()
) -> list[ToolFinding]:
    return list(asyncio.run(tool_findings(lambda seed: _Flawed(tools, answer, counts=counts), known=known)))


@pytest.mark.parametrize("world", ["shop", "desk", "shop-renamed"])
def test_nothing_is_found_in_the_tools_of_the_worlds(world: str) -> None:
    assert asyncio.run(tool_findings(world_named(world).make)) == ()


def test_an_example_of_the_docs_that_is_rejected_is_found() -> None:
    tool = _made("convert", {"date": {**_TEXT, "description": "A day, e.g. '2026-03-04'."}})
    (finding,) = _found([tool], Answer("The date must be written DD.MM.YYYY.", is_error=True))
    assert finding.flaw == "rejects-its-own-example"
    assert finding.arguments == {"date": "2026-03-04"}
    assert "DD.MM.YYYY" in finding.because


def test_a_whole_call_in_the_description_is_tried() -> None:
    tool = _made("plan", {"day": _TEXT}, says='Plan a day. Example: {"day": "friday"}')
    assert [each.flaw for each in _found([tool], Answer("The day must be a number.", is_error=True))] == [
        "rejects-its-own-example"
    ]


def test_an_example_whose_record_is_not_there_is_no_flaw() -> None:
    tool = _made("show", {"order": {**_TEXT, "examples": ["W-1"]}})
    assert _found([tool], Answer("There is no order with the number W-1.", is_error=True)) == []


def test_an_answer_off_the_output_schema_is_found() -> None:
    schema = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}
    tool = _made("total", {}, says="The total.", output_schema=schema)
    known = [Step(tool="total", arguments={}, role="look-up")]
    (finding,) = _found([tool], Answer({"total": "12"}), known=known)
    assert finding.flaw == "breaks-its-output-schema"
    assert "total" in finding.because


@pytest.mark.parametrize("said", ["Error: request failed.", "Internal server error", "500", ""])
def test_an_error_that_names_no_cause_is_found(said: str) -> None:
    (finding,) = _found([_made("show", {"order": _TEXT})], Answer(said, is_error=True))
    assert finding.flaw == "error-names-no-cause"


@pytest.mark.parametrize("said", ["order is required", "Field 'order' missing", "Order ids look like W-123."])
def test_an_error_that_names_its_cause_is_none(said: str) -> None:
    assert _found([_made("show", {"order": _TEXT})], Answer(said, is_error=True)) == []


def test_a_reading_tool_that_writes_is_found() -> None:
    known = [Step(tool="peek", arguments={}, role="look-up")]
    (finding,) = _found([_made("peek", {})], Answer({"ok": True}), counts=True, known=known)
    assert finding.flaw == "reads-and-writes"
    assert "calls" in finding.because


def test_a_note_of_who_looked_is_no_flaw() -> None:
    known = [Step(tool="peek", arguments={}, role="look-up")]
    toolbox = _Flawed([_made("peek", {})], Answer({"ok": True}), counts=True)
    assert asyncio.run(tool_findings(lambda seed: toolbox, known=known, by_the_by={"calls"})) == ()


def test_two_tools_that_say_the_same_are_twins() -> None:
    tools = [
        _made("fetch_order", {"id": _TEXT}, says="Get the details of an order."),
        _made("order_details", {"id": _TEXT}, says="Gets details of the order."),
        _made("fetch_customer", {"id": _TEXT}, says="Get the details of a customer."),
    ]
    found = _found(tools, Answer("There is no such id.", is_error=True))
    assert [(each.tool, each.flaw) for each in found] == [("order_details", "twins")]


def test_nothing_that_writes_is_called_where_nothing_can_be_put_back() -> None:
    called: list[str] = []

    class Plain:
        async def tools(self) -> Sequence[Tool]:
            return [_made("wipe", {}, effect="destroys"), _made("look", {})]

        async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
            called.append(tool)
            return Answer("fine")

    known = [Step(tool=name, arguments={}, role="act") for name in ("wipe", "look")]
    asyncio.run(tool_findings(lambda seed: Plain(), known=known))
    assert called == ["look"]
