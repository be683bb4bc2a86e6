"""What real packages emit: one scene played through each of them (tests/emitters), the same conversation every time."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.ingestion.ingesting import Ingestion, ingest

EMITTED = Path(__file__).parent / "emitted"
SYSTEM = "You serve the customers of a shop. Look an order up before you refund it."
REQUEST = "Please refund order A-17, it came broken."
ANSWER = "Order A-17 is refunded: 40 euros are on their way to you."
ORDER = {"order_id": "A-17", "state": "delivered", "total": 40}
CALLS = [
    ("find_order", {"order_id": "A-71"}),
    ("find_order", {"order_id": "A-17"}),
    ("refund_order", {"order_id": "A-17", "amount": 40}),
]


class Emitted(NamedTuple):
    """What a package leaves in its file, beyond the conversation itself."""

    dialect: str
    agent: str = "agent"
    flags: bool = False
    """Whether it says of a tool's error that it is one."""
    schemas: bool = False
    """Whether it tells the schemas of the tools on offer."""


FILES = {
    "openinference-openai-chat.jsonl": Emitted("openinference", schemas=True),
    "openinference-openai-responses.jsonl": Emitted("openinference", schemas=True),
    "otel-openai-events.jsonl": Emitted("otel-genai"),
    "otel-openai-logs.jsonl": Emitted("otel-genai"),
    "otel-openai-spans.jsonl": Emitted("otel-genai"),
    "traceloop-openai-old.binpb": Emitted("traceloop", schemas=True),
    "traceloop-openai.jsonl": Emitted("otel-genai", schemas=True),
    "two-instrumentations.jsonl": Emitted("otel-genai", schemas=True),
}
each_file = pytest.mark.parametrize("name", FILES)


def read(name: str) -> tuple[Trace, Ingestion]:
    """The one trace of a file, which nobody has to say the dialect of."""
    ingestion = ingest(EMITTED / name)
    (trace,) = ingestion
    assert isinstance(trace, Trace)
    return trace, ingestion


def of_kind(trace: Trace, kind: type) -> list[Any]:
    return [event for event in trace.events if isinstance(event, kind)]


def body(content: Any) -> Any:
    """A result as a value, whether its package writes it as JSON text or as structure."""
    try:
        return json.loads(content) if isinstance(content, str) else content
    except ValueError:
        return content


def test_every_file_that_was_emitted_is_read_here():
    assert {path.name for path in EMITTED.iterdir()} == set(FILES)


@each_file
def test_the_dialect_is_recognised_and_nothing_is_lost(name):
    trace, ingestion = read(name)
    assert (ingestion.dialect, trace.origin.dialect) == (FILES[name].dialect, FILES[name].dialect)
    assert ingestion.losses == ()
    assert decode_trace(encode_trace(trace)) == trace


@each_file
def test_the_user_asks_once_and_the_agent_answers_once(name):
    trace, _ = read(name)
    said = [event for event in of_kind(trace, Message) if event.role != "system"]
    assert [(event.role, event.text) for event in said] == [("user", REQUEST), ("agent", ANSWER)]
    assert said[-1] is trace.events[-1]
    assert (said[0].actor, said[-1].actor) == ("user", FILES[name].agent)


@each_file
def test_each_call_is_there_once_with_its_arguments_and_its_result(name):
    trace, _ = read(name)
    calls = of_kind(trace, ToolCall)
    assert [(call.tool, call.arguments) for call in calls] == CALLS
    assert {call.actor for call in calls} == {FILES[name].agent}
    failed, found, paid = (pair.result for pair in trace.exchanges)
    assert "There is no order A-71." in json.dumps(body(failed.content))
    assert body(found.content) == ORDER
    assert body(paid.content) == {"refund_id": "R-1", "amount": 40}
    assert len(of_kind(trace, ToolResult)) == 3


@each_file
def test_an_error_is_flagged_where_the_package_says_so(name):
    trace, _ = read(name)
    assert [pair.result.is_error for pair in trace.exchanges] == [FILES[name].flags, False, False]


@each_file
def test_tools_on_offer_have_schemas_where_the_package_tells_them(name):
    trace, _ = read(name)
    required = {tool.name: tool.input_schema.get("required") for tool in trace.tools if tool.input_schema}
    expected = {"find_order": ["order_id"], "refund_order": ["order_id", "amount"]} if FILES[name].schemas else {}
    assert required == expected
