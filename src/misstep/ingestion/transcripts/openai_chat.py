"""OpenAI chat messages: a list of them, or an object with `messages` and perhaps `tools`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.content import other_parts, result_of, text_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record

NAME = "openai-chat"

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_KNOWN = frozenset(
    "role content name tool_calls function_call tool_call_id refusal reasoning reasoning_content".split()
)


def recognises(value: JSON) -> bool:
    messages = _messages(value)
    return bool(messages) and all(
        table(each).get("role") in _ROLES and ("content" in table(each) or "tool_calls" in table(each))
        for each in messages[:8]
    )


def _messages(value: JSON) -> list[JSON]:
    return rows(value) or rows(table(value).get("messages"))


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    draft = Draft(losses)
    add_messages(draft, _messages(record.value))
    if not len(draft):
        yield BadRecord(file, record.place, "It has no messages.")
        return
    yield draft.trace(file.stem)


def add_messages(draft: Draft, messages: Iterable[JSON]) -> None:
    """Write what each message says, by its place in the list."""
    for at, each in enumerate(messages):
        message = table(each)
        draft.now(message.get("timestamp") or message.get("created_at"))
        match message.get("role"):
            case "system" | "developer":
                draft.said("system", text_of(message.get("content")), actor="system", source=at, raw=_raw(message))
            case "user":
                draft.said("user", text_of(message.get("content")), actor="user", source=at, raw=_raw(message))
            case "tool" | "function":
                _add_result(draft, at, message)
            case "assistant":
                _add_turn(draft, at, message)
            case _:
                if text_of(message.get("content")):
                    actor = name(message.get("role")) or "agent"
                    draft.said("agent", text_of(message.get("content")), actor=actor, source=at, raw=_raw(message))


def _add_turn(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    actor = name(message.get("name")) or "agent"
    reasoning = text_of(message.get("reasoning_content") or message.get("reasoning"))
    draft.thought(reasoning, actor=actor, source=at)
    calls = tables(message.get("tool_calls"))
    older = table(message.get("function_call"))
    said = text_of(message.get("content")) or text(message.get("refusal"))
    if said or not (calls or older or reasoning):
        draft.said("agent", said, actor=actor, source=at, raw=_raw(message))
    for call in calls:
        function = table(call.get("function")) or table(call.get("custom"))
        arguments = function.get("arguments", function.get("input"))
        draft.called(name(function.get("name")), arguments, call_id=name(call.get("id")), actor=actor, source=at)
    if older:
        draft.called(name(older.get("name")), older.get("arguments"), call_id="", actor=actor, source=at)


def _add_result(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    is_error = message.get("is_error") is True or message.get("status") == "error"
    draft.answered(
        result_of(message.get("content")),
        call_id=name(message.get("tool_call_id")),
        tool=name(message.get("name")),
        source=at,
        is_error=is_error,
        raw=_raw(message),
    )


def _raw(message: Mapping[str, JSON]) -> Mapping[str, JSON]:
    rest = {key: value for key, value in message.items() if key not in _KNOWN}
    parts = other_parts(message.get("content"))
    return {**rest, "parts": parts} if parts else rest
