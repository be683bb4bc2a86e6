"""OpenInference: `openinference.span.kind`, and messages flattened into attributes with numbers in their names."""

from collections import defaultdict
from collections.abc import Mapping

from msgspec import structs

from misstep.core.tool import JSON, Tool
from misstep.ingestion.content import result_of
from misstep.ingestion.spans.calls import call_of, tool_of
from misstep.ingestion.spans.dialects import smolagents
from misstep.ingestion.spans.messages import bare, conversation
from misstep.ingestion.spans.said import Call, Part, Result, Said, Text, speaker
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Kind, Spent, Step
from misstep.ingestion.spans.values import (
    fields,
    first,
    first_text,
    is_list,
    is_object,
    number,
    parsed,
    structure,
    text,
    whole,
)

NAME = "openinference"
ROOTS = ("openinference",)
ADVICE = "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS"

_KINDS: dict[str, Kind] = {
    "LLM": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "chain",
    "RETRIEVER": "tool",
    "GUARDRAIL": "chain",
    "EVALUATOR": "other",
}
HELD = (
    "openinference.span.kind",
    "input.",
    "output.",
    "llm.input_messages.",
    "llm.output_messages.",
    "llm.tools.",
    "llm.token_count.",
    "tool.",
    "tool_call.",
    "retrieval.documents.",
    "agent.name",
    "smolagents.managed_agents.",
    "smolagents.tools_names",
)
# A message's fields by number, and the fields of its contents and calls by number within it.
_Fields = dict[str, JSON]


def recognises(span: Span) -> bool:
    return "openinference.span.kind" in span.attributes


def step(span: Span) -> Step:
    attributes = span.attributes
    kind = _KINDS.get(text(attributes.get("openinference.span.kind")).upper(), "other")
    named = ("agent.name", "graph.node.id") if kind == "agent" else ("agent.name",)
    common = Step(kind=kind, dialect=NAME, agent=first_text(attributes, *named) or _of_langchain(attributes))
    match kind:
        case "model":
            return _model(attributes, common)
        case "tool":
            return _tool(span, common)
        case "agent":
            return _agent(span, common)
        case "chain":
            return smolagents.round_of(span, common)
        case _:
            return common


def _of_langchain(attributes: Mapping[str, JSON]) -> str:
    """LangChain's agents have no span of their own kind, but a name."""
    metadata = attributes.get("metadata")
    if not isinstance(metadata, str) or "lc_agent_name" not in metadata:
        return ""
    return text(fields(metadata).get("lc_agent_name"))


def _model(attributes: Mapping[str, JSON], common: Step) -> Step:
    heard, said, offered = _flattened(attributes)
    if not heard:
        heard = conversation(attributes.get("input.value"))
    if not said:
        said = conversation(attributes.get("output.value"), "agent")
    return structs.replace(
        common,
        heard=heard,
        said=said,
        answered=bool(said) or "output.value" in attributes,
        offered=offered,
        spent=Spent(
            whole(first(attributes, "llm.token_count.prompt")),
            whole(first(attributes, "llm.token_count.completion")),
            number(first(attributes, "llm.cost.total")),
        ),
    )


def _flattened(attributes: Mapping[str, JSON]) -> tuple[tuple[Said, ...], tuple[Said, ...], tuple[Tool, ...]]:
    """Messages in, messages out, tools: all that is numbered, sorted by its number in one pass."""
    numbered: dict[str, defaultdict[int, _Fields]] = {
        "input_messages": defaultdict(dict),
        "output_messages": defaultdict(dict),
        "tools": defaultdict(dict),
    }
    for name, value in attributes.items():
        if not name.startswith("llm."):
            continue
        pieces = name.split(".", 3)
        group = numbered.get(pieces[1])
        if group is not None and len(pieces) == 4 and pieces[2].isdecimal() and len(pieces[2]) < 7:
            group[int(pieces[2])][pieces[3]] = value
    definitions = (tool_of(each.get("tool.json_schema")) for _, each in sorted(numbered["tools"].items()))
    return (
        tuple(_message(each) for _, each in sorted(numbered["input_messages"].items())),
        tuple(_message(each, "assistant") for _, each in sorted(numbered["output_messages"].items())),
        tuple(tool for tool in definitions if tool is not None),
    )


def _message(message: _Fields, default: str = "user") -> Said:
    role = message.get("message.role") or default
    content = message.get("message.content")
    if content is None or content == "":
        content = _joined(message)
    if smolagents.is_own(role, content):
        return smolagents.said_of(text(content))
    by = speaker(role)
    if by == "tool":
        call_id, name = text(message.get("message.tool_call_id")), text(message.get("message.name"))
        return Said(by, (Result(call_id, name, result_of(content)),))
    parts: list[Part] = []
    if content != "":
        parts.append(Text(text(content)))
    if len(message) > 2:
        parts += _calls(message)
    return Said(by, tuple(parts), text(message.get("message.name")))


def _joined(message: _Fields) -> str:
    """The texts of a message that has several contents; what is no text leaves its type."""
    contents = _by_number(message, "message.contents.", "message_content.")
    told = (
        text(each["text"]) if "text" in each else f"[{text(each.get('type')) or 'part'}]"
        for each in contents
        if not _is_call(each)
    )
    return "\n".join(told)


def _is_call(content: _Fields) -> bool:
    """Anthropic's contents hold calls as well; most instrumentations tell them among the calls again."""
    return content.get("type") == "tool_use" or "tool_call.function.name" in content


def _calls(message: _Fields) -> list[Call]:
    calls = _by_number(message, "message.tool_calls.", "tool_call.")
    if not calls:
        contents = _by_number(message, "message.contents.", "tool_call.")
        calls = [each for each in contents if "function.name" in each]
    found = [call_of(each.get("function.name"), each.get("function.arguments"), each.get("id")) for each in calls]
    if "message.function_call_name" in message:
        arguments = message.get("message.function_call_arguments_json")
        found.append(call_of(message["message.function_call_name"], arguments))
    return found


def _by_number(message: _Fields, prefix: str, inner: str) -> list[_Fields]:
    numbered: defaultdict[int, _Fields] = defaultdict(dict)
    for name, value in message.items():
        if name.startswith(prefix):
            index, _, rest = name.removeprefix(prefix).partition(".")
            if index.isdecimal() and len(index) < 7:
                numbered[int(index)][rest.removeprefix(inner)] = value
    return [each for _, each in sorted(numbered.items())]


def _tool(span: Span, common: Step) -> Step:
    attributes = span.attributes
    if "tool.name" not in attributes and span.name == f"handoff to {attributes.get('output.value')}":
        # The Agents SDK's own note of it: the call and the next agent's run have spans as well.
        return structs.replace(common, kind="chain")
    name = first_text(attributes, "tool.name", "tool_call.function.name") or span.name or "tool"
    parameters = fields(attributes.get("tool.parameters"))
    given = first(attributes, "tool_call.function.arguments", "input.value")
    arguments = smolagents.arguments(given, parameters)
    documents = _documents(attributes)
    answer, wrong = bare(attributes.get("output.value", documents))
    schema = parameters if "properties" in parameters else {"type": "object", "properties": parameters}
    call = call_of(name, arguments, first(attributes, "tool_call.id", "tool.id"))
    return structs.replace(
        common,
        call=call if call.malformed is None else Call(name, call.id, {"input": call.malformed}),
        result=answer,
        answered=answer is not None,
        is_error=wrong,
        used=Tool(name, text(attributes.get("tool.description")), dict(schema) if parameters else {}),
    )


def _documents(attributes: Mapping[str, JSON]) -> JSON:
    """What a retriever found, where its output has no other form."""
    found = [value for name, value in attributes.items() if name.endswith(".document.content")]
    return found or None


def _agent(span: Span, common: Step) -> Step:
    attributes = span.attributes
    given = attributes.get("input.value")
    answer = attributes.get("output.value")
    name = common.agent or smolagents.agent_name(span)
    if not name and given is None and answer is None:
        return structs.replace(common, kind="chain")  # a frame around agents, as the Agents SDK draws it
    return structs.replace(
        common,
        agent=name,
        heard=smolagents.task(given) or _asked(given) or _crews_task(answer),
        said=conversation(_final(answer), "agent"),
        answered=answer is not None,
        offered=smolagents.offered(attributes),
        team=smolagents.team(attributes),
    )


def _crews_task(answer: JSON) -> tuple[Said, ...]:
    """CrewAI tells what an agent was to do with what became of it."""
    told = fields(answer)
    task = told.get("description") if "expected_output" in told else None
    return (Said("user", (Text(task),)),) if isinstance(task, str) and task.strip() else ()


def _asked(value: JSON) -> tuple[Said, ...]:
    """What an agent was asked, where its input is a text or messages; the state of a graph says nothing plainly."""
    found = parsed(value)
    if is_object(found):
        holder = fields(found)
        inner = first(holder, "messages", "input", "query", "question", "prompt", "task")
        return conversation(inner) if inner is not None else ()
    return conversation(found if isinstance(found, str) or is_list(found) else value)


def _final(value: JSON) -> JSON:
    """An agent's answer: a text, or the last message of the state that it left."""
    if value == "null":
        return None
    found = structure(value)
    holder = fields(found)
    messages = conversation(holder.get("messages")) if holder else ()
    if messages:
        return messages[-1].text
    inner = first(holder, "output", "answer", "final_output", "result")
    return inner if isinstance(inner, str) else value
