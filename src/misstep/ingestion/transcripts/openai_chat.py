"""OpenAI chat messages: a list, an object with `messages` and perhaps `tools`, or a logged request and its response."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.accounts import usage_of
from misstep.ingestion.content import other_parts, reasoning_of, result_of, text_of
from misstep.ingestion.definitions import tools_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import first, name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import conversation_of, named
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.times import moment_of

NAME = "openai-chat"

_ROLES = frozenset("system developer user assistant tool function".split())
_KNOWN = frozenset(
    "role content name tool_calls function_call tool_call_id refusal reasoning reasoning_content timestamp created_at"
    " usage".split()
)


def recognises(value: JSON) -> bool:
    messages = messages_of(value)
    return bool(messages) and all(_is_message(each) for each in messages[:8])


def _is_message(value: JSON) -> bool:
    message = table(value)
    role = message.get("role")
    said = "content" in message or "tool_calls" in message or "function_call" in message
    return isinstance(role, str) and role in _ROLES and said


def messages_of(value: JSON) -> list[JSON]:
    """The messages of a record, with the one that answered them where it is logged beside them."""
    record = table(value)
    messages = rows(value) or rows(record.get("messages")) or rows(table(record.get("request")).get("messages"))
    answered = record if "choices" in record else table(record.get("response"))
    answer = table(first(answered.get("choices")).get("message"))
    return [*messages, answer] if answer else messages


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    request, response = table(value.get("request")), table(value.get("response"))
    messages = messages_of(record.value)
    draft = Draft(losses)
    add_messages(draft, messages)
    if not len(draft):
        yield BadRecord(file, record.place, "It has no messages.")
        return
    offered = [value.get("tools"), request.get("tools"), value.get("functions"), request.get("functions")]
    accounts = [value.get("usage") or response.get("usage"), *(table(each).get("usage") for each in messages)]
    models = [name(each.get("model")) for each in (value, request, response)]
    yield draft.trace(
        named(record, file),
        origin=Origin(conversation=conversation_of(value), agent=next(filter(None, models), None)),
        tools=tools_of(next(filter(None, offered), None)),
        usage=usage_of(accounts),
    )


def add_messages(draft: Draft, messages: Iterable[JSON]) -> None:
    """Write what each message says, by its place in the list."""
    for at, each in enumerate(messages):
        message = table(each)
        if not message:
            continue
        draft.now(moment_of(message))
        match message.get("role"):
            case "system" | "developer":
                draft.said("system", text_of(message.get("content")), actor="system", source=at, raw=_raw(message))
            case "user":
                draft.said("user", text_of(message.get("content")), actor="user", source=at, raw=_raw(message))
            case "tool" | "function":
                _add_result(draft, at, message)
            case _:
                _add_turn(draft, at, message)


def _add_turn(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    role = name(message.get("role"))
    actor = name(message.get("name")) or (role if role not in _ROLES else "") or "agent"
    content = message.get("content")
    reasoning = text_of(message.get("reasoning_content") or message.get("reasoning")) or reasoning_of(content)
    draft.thought(reasoning, actor=actor, source=at)
    calls = tables(message.get("tool_calls"))
    older = table(message.get("function_call"))
    said = text_of(content) or text(message.get("refusal"))
    if said or not (calls or older or reasoning):
        draft.said("agent", said, actor=actor, source=at, raw=_raw(message))
    for call in calls:
        function = table(call.get("function")) or table(call.get("custom")) or call
        arguments = function.get("arguments", function.get("input"))
        draft.called(name(function.get("name")), arguments, call_id=name(call.get("id")), actor=actor, source=at)
    if older:
        draft.called(name(older.get("name")), older.get("arguments"), call_id="", actor=actor, source=at)


def _add_result(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    draft.answered(
        result_of(message.get("content")),
        call_id=name(message.get("tool_call_id")),
        tool=name(message.get("name")),
        source=at,
        is_error=message.get("is_error") is True or message.get("status") == "error",
        raw=_raw(message),
    )


def _raw(message: Mapping[str, JSON]) -> Mapping[str, JSON]:
    rest = {key: value for key, value in message.items() if key not in _KNOWN}
    parts = other_parts(message.get("content"))
    return {**rest, "parts": parts} if parts else rest
