"""LangChain and LangGraph messages, in all three forms that they are dumped in, alone or as the state of a graph."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.accounts import usage_of
from misstep.ingestion.content import other_parts, reasoning_of, result_of, text_of
from misstep.ingestion.definitions import tools_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import conversation_of, named
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.times import moment_of

NAME = "langchain"

_KINDS = {
    "human": "human",
    "HumanMessage": "human",
    "HumanMessageChunk": "human",
    "ai": "ai",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "system": "system",
    "SystemMessage": "system",
    "SystemMessageChunk": "system",
    "tool": "tool",
    "ToolMessage": "tool",
    "ToolMessageChunk": "tool",
    "function": "tool",
    "FunctionMessage": "tool",
    "chat": "chat",
    "ChatMessage": "chat",
}
_STATES = ("values", "channel_values", "state", "output", "outputs", "kwargs")
_KNOWN = frozenset(
    "type content id name tool_calls invalid_tool_calls tool_call_id status example tool_call_chunks chunk_position"
    " usage_metadata".split()
)


def recognises(value: JSON) -> bool:
    messages = _messages(value)
    return bool(messages) and all(_kind(each) for each in messages[:8])


def _messages(value: JSON) -> list[JSON]:
    """The messages of a list, of a graph's state, or of a checkpoint that holds one."""
    record = table(value)
    held = rows(value) or rows(record.get("messages"))
    states = (rows(table(record.get(key)).get("messages")) for key in _STATES)
    return held or next((state for state in states if state), held)


def _kind(value: JSON) -> str:
    """What sort of message it is; nothing of what is no message of this dialect."""
    message = table(value)
    kind = message.get("type")
    if kind == "constructor" and "lc" in message:
        kind = next(iter(rows(message.get("id"))[-1:]), None)
    elif not ("content" in message or "data" in message):
        return ""
    return _KINDS.get(kind, "") if isinstance(kind, str) else ""


def _fields(value: JSON) -> Mapping[str, JSON]:
    message = table(value)
    if message.get("type") == "constructor":
        return table(message.get("kwargs"))
    return table(message.get("data")) if isinstance(message.get("data"), dict) else message


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    messages = _messages(record.value)
    draft = Draft(losses)
    for at, each in enumerate(messages):
        if fields := _fields(each):
            _add(draft, at, _kind(each), fields)
    if not len(draft):
        yield BadRecord(file, record.place, "It has no messages.")
        return
    told = [table(_fields(each).get("response_metadata")) for each in messages]
    models = (name(each.get("model_name")) or name(each.get("model")) for each in told)
    yield draft.trace(
        named(record, file),
        origin=Origin(conversation=conversation_of(value), agent=next(filter(None, models), None)),
        tools=tools_of(value.get("tools")),
        usage=usage_of(_fields(each).get("usage_metadata") for each in messages),
    )


def _add(draft: Draft, at: Source, kind: str, fields: Mapping[str, JSON]) -> None:
    content = fields.get("content")
    draft.now(moment_of(fields) or moment_of(table(fields.get("response_metadata"))))
    match kind:
        case "human":
            draft.said("user", text_of(content), actor="user", source=at, raw=_raw(fields))
        case "system":
            draft.said("system", text_of(content), actor="system", source=at, raw=_raw(fields))
        case "tool":
            draft.answered(
                result_of(content),
                call_id=name(fields.get("tool_call_id")),
                tool=name(fields.get("name")),
                source=at,
                is_error=fields.get("status") == "error",
                raw=_raw(fields),
            )
        case _:
            _add_turn(draft, at, fields)


def _add_turn(draft: Draft, at: Source, fields: Mapping[str, JSON]) -> None:
    content, more = fields.get("content"), table(fields.get("additional_kwargs"))
    actor = name(fields.get("name")) or name(fields.get("role")) or "agent"
    reasoning = reasoning_of(content) or text(more.get("reasoning_content"))
    draft.thought(reasoning, actor=actor, source=at)
    calls = list(_calls(fields, more))
    said = text_of(content)
    if said or not (calls or reasoning):
        draft.said("agent", said, actor=actor, source=at, raw=_raw(fields))
    for tool, arguments, call_id in calls:
        draft.called(tool, arguments, call_id=call_id, actor=actor, source=at)


def _calls(fields: Mapping[str, JSON], more: Mapping[str, JSON]) -> Iterator[tuple[str, JSON, str]]:
    """The calls of a message, those that could not be parsed too; in old dumps they are the provider's own."""
    both = [*tables(fields.get("tool_calls")), *tables(fields.get("invalid_tool_calls"))]
    for call in both:
        yield name(call.get("name")), call.get("args"), name(call.get("id"))
    if not both:
        for call in tables(more.get("tool_calls")):
            function = table(call.get("function"))
            yield name(function.get("name")), function.get("arguments"), name(call.get("id"))
        older = table(more.get("function_call"))
        if older:
            yield name(older.get("name")), older.get("arguments"), ""


def _raw(fields: Mapping[str, JSON]) -> Mapping[str, JSON]:
    parts = [kind for kind in other_parts(fields.get("content")) if kind != "tool_use"]
    rest = {key: value for key, value in fields.items() if key not in _KNOWN}
    return {**rest, "parts": parts} if parts else rest
