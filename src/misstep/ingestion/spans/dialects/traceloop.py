"""Traceloop (OpenLLMetry): entities, and prompts flattened into `gen_ai.prompt.N.…`."""

from collections import defaultdict
from collections.abc import Mapping

from misstep.core.tool import JSON, Tool
from misstep.ingestion.content import result_of
from misstep.ingestion.spans.calls import call_of
from misstep.ingestion.spans.dialects import genai
from misstep.ingestion.spans.messages import bare, conversation, parts_of
from misstep.ingestion.spans.said import Part, Reasoning, Result, Said, speaker
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Kind, Step
from misstep.ingestion.spans.values import fields, first, first_text, is_words, items, parsed, structure, text

NAME = "traceloop"
ROOTS = ("traceloop", "gen_ai")
ADVICE = "set TRACELOOP_TRACE_CONTENT=true"
HELD = ("gen_ai.prompt.", "gen_ai.completion.", "llm.request.functions.", "traceloop.entity.", "llm.usage.")

_KINDS: dict[str, Kind] = {"agent": "agent", "tool": "tool", "workflow": "chain", "task": "chain"}
_Fields = dict[str, JSON]


def recognises(span: Span) -> bool:
    return any(name.startswith(("traceloop.", "gen_ai.prompt.", "gen_ai.completion.")) for name in span.attributes)


def step(span: Span) -> Step:
    attributes = span.attributes
    kind = _KINDS.get(text(attributes.get("traceloop.span.kind")), "other")
    if kind == "tool":
        return _tool(span)
    if kind == "agent":
        return _agent(attributes)
    if kind == "other":
        return _model(attributes)
    return Step(kind=kind, dialect=NAME)


def _model(attributes: Mapping[str, JSON]) -> Step:
    prompts, completions, functions = _numbered(attributes)
    if not prompts and not completions and "llm.request.type" not in attributes:
        return Step(dialect=NAME)
    return Step(
        kind="model",
        dialect=NAME,
        heard=tuple(_message(each, "user") for each in prompts),
        said=tuple(_message(each, "assistant") for each in completions),
        answered=bool(completions),
        offered=tuple(
            Tool(text(each["name"]), text(each.get("description")), dict(fields(each.get("parameters"))))
            for each in functions
            if each.get("name")
        ),
        spent=genai.spent(attributes),
    )


def _numbered(attributes: Mapping[str, JSON]) -> tuple[list[_Fields], list[_Fields], list[_Fields]]:
    """Prompts, completions and functions, each in the order of their numbers."""
    groups = ("gen_ai.prompt.", "gen_ai.completion.", "llm.request.functions.")
    found: list[defaultdict[int, _Fields]] = [defaultdict(dict) for _ in groups]
    for name, value in attributes.items():
        for prefix, numbered in zip(groups, found, strict=True):
            if name.startswith(prefix):
                index, _, rest = name.removeprefix(prefix).partition(".")
                if index.isdecimal() and len(index) < 7:
                    numbered[int(index)][rest] = value
    prompts, completions, functions = ([each for _, each in sorted(numbered.items())] for numbered in found)
    return prompts, completions, functions


def _message(message: _Fields, role: str) -> Said:
    by = speaker(message.get("role") or role)
    content = structure(message.get("content"))
    if by == "tool":
        return Said(by, (Result(first_text(message, "tool_call_id"), text(message.get("name")), result_of(content)),))
    parts: list[Part] = []
    if reasoning := first_text(message, "reasoning"):
        parts.append(Reasoning(reasoning))
    parts += parts_of(content if is_words(content) else text(content))
    numbered: defaultdict[int, _Fields] = defaultdict(dict)
    for name, value in message.items():
        if name.startswith("tool_calls."):
            index, _, rest = name.removeprefix("tool_calls.").partition(".")
            if index.isdecimal() and len(index) < 7:
                numbered[int(index)][rest] = value
    parts += [call_of(each.get("name"), each.get("arguments"), each.get("id")) for _, each in sorted(numbered.items())]
    return Said(by, tuple(parts))


def _agent(attributes: Mapping[str, JSON]) -> Step:
    given = fields(attributes.get("traceloop.entity.input"))
    inputs = fields(given.get("inputs"))
    asked = first(inputs, "messages", "input", "question", "query", "task")
    answer = parsed(attributes.get("traceloop.entity.output"))
    outputs = fields(fields(answer).get("outputs"))
    final = first(outputs, "output", "answer") if outputs else answer
    return Step(
        kind="agent",
        dialect=NAME,
        agent=first_text(attributes, "gen_ai.agent.name", "traceloop.entity.name"),
        heard=conversation(asked) if asked is not None else (),
        said=conversation(final, "agent") if isinstance(final, str) else (),
        answered=answer is not None,
    )


def _tool(span: Span) -> Step:
    attributes = span.attributes
    name = first_text(attributes, "gen_ai.tool.name", "traceloop.entity.name") or span.name.removesuffix(".tool")
    answer = structure(attributes.get("traceloop.entity.output"))
    wrapped = fields(answer)
    if "output" in wrapped and set(wrapped) <= {"output", "kwargs"}:
        answer = wrapped["output"]
    answer, wrong = bare(answer)
    return Step(
        kind="tool",
        dialect=NAME,
        call=call_of(name, _arguments(attributes.get("traceloop.entity.input")), attributes.get("gen_ai.tool.call.id")),
        result=answer,
        answered=answer is not None,
        is_error=wrong,
    )


def _arguments(given: JSON) -> JSON:
    """Arguments out of the envelope of a callback, or of a decorated function."""
    envelope = fields(given)
    inner = fields(envelope.get("inputs"))
    if inner:
        return dict(inner)
    if "input_str" in envelope:
        told = fields(envelope["input_str"])
        return dict(told) if told else {"input": envelope["input_str"]}
    if {"args", "kwargs"} >= set(envelope) and envelope:
        positional = items(envelope.get("args"))
        numbered = {f"argument {at}": value for at, value in enumerate(positional, 1)}
        return numbered | dict(fields(envelope.get("kwargs")))
    return given
