"""What real packages emit: one scene played through each of them (tests/emitters), the same conversation every time."""

import ast
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from misstep.core.event import Handoff, Message, ToolResult
from misstep.core.trace import Exchange, Trace, decode_trace, encode_trace
from misstep.ingestion.ingesting import Ingestion, ingest
from misstep.ingestion.losses import NO_SESSION, NO_TOOLS
from misstep.ingestion.spans.shortfalls import NO_PARENT

EMITTED = Path(__file__).parent / "emitted"
EMITTERS = Path(__file__).parents[2] / "emitters"
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
    """Who calls the tools."""
    speaker: str = ""
    """Who answers in the end, where that is another one."""
    flags: bool = False
    """Whether it says of a tool's error that it is one."""
    schemas: bool = False
    """Whether it tells the schemas of the tools on offer."""
    own: tuple[str, ...] = ()
    """Tools of the framework that are called besides."""
    prose: bool = False
    """Whether the agent acts by what it writes, and something that is no tool answers."""
    instructions: bool = True
    """Whether the agent's instructions are told."""
    gaps: bool = False
    """Whether spans are missing, as where two instrumentations get into each other's way."""


FILES = {
    "adk-1.binpb": Emitted("adk", "refunds", schemas=True, own=("transfer_to_agent",)),
    "adk.jsonl": Emitted("adk", "refunds", flags=True, schemas=True, own=("transfer_to_agent",)),
    "agent-framework.jsonl": Emitted("otel-genai", "desk", flags=True, schemas=True),
    "agents-sdk-items.json": Emitted("openai-responses", own=("transfer_to_refunds",), instructions=False),
    "anthropic-messages.json": Emitted("anthropic", flags=True, schemas=True),
    "langfuse-spans.jsonl": Emitted("langfuse", "desk", flags=True, schemas=True),
    "langgraph-dumped.json": Emitted("langchain", "desk", flags=True, instructions=False),
    "langgraph-messages.json": Emitted("langchain", "desk", flags=True, instructions=False),
    "mlflow.json": Emitted("mlflow", "desk", flags=True, schemas=True),
    "openinference-agents-sdk.jsonl": Emitted("openinference", "refunds", flags=True, own=("transfer_to_refunds",)),
    "openinference-anthropic.jsonl": Emitted("openinference", schemas=True),
    "openinference-crewai.jsonl": Emitted("openinference", "desk", flags=True, schemas=True),
    "openinference-langgraph.jsonl": Emitted("openinference", "desk", flags=True, schemas=True),
    "openinference-openai-chat.jsonl": Emitted("openinference", schemas=True),
    "openinference-openai-responses.jsonl": Emitted("openinference", schemas=True),
    "otel-agents-sdk.jsonl": Emitted("otel-genai", "refunds", flags=True, schemas=True, own=("transfer_to_refunds",)),
    "otel-genai-openai-chat.jsonl": Emitted("otel-genai", schemas=True),
    "otel-genai-openai-responses.jsonl": Emitted("otel-genai", schemas=True),
    "otel-openai-events.jsonl": Emitted("otel-genai"),
    "otel-openai-logs.jsonl": Emitted("otel-genai"),
    "otel-openai-spans.jsonl": Emitted("otel-genai"),
    "pydantic-ai-1.binpb": Emitted("pydantic-ai", "desk", flags=True, schemas=True),
    "pydantic-ai-2.jsonl": Emitted("pydantic-ai", "desk", flags=True, schemas=True),
    "pydantic-ai-5.jsonl": Emitted("pydantic-ai", "desk", flags=True, schemas=True),
    "pydantic-ai-6.jsonl": Emitted("pydantic-ai", "desk", flags=True, schemas=True),
    "smolagents-code.jsonl": Emitted("openinference", "CodeAgent", flags=True, own=("final_answer",), prose=True),
    "smolagents-team.jsonl": Emitted(
        "openinference", "refunds", "desk", flags=True, schemas=True, own=("final_answer", "refunds")
    ),
    "smolagents-tools.jsonl": Emitted(
        "openinference", "ToolCallingAgent", flags=True, schemas=True, own=("final_answer",)
    ),
    "strands.jsonl": Emitted("otel-genai", "desk", flags=True, schemas=True),
    "traceloop-anthropic.jsonl": Emitted("otel-genai", schemas=True),
    "traceloop-langgraph.jsonl.gz": Emitted("traceloop", "desk", flags=True, schemas=True),
    "traceloop-openai-old.binpb": Emitted("traceloop", schemas=True),
    "traceloop-openai.jsonl": Emitted("otel-genai", schemas=True),
    "traceloop-sdk.jsonl": Emitted("traceloop", "desk", flags=True, schemas=True),
    "two-instrumentations-langgraph.jsonl.gz": Emitted("openinference", "desk", flags=True, schemas=True, gaps=True),
    "two-instrumentations-nested.jsonl": Emitted("pydantic-ai", "desk", flags=True, schemas=True),
    "two-instrumentations.jsonl": Emitted("otel-genai", schemas=True),
    "vercel-ai.jsonl": Emitted("vercel-ai", "desk", flags=True, schemas=True),
}
SESSIONS = {
    "adk-1.binpb",
    "adk.jsonl",
    "pydantic-ai-2.jsonl",
    "pydantic-ai-5.jsonl",
    "pydantic-ai-6.jsonl",
    "two-instrumentations-nested.jsonl",
}
"""Files whose package names the session."""
UNLISTED = {
    "agents-sdk-items.json",
    "langgraph-dumped.json",
    "langgraph-messages.json",
    "openinference-agents-sdk.jsonl",
    "otel-openai-events.jsonl",
    "otel-openai-logs.jsonl",
    "otel-openai-spans.jsonl",
}
"""Files that do not tell which tools were on offer."""
AGAIN = ("openinference-agents-sdk-again.jsonl", "smolagents-again.jsonl")
"""The customer asks again in another run; and somebody else asks the same in a third."""
PROTOCOL = "fastmcp.jsonl"
"""Client and server of MCP without a model: calls alone, and neither arguments nor results."""
each_file = pytest.mark.parametrize("name", FILES)


def read(name: str) -> tuple[Trace, Ingestion]:
    """The one trace of a file, which nobody has to say the dialect of."""
    ingestion = ingest(EMITTED / name)
    (trace,) = ingestion
    assert isinstance(trace, Trace)
    return trace, ingestion


def of_kind(trace: Trace, kind: type) -> list[Any]:
    return [event for event in trace.events if isinstance(event, kind)]


def exchanges(trace: Trace, name: str) -> list[Exchange]:
    return [pair for pair in trace.exchanges if pair.call.tool not in FILES[name].own]


def body(content: Any) -> Any:
    """A result as a value, whether its package writes it as structure, as JSON text or as Python's."""
    for read_text in (json.loads, ast.literal_eval):
        try:
            return read_text(content) if isinstance(content, str) else content
        except (ValueError, SyntaxError):
            continue
    return content


def test_every_file_that_was_emitted_is_read_here():
    assert {path.name for path in EMITTED.iterdir()} == {*FILES, *AGAIN, PROTOCOL}


def test_how_to_write_each_file_anew_is_told():
    told = (EMITTERS / "README.md").read_text("utf-8")
    scripts = {path.stem for path in EMITTERS.glob("*.py") if path.read_text("utf-8").startswith("# /// script")}
    assert set(re.findall(r"^\| `(\w+)`", told, re.MULTILINE)) == scripts
    assert all(f"`{path.name}`" in told for path in EMITTED.iterdir())


@each_file
def test_the_dialect_is_recognised_and_what_is_lost_is_what_the_package_does_not_tell(name):
    trace, ingestion = read(name)
    assert (ingestion.dialect, trace.origin.dialect) == (FILES[name].dialect, FILES[name].dialect)
    lacks = {NO_PARENT} if FILES[name].gaps else set()
    lacks |= {NO_SESSION} if name not in SESSIONS else set()
    lacks |= {NO_TOOLS} if name in UNLISTED else set()
    assert {loss.what for loss in ingestion.losses} == lacks
    assert decode_trace(encode_trace(trace)) == trace


@each_file
def test_the_user_asks_once_and_the_agent_answers_once(name):
    trace, _ = read(name)
    said = of_kind(trace, Message)
    assert [(event.actor, event.text) for event in said if event.role == "user"] == [("user", REQUEST)]
    spoken = [event.text for event in said if event.role == "agent"]
    assert spoken[-1] == ANSWER
    assert len(spoken) == (4 if FILES[name].prose else 1)
    assert trace.events[-1] is said[-1]
    assert said[-1].actor == (FILES[name].speaker or FILES[name].agent)
    assert any(SYSTEM in event.text for event in said if event.role == "system") is FILES[name].instructions


@each_file
def test_each_call_is_there_once_with_its_arguments_and_its_result(name):
    trace, _ = read(name)
    pairs = exchanges(trace, name)
    assert [(pair.call.tool, pair.call.arguments) for pair in pairs] == CALLS
    assert {pair.call.actor for pair in pairs} == {FILES[name].agent}
    failed, found, paid = (pair.result for pair in pairs)
    assert "There is no order A-71." in json.dumps(body(failed.content))
    assert body(found.content) == ORDER
    assert body(paid.content) == {"refund_id": "R-1", "amount": 40}
    unasked = len(of_kind(trace, ToolResult)) - len(trace.exchanges)
    assert unasked == (3 if FILES[name].prose else 0)


@each_file
def test_an_error_is_flagged_where_the_package_says_so(name):
    trace, _ = read(name)
    assert [pair.result.is_error for pair in exchanges(trace, name)] == [FILES[name].flags, False, False]


@each_file
def test_tools_on_offer_have_schemas_where_the_package_tells_them(name):
    trace, _ = read(name)
    required = {
        tool.name: tool.input_schema["required"]
        for tool in trace.tools
        if "required" in tool.input_schema and tool.name not in FILES[name].own
    }
    expected = {"find_order": ["order_id"], "refund_order": ["order_id", "amount"]} if FILES[name].schemas else {}
    assert required == expected


@pytest.mark.parametrize(
    "name",
    ["adk-1.binpb", "adk.jsonl", "openinference-agents-sdk.jsonl", "otel-agents-sdk.jsonl", "smolagents-team.jsonl"],
)
def test_work_that_is_passed_on_is_a_handoff(name):
    trace, _ = read(name)
    assert [(event.actor, event.to) for event in of_kind(trace, Handoff)] == [("desk", "refunds")]


@each_file
def test_tools_of_a_framework_that_pass_work_on_or_give_an_answer_change_nothing(name):
    trace, _ = read(name)
    effects = {tool.name: tool.effect for tool in trace.tools}
    assert {effects[tool] for tool in FILES[name].own if tool in effects} <= {"reads"}
    assert effects.get("refund_order", "destroys") == "destroys"


def test_a_call_that_client_transport_and_server_saw_is_one():
    trace, ingestion = read(PROTOCOL)
    assert ingestion.dialect == "mcp"
    seen = [(pair.call.tool, pair.result.is_error) for pair in trace.exchanges]
    assert seen == [("find_order", True), ("find_order", False), ("refund_order", False)]
    assert "There is no order A-71." in trace.exchanges[0].result.content
    assert any("no arguments" in loss.what and loss.advice for loss in ingestion.losses)


@pytest.mark.parametrize("name", AGAIN)
def test_runs_that_name_no_session_are_put_together_by_what_they_are_told_again(name):
    ingestion = ingest(EMITTED / name)
    talk, other = ingestion
    said = [event.text for event in of_kind(talk, Message) if event.role != "system"]
    assert said == [REQUEST, ANSWER, "Thanks. Is order A-17 paid back by now?", "Yes, the 40 euros are on their way."]
    calls = [pair for pair in talk.exchanges if pair.call.tool in ("find_order", "refund_order")]
    assert [(pair.call.tool, pair.call.arguments) for pair in calls] == (CALLS if "sdk" in name else CALLS[1:])
    assert all(pair.result and pair.call.raw["executed_by"] for pair in calls)
    assert [event.text for event in of_kind(other, Message) if event.role != "system"] == [REQUEST, ANSWER]
    assert [(loss.lost, loss.of) for loss in ingestion.losses if loss.what == NO_SESSION] == [(1, 2)]
