"""Langfuse: `langfuse.observation.…`, in spans and, put there by the reader, in its own exports."""

from collections.abc import Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.calls import call_of, tools_of
from misstep.ingestion.spans.messages import bare, conversation
from misstep.ingestion.spans.said import Said
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Kind, Spent, Step
from misstep.ingestion.spans.values import fields, first, first_text, is_words, items, number, parsed, text, whole

NAME = "langfuse"
ROOTS = ("langfuse",)
ADVICE = "set LANGFUSE_OBSERVE_DECORATOR_IO_CAPTURE_ENABLED=true"
HELD = ("langfuse.observation.", "langfuse.trace.", "langfuse.session.", "langfuse.user.")

_PREFIX = "langfuse.observation."
_KINDS: dict[str, Kind] = {
    "generation": "model",
    "tool": "tool",
    "retriever": "tool",
    "agent": "agent",
    "chain": "chain",
    "span": "chain",
}


def recognises(span: Span) -> bool:
    attributes = span.attributes
    return f"{_PREFIX}type" in attributes or f"{_PREFIX}input" in attributes or f"{_PREFIX}output" in attributes


def step(span: Span) -> Step:
    attributes = span.attributes
    kind = _KINDS.get(text(attributes.get(f"{_PREFIX}type")).lower(), "other")
    given = parsed(first(attributes, f"{_PREFIX}input"))
    answer = parsed(first(attributes, f"{_PREFIX}output"))
    match kind:
        case "model":
            return _model(attributes, given, answer)
        case "tool":
            answer, wrong = bare(answer)
            return Step(
                kind=kind,
                dialect=NAME,
                call=call_of(first_text(attributes, "gen_ai.tool.name") or span.name, _arguments(given)),
                result=answer,
                answered=answer is not None,
                is_error=wrong or attributes.get(f"{_PREFIX}level") == "ERROR",
            )
        case "agent":
            heard = conversation(_asked(given))
            return Step(
                kind=kind,
                dialect=NAME,
                agent=span.name,
                heard=heard,
                said=_final(answer),
                answered=answer is not None,
            )
        case _:
            return Step(kind=kind, dialect=NAME)


def _model(attributes: Mapping[str, JSON], given: JSON, answer: JSON) -> Step:
    counts = fields(first(attributes, f"{_PREFIX}usage_details"))
    costs = fields(first(attributes, f"{_PREFIX}cost_details"))
    said = conversation(answer, "agent")
    return Step(
        kind="model",
        dialect=NAME,
        heard=conversation(given),
        said=tuple(Said("agent", each.parts) for each in said),
        answered=answer is not None,
        offered=tools_of(fields(given).get("tools")),
        spent=Spent(
            whole(first(counts, "input", "prompt_tokens", "input_tokens")),
            whole(first(counts, "output", "completion_tokens", "output_tokens")),
            number(costs.get("total")),
        ),
    )


def _asked(given: JSON) -> JSON:
    holder = fields(given)
    if not holder or "role" in holder:
        return given if is_words(given) else None
    called = fields(holder.get("kwargs")) or holder
    found = first(called, "messages", "input", "query", "question", "prompt", "task", "message")
    positional = items(holder.get("args"))
    return _asked(positional[0]) if found is None and len(positional) == 1 else found


def _arguments(given: JSON) -> JSON:
    envelope = fields(given)
    if envelope and set(envelope) <= {"args", "kwargs"}:
        numbered = enumerate(items(envelope.get("args")), 1)
        return {f"argument {at}": value for at, value in numbered} | dict(fields(envelope.get("kwargs")))
    return given


def _final(answer: JSON) -> tuple[Said, ...]:
    if isinstance(answer, str):
        return conversation(answer, "agent")
    spoken = [said.text for said in conversation(answer, "agent") if said.by == "agent" and said.text]
    return conversation(spoken[-1], "agent") if spoken else ()
