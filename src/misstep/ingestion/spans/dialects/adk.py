"""Google's ADK: requests, responses, arguments and answers as JSON text in `gcp.vertex.agent.…`."""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import structs

from misstep.core.tool import JSON, Tool
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.dialects import genai
from misstep.ingestion.spans.messages import conversation, said_of
from misstep.ingestion.spans.said import Said, Text
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Spent, Step
from misstep.ingestion.spans.values import fields, first, first_text, is_list, is_object, items, text, whole

NAME = "adk"
ROOTS = ("gcp", "gen_ai")
ADVICE = (
    "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY, "
    "and before ADK 2 ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true"
)
HELD = ("gcp.vertex.agent.llm_re", "gcp.vertex.agent.tool_", "gcp.vertex.agent.session_id")

_PREFIX = "gcp.vertex.agent."
_MERGED = "(merged"
_CONTEXT = "For context:"
_SPOKE = re.compile(r"\[([^\]\n]+)\] said:\s*")
_FENCE = re.compile(r"^<<<\w+>>>\n|\n<<<\w+>>>$")
_DEEPEST = 40


def recognises(span: Span) -> bool:
    attributes = span.attributes
    return attributes.get("gen_ai.system") == "gcp.vertex.agent" or any(name.startswith(_PREFIX) for name in attributes)


def step(span: Span) -> Step:
    attributes = span.attributes
    operation = text(attributes.get("gen_ai.operation.name"))
    if _MERGED in span.name or _MERGED in text(attributes.get("gen_ai.tool.name")):
        return Step(kind="chain", dialect=NAME)  # the answers of parallel calls, which have spans of their own
    if operation == "execute_tool" or f"{_PREFIX}tool_call_args" in attributes:
        return _tool(span)
    if operation == "invoke_agent" or span.name.startswith(("invoke_agent", "agent_run")):
        return Step(kind="agent", dialect=NAME, agent=first_text(attributes, "gen_ai.agent.name") or _named(span.name))
    if span.name == "call_llm" or f"{_PREFIX}llm_request" in attributes:
        return _model(attributes)
    if operation == "generate_content":
        told = genai.step(span)
        return structs.replace(told, dialect=NAME, heard=tuple(_heard(told.heard)))
    return Step(kind="chain" if span.name == "invocation" else "other", dialect=NAME)


def _named(name: str) -> str:
    """`agent_run [name]`, in older versions."""
    _, _, rest = name.partition(" ")
    return rest.strip("[] ")


def _model(attributes: Mapping[str, JSON]) -> Step:
    request = fields(attributes.get(f"{_PREFIX}llm_request"))
    response = fields(attributes.get(f"{_PREFIX}llm_response"))
    config = fields(request.get("config"))
    instructions = _instructions(first(config, "system_instruction", "systemInstruction"))
    answer = said_of(response.get("content"), "agent") if fields(response.get("content")) else None
    counts = fields(first(response, "usage_metadata", "usageMetadata"))
    return Step(
        kind="model",
        dialect=NAME,
        heard=(*instructions, *_heard(conversation(request.get("contents")))),
        said=(Said("agent", answer.parts),) if answer is not None else (),
        answered=bool(response),
        offered=_offered(config),
        spent=Spent(
            whole(first(counts, "prompt_token_count", "promptTokenCount")),
            whole(first(counts, "candidates_token_count", "candidatesTokenCount")),
        ),
    )


def _heard(messages: Iterable[Said]) -> Iterator[Said]:
    """Without what other agents did, which ADK tells as the user's words; what they said is theirs."""
    for said in messages:
        texts = [part.text for part in said.parts if isinstance(part, Text)]
        if said.by != "user" or not texts or not texts[0].startswith(_CONTEXT):
            yield said
            continue
        for spoken in texts[1:]:
            if (by := _SPOKE.match(spoken)) is not None:
                yield Said("agent", (Text(_FENCE.sub("", spoken[by.end() :])),), by[1])


def _instructions(value: JSON) -> tuple[Said, ...]:
    said = said_of(value, "system") if value is not None else None
    return (Said("system", said.parts),) if said is not None else ()


def _offered(config: Mapping[str, JSON]) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    for each in items(config.get("tools")):
        tools += tools_of(first(fields(each), "function_declarations", "functionDeclarations"))
    return tuple(structs.replace(tool, input_schema=dict(fields(_lowered(tool.input_schema)))) for tool in tools)


def _lowered(schema: JSON, depth: int = 0) -> JSON:
    """With the names of types as JSON Schema has them: Gemini shouts them."""
    if depth > _DEEPEST:
        return schema
    if is_list(schema):
        return [_lowered(each, depth + 1) for each in schema]
    if not is_object(schema):
        return schema
    return {
        name: each.lower() if name == "type" and isinstance(each, str) else _lowered(each, depth + 1)
        for name, each in schema.items()
    }


def _tool(span: Span) -> Step:
    attributes = span.attributes
    name = first_text(attributes, "gen_ai.tool.name") or span.name.removeprefix("execute_tool ")
    arguments = attributes.get(f"{_PREFIX}tool_call_args")
    answer = first(attributes, f"{_PREFIX}tool_response")
    answered = answer is not None and answer not in ("{}", "<not specified>")
    return Step(
        kind="tool",
        dialect=NAME,
        call=call_of(name, None if arguments in ("N/A", "{}") else arguments, attributes.get("gen_ai.tool.call.id")),
        result=_body(answer) if answered else None,
        answered=answered,
        used=Tool(name, text(attributes.get("gen_ai.tool.description"))),
    )


def _body(answer: JSON) -> JSON:
    """A function's own answer, out of the response that wraps one that is no object."""
    found = fields(answer)
    return found["result"] if set(found) == {"result"} else found or answer
