"""MLflow: `mlflow.spanType`, inputs and outputs as JSON text."""

from misstep.core.tool import JSON, Tool
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.messages import bare, conversation
from misstep.ingestion.spans.said import Said
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Kind, Spent, Step
from misstep.ingestion.spans.values import fields, first, is_words, items, parsed, text, whole

NAME = "mlflow"
ROOTS = ("mlflow",)
ADVICE = "record inputs and outputs: MLflow's own integrations do, a span made by hand needs set_inputs and set_outputs"
HELD = ("mlflow.",)

_KINDS: dict[str, Kind] = {
    "LLM": "model",
    "CHAT_MODEL": "model",
    "TOOL": "tool",
    "RETRIEVER": "tool",
    "AGENT": "agent",
    "CHAIN": "chain",
    "WORKFLOW": "chain",
    "TASK": "chain",
    "MEMORY": "memory",
}


def recognises(span: Span) -> bool:
    return "mlflow.spanType" in span.attributes


def step(span: Span) -> Step:
    attributes = span.attributes
    kind = _KINDS.get(text(parsed(attributes["mlflow.spanType"])), "other")
    inputs = parsed(attributes.get("mlflow.spanInputs"))
    outputs = parsed(attributes.get("mlflow.spanOutputs"))
    match kind:
        case "model":
            return _model(span, inputs, outputs)
        case "tool":
            name = text(parsed(attributes.get("mlflow.spanFunctionName"))) or span.name
            answer, wrong = bare(outputs)
            return Step(
                kind=kind,
                dialect=NAME,
                call=call_of(name, inputs),
                result=answer,
                answered=answer is not None,
                is_error=wrong,
                used=Tool(name),
            )
        case "agent":
            return Step(
                kind=kind,
                dialect=NAME,
                agent=span.name,
                heard=_asked(inputs),
                said=_final(outputs),
                answered=outputs is not None,
            )
        case "memory":
            call = call_of(span.name, inputs)
            return Step(kind=kind, dialect=NAME, call=call, result=outputs, answered=outputs is not None)
        case _:
            return Step(kind=kind, dialect=NAME)


def _model(span: Span, inputs: JSON, outputs: JSON) -> Step:
    attributes = span.attributes
    counts = fields(parsed(first(attributes, "mlflow.chat.tokenUsage")))
    said = conversation(outputs, "agent")
    return Step(
        kind="model",
        dialect=NAME,
        heard=_asked(inputs),
        said=tuple(Said("agent", each.parts) for each in said),
        answered=outputs is not None,
        offered=tools_of(parsed(attributes.get("mlflow.chat.tools"))) or tools_of(fields(inputs).get("tools")),
        spent=Spent(whole(counts.get("input_tokens")), whole(counts.get("output_tokens"))),
    )


def _asked(inputs: JSON) -> tuple[Said, ...]:
    """What was asked: messages, or the one text among the inputs."""
    holder = fields(inputs)
    if not holder or any(name in holder for name in ("messages", "contents", "role")):
        return conversation(inputs)
    told = first(holder, "input", "prompt", "query", "question", "task", "request")
    if told is None and len(holder) == 1:
        told = next(iter(holder.values()))
    return conversation(told) if is_words(told) else ()


def _final(outputs: JSON) -> tuple[Said, ...]:
    holder = fields(outputs)
    told = first(holder, "output", "answer", "response", "content") if holder else outputs
    if holder and told is None:
        spoken = [said.text for said in conversation(outputs, "agent") if said.by == "agent" and said.text]
        told = spoken[-1] if spoken else None
    return conversation(told, "agent") if isinstance(told, str) else _of_items(told)


def _of_items(told: JSON) -> tuple[Said, ...]:
    spoken = [said.text for said in conversation(items(told), "agent") if said.by == "agent" and said.text]
    return conversation(spoken[-1], "agent") if spoken else ()
