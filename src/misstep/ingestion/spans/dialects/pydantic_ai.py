"""Pydantic AI, versions 1 to 3 and on: what it writes besides OpenTelemetry's own conventions, or instead of them."""

from collections.abc import Mapping

from msgspec import structs

from misstep.core.tool import JSON
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.dialects import genai
from misstep.ingestion.spans.messages import conversation
from misstep.ingestion.spans.said import Said, Text
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Spent, Step
from misstep.ingestion.spans.values import fields, first, first_text, items, structure, text, whole

NAME = "pydantic-ai"
ROOTS: tuple[str, ...] = ()
ADVICE = "pass InstrumentationSettings(include_content=True)"
HELD = (
    "pydantic_ai.",
    "all_messages_events",
    "final_result",
    "agent_name",
    "events",
    "tool_arguments",
    "tool_response",
    "model_request_parameters",
    "logfire.",
)

_OWN = frozenset({"pydantic_ai.all_messages", "all_messages_events", "tool_response", "model_request_parameters"})
_AGENTS = {"agent run"}
_TOOLS = {"running tool"}
_TOGETHER = "running tools"


def recognises(span: Span) -> bool:
    if span.scope.startswith(("pydantic-ai", "pydantic_ai")):
        return True
    attributes = span.attributes
    return not _OWN.isdisjoint(attributes) or ("events" in attributes and "gen_ai.request.model" in attributes)


def step(span: Span) -> Step:
    attributes = span.attributes
    operation = text(attributes.get("gen_ai.operation.name"))
    if span.name in _AGENTS or operation == "invoke_agent" or "all_messages_events" in attributes:
        return _agent(attributes)
    if span.name in _TOOLS or (operation == "execute_tool" or "tool_arguments" in attributes):
        return _tool(attributes)
    if span.name == _TOGETHER:
        return Step(kind="chain", dialect=NAME)
    heard, said = genai.from_events(fields(each) for each in items(attributes.get("events")))
    requested = fields(attributes.get("model_request_parameters"))
    tools = tools_of(requested.get("function_tools")) + tools_of(requested.get("output_tools"))
    return Step(dialect=NAME, heard=heard, said=said, answered=bool(said), offered=tools)


def _agent(attributes: Mapping[str, JSON]) -> Step:
    everything = conversation(attributes.get("pydantic_ai.all_messages"))
    if not everything:
        heard, said = genai.from_events(fields(each) for each in items(attributes.get("all_messages_events")))
        everything = heard + said
    final = structure(attributes.get("final_result"))
    new = everything[whole(attributes.get("pydantic_ai.new_message_index")) :]
    # One run answers one request; what stands before it is history.
    asked = [Said("user", (Text(said.text),)) for said in new if said.by == "user" and said.text.strip()]
    return Step(
        kind="agent",
        dialect=NAME,
        agent=first_text(attributes, "gen_ai.agent.name", "agent_name"),
        heard=tuple(asked[:1]),
        said=conversation(final if isinstance(final, str) else text(final), "agent"),
        answered=final is not None,
        transcript=everything,
        spent=_spent(attributes),
    )


def _spent(attributes: Mapping[str, JSON]) -> Spent:
    prefix = "gen_ai.aggregated_usage."
    known = genai.spent(attributes)
    if known != Spent():
        return known
    return Spent(whole(attributes.get(f"{prefix}input_tokens")), whole(attributes.get(f"{prefix}output_tokens")))


def _tool(attributes: Mapping[str, JSON]) -> Step:
    call = call_of(
        attributes.get("gen_ai.tool.name"),
        first(attributes, "tool_arguments", "gen_ai.tool.call.arguments"),
        attributes.get("gen_ai.tool.call.id"),
    )
    answer = first(attributes, "tool_response", "gen_ai.tool.call.result")
    step = Step(kind="tool", dialect=NAME, call=call)
    return structs.replace(step, result=structure(answer), answered=answer is not None)
