"""Vercel's AI SDK: `ai.operationId`, prompts and answers as JSON text in `ai.…`."""

from collections.abc import Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.messages import conversation
from misstep.ingestion.spans.said import Call, Part, Reasoning, Said, Text
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Spent, Step
from misstep.ingestion.spans.values import fields, first, first_text, items, parsed, structure, text, whole

NAME = "vercel-ai"
ROOTS = ("ai",)
ADVICE = "set experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }"
HELD = ("ai.prompt", "ai.response.text", "ai.response.toolCalls", "ai.response.object", "ai.toolCall.", "ai.usage.")

_ASKED = (".doGenerate", ".doStream")


def recognises(span: Span) -> bool:
    return "ai.operationId" in span.attributes or "ai.toolCall.name" in span.attributes


def step(span: Span) -> Step:
    attributes = span.attributes
    operation = text(attributes.get("ai.operationId")) or span.name.partition(" ")[0]
    if operation == "ai.toolCall":
        return _tool(attributes)
    if operation.startswith("ai.embed"):
        return Step(dialect=NAME)
    name = first_text(attributes, "ai.telemetry.functionId")
    said = _said(attributes)
    if operation.endswith(_ASKED):
        return Step(
            kind="model",
            dialect=NAME,
            agent=name,
            heard=_prompt(attributes),
            said=said,
            answered=bool(said) or "ai.response.text" in attributes,
            offered=tools_of(first(attributes, "ai.prompt.tools")),
            spent=Spent(
                whole(first(attributes, "ai.usage.inputTokens", "ai.usage.promptTokens")),
                whole(first(attributes, "ai.usage.outputTokens", "ai.usage.completionTokens")),
            ),
        )
    # The loop around the questions to the model: as near to an agent's run as this SDK has.
    final = tuple(Said("agent", tuple(part for part in each.parts if not isinstance(part, Call))) for each in said)
    heard = _prompt(attributes)
    return Step(kind="agent", dialect=NAME, agent=name, heard=heard, said=final, answered=bool(said))


def _prompt(attributes: Mapping[str, JSON]) -> tuple[Said, ...]:
    messages = conversation(attributes.get("ai.prompt.messages"))
    if messages:
        return messages
    prompt = structure(attributes.get("ai.prompt"))
    told = fields(prompt)
    if not told:
        return conversation(prompt)
    instructions = conversation(told.get("system"), "system")
    return instructions + conversation(first(told, "messages", "prompt"))


def _said(attributes: Mapping[str, JSON]) -> tuple[Said, ...]:
    parts: list[Part] = []
    if reasoning := first_text(attributes, "ai.response.reasoning"):
        parts.append(Reasoning(reasoning))
    if words := first_text(attributes, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object"):
        parts.append(Text(words))
    for each in items(first(attributes, "ai.response.toolCalls", "ai.result.toolCalls")):
        call = fields(each)
        parts.append(call_of(call.get("toolName"), first(call, "input", "args"), call.get("toolCallId")))
    return (Said("agent", tuple(parts)),) if parts else ()


def _tool(attributes: Mapping[str, JSON]) -> Step:
    answer = first(attributes, "ai.toolCall.result", "ai.toolCall.output")
    return Step(
        kind="tool",
        dialect=NAME,
        call=call_of(
            attributes.get("ai.toolCall.name"),
            first(attributes, "ai.toolCall.args", "ai.toolCall.input"),
            attributes.get("ai.toolCall.id"),
        ),
        result=parsed(answer),
        answered=answer is not None,
    )
