"""OpenTelemetry's conventions for generative AI, old and new: attributes, events of spans, and log records.

Messages stand in attributes (as structure or JSON text), or in one event that has the same attributes, or, in older
versions, in one event a message.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import structs

from misstep.core.tool import JSON, Tool
from misstep.ingestion.content import result_of
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.messages import conversation, said_of
from misstep.ingestion.spans.said import Call, Said, Speaker, Text
from misstep.ingestion.spans.span import Span, SpanEvent
from misstep.ingestion.spans.step import Action, Kind, Spent, Step
from misstep.ingestion.spans.values import fields, first, first_text, is_words, items, number, structure, text, whole

NAME = "otel-genai"
ROOTS: tuple[str, ...] = ()
ADVICE = (
    "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, or SPAN_AND_EVENT with "
    "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"
)
HELD = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.tool.",
    "gen_ai.usage.",
    "gen_ai.agent.name",
    "gen_ai.operation.name",
    "gen_ai.conversation.id",
)

_KINDS: dict[str, Kind] = {
    "chat": "model",
    "call_llm": "model",
    "generate_content": "model",
    "text_completion": "model",
    "completion": "model",
    "execute_tool": "tool",
    "retrieval": "tool",
    "invoke_agent": "agent",
    "agent": "agent",
    "create_agent": "other",
    "invoke_workflow": "chain",
    "plan": "chain",
}
_DETAILS = "gen_ai.client.inference.operation.details"
_MESSAGES: dict[str, Speaker] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "agent",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "agent",
}
_MEMORY: dict[str, Action] = {
    "search": "read",
    "get": "read",
    "create": "write",
    "update": "write",
    "add": "write",
    "delete": "delete",
}


def recognises(span: Span) -> bool:
    return any(name.startswith("gen_ai.") for name in span.attributes) or any(
        event.name.startswith("gen_ai.") for event in span.events
    )


def step(span: Span) -> Step:
    # Events that repeat the attributes of the span fill in what the span lacks.
    told: Mapping[str, JSON] = span.attributes
    for event in span.events:
        if event.name == _DETAILS:
            told = {**event.attributes, **told}
    kind = _kind(span, told)
    common = Step(kind=kind, dialect=NAME, agent=first_text(told, "gen_ai.agent.name", "gen_ai.agent.id"))
    match kind:
        case "model" | "agent":
            return _model(span, told, common)
        case "tool":
            return _tool(span, told, common)
        case "memory":
            return _memory(told, common)
        case _:
            return common


def _kind(span: Span, told: Mapping[str, JSON]) -> Kind:
    operation = text(told.get("gen_ai.operation.name")).lower()
    if operation.endswith("_memory") or operation == "memory":
        return "memory"
    if operation:
        return _KINDS.get(operation, "other")
    if "gen_ai.tool.name" in told:
        return "tool"
    events = {event.name for event in span.events}
    spoke = "gen_ai.choice" in events or "gen_ai.output.messages" in told or "gen_ai.response.model" in told
    return "model" if spoke or "gen_ai.request.model" in told else "other"


def _model(span: Span, told: Mapping[str, JSON], common: Step) -> Step:
    instructions = conversation(told.get("gen_ai.system_instructions"), "system")
    instructions = tuple(structs.replace(said, by="system") for said in instructions)
    heard = conversation(told.get("gen_ai.input.messages"))
    said = conversation(told.get("gen_ai.output.messages"), "agent")
    if not heard and not said:
        heard, said = from_events(_legacy(span.events))
    if not heard and not said:
        heard = conversation(told.get("gen_ai.prompt"))
        said = conversation(told.get("gen_ai.completion"), "agent")
    if common.kind == "agent":
        said = _last_words(said)
    return structs.replace(
        common,
        heard=(*instructions, *heard),
        said=said,
        answered=bool(said),
        offered=tools_of(told.get("gen_ai.tool.definitions")) or _named(told.get("gen_ai.agent.tools")),
        spent=spent(told),
    )


def _named(names: JSON) -> tuple[Tool, ...]:
    """Tools of which an agent's span tells no more than the names."""
    return tuple(Tool(name) for name in items(names) if isinstance(name, str))


def _last_words(said: tuple[Said, ...]) -> tuple[Said, ...]:
    """What an agent gives back in the end: calls on the way there are those of its models."""
    spoken = [each for each in said if each.by == "agent" and each.text.strip()]
    return (Said("agent", (Text(spoken[-1].text),)),) if spoken else ()


def spent(told: Mapping[str, JSON]) -> Spent:
    prefix = "gen_ai.usage."
    return Spent(
        whole(first(told, f"{prefix}input_tokens", f"{prefix}prompt_tokens")),
        whole(first(told, f"{prefix}output_tokens", f"{prefix}completion_tokens")),
        number(first(told, f"{prefix}cost", "operation.cost")),
    )


def _legacy(events: Iterable[SpanEvent]) -> Iterator[Mapping[str, JSON]]:
    """One event a message, as objects that say what event they are."""
    for event in events:
        if event.name in _MESSAGES:
            body = fields(first(event.attributes, "body", "gen_ai.event.content"))
            yield {**event.attributes, **body, "event.name": event.name}
        elif event.name in ("gen_ai.content.prompt", "gen_ai.content.completion"):
            is_prompt = event.name.endswith("prompt")
            body = first(event.attributes, "gen_ai.prompt" if is_prompt else "gen_ai.completion")
            for said in conversation(body, "user" if is_prompt else "agent"):
                role = "gen_ai.choice" if not is_prompt else f"gen_ai.{_ROLES[said.by]}.message"
                yield {"event.name": role, "content": said.text}


_ROLES = {"system": "system", "user": "user", "agent": "assistant", "tool": "tool"}


def from_events(events: Iterable[Mapping[str, JSON]]) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """Messages in and messages out of a list of objects, each with an `event.name`."""
    heard: list[Said] = []
    said: list[Said] = []
    for event in events:
        name = text(event.get("event.name"))
        by = _MESSAGES.get(name)
        if by is None:
            continue
        message = _message(event, by)
        if message is not None:
            (said if name == "gen_ai.choice" else heard).append(message)
    return tuple(heard), tuple(said)


def _message(event: Mapping[str, JSON], by: Speaker) -> Said | None:
    inner = structure(event.get("message"))
    body = fields(inner)
    if is_words(inner) and inner:
        return said_of({"role": _ROLES[by], "content": inner}, by)
    if body:
        return said_of({"role": _ROLES[by], **body}, by)
    content = structure(event.get("content"))
    if by == "tool":
        call_id = first_text(event, "id", "tool_call_id")
        return said_of({"role": by, "tool_call_id": call_id, "name": event.get("name"), "content": content}, by)
    return said_of({"role": _ROLES[by], "content": content, "tool_calls": structure(event.get("tool_calls"))}, by)


def _tool(span: Span, told: Mapping[str, JSON], common: Step) -> Step:
    name = first_text(told, "gen_ai.tool.name", "gen_ai.data_source.id") or span.name.removeprefix("execute_tool ")
    arguments = first(told, "gen_ai.tool.call.arguments", "gen_ai.tool.args", "gen_ai.retrieval.query.text")
    answer = first(told, "gen_ai.tool.call.result", "gen_ai.output", "gen_ai.retrieval.documents")
    for event in span.events:
        if event.name == "gen_ai.tool.message" and arguments is None:
            arguments = event.attributes.get("content")
        elif event.name == "gen_ai.choice" and answer is None:
            answer = first(event.attributes, "message", "content")
    call = call_of(name, arguments, told.get("gen_ai.tool.call.id"))
    if call.malformed is not None and text(told.get("gen_ai.operation.name")) == "retrieval":
        call = Call(name, call.id, {"query": call.malformed})
    schema = fields(first(told, "gen_ai.tool.parameters", "gen_ai.tool.json_schema"))
    return structs.replace(
        common,
        call=call,
        result=result_of(structure(answer)),
        answered=answer is not None,
        is_error=told.get("gen_ai.tool.status") == "error",
        used=Tool(name, text(told.get("gen_ai.tool.description")), dict(schema)),
    )


def _memory(told: Mapping[str, JSON], common: Step) -> Step:
    verb = text(told.get("gen_ai.operation.name")).partition("_")[0]
    content = first(told, "gen_ai.memory.content", "gen_ai.memory.records", "gen_ai.memory.query.text")
    names = ("gen_ai.memory.id", "gen_ai.memory.record.id", "gen_ai.memory.key", "gen_ai.memory.store.name")
    return structs.replace(
        common,
        action=_MEMORY.get(verb, "read"),
        call=Call(first_text(told, *names)),
        result=structure(content),
        answered=content is not None,
    )
