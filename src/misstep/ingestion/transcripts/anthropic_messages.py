"""Anthropic messages: a list, or an object with `messages`, `system` and `tools`; content comes in blocks."""

from collections.abc import Iterable, Iterator, Mapping
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

NAME = "anthropic"

_KNOWN = frozenset("role content usage model timestamp type stop_sequence".split())


def recognises(value: JSON) -> bool:
    messages = [table(each) for each in _messages(value)]
    if not messages or not all(each.get("role") in ("user", "assistant", "system") for each in messages[:8]):
        return False
    record = table(value)
    by_system = "system" in record or "system" in table(record.get("request"))
    return by_system or any(_is_telling(block) for each in messages for block in tables(each.get("content")))


def _is_telling(block: Mapping[str, JSON]) -> bool:
    kind = text(block.get("type"))
    return kind.endswith(("tool_use", "tool_result")) or kind in ("thinking", "redacted_thinking")


def _messages(value: JSON) -> list[JSON]:
    """The messages of a record, with the one that answered them where it is logged beside them."""
    record = table(value)
    request, response = table(record.get("request")), table(record.get("response"))
    messages = rows(value) or rows(record.get("messages")) or rows(request.get("messages"))
    return [*messages, response] if "role" in response and messages else messages


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    request = table(value.get("request"))
    messages = _messages(record.value)
    draft = Draft(losses)
    system = text_of(value.get("system") or request.get("system"))
    if system:
        draft.said("system", system, actor="system", source="system")
    _add_messages(draft, messages)
    if not len(draft):
        yield BadRecord(file, record.place, "It has no messages.")
        return
    models = [name(table(each).get("model")) for each in (value, request, *messages)]
    accounts = [value.get("usage"), *(table(each).get("usage") for each in messages)]
    yield draft.trace(
        named(record, file),
        origin=Origin(conversation=conversation_of(value), agent=next(filter(None, models), None)),
        tools=tools_of(value.get("tools") or request.get("tools")),
        usage=usage_of(accounts),
    )


def _add_messages(draft: Draft, messages: Iterable[JSON]) -> None:
    for at, each in enumerate(messages):
        message = table(each)
        if not message:
            continue
        draft.now(moment_of(message))
        match message.get("role"):
            case "system":
                draft.said("system", text_of(message.get("content")), actor="system", source=at)
            case "user":
                _add_user(draft, at, message)
            case _:
                _add_turn(draft, at, message)


def _add_user(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    """Results of tools travel as messages of the user, with what the user said perhaps beside them."""
    blocks = tables(message.get("content"))
    results = [block for block in blocks if text(block.get("type")).endswith("tool_result")]
    for block in results:
        _add_result(draft, at, block)
    said = text_of(message.get("content"))
    if said or not results:
        others = [kind for kind in other_parts(message.get("content")) if not str(kind).endswith("tool_result")]
        draft.said("user", said, actor="user", source=at, raw={**_rest(message), "parts": others})


def _add_result(draft: Draft, at: Source, block: Mapping[str, JSON]) -> None:
    content = block.get("content")
    failed = block.get("is_error") is True or text(table(content).get("type")).endswith("_error")
    draft.answered(result_of(content), call_id=name(block.get("tool_use_id")), source=at, is_error=failed)


def _add_turn(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    content = message.get("content")
    actor = name(message.get("name")) or "agent"
    if isinstance(content, str) or not rows(content):
        draft.said("agent", text_of(content), actor=actor, source=at, raw=_rest(message))
        return
    for block in rows(content):
        part = table(block)
        kind = text(part.get("type"))
        if kind.endswith("tool_use"):
            server = {"server_name": part.get("server_name")} if part.get("server_name") else {}
            tool, call_id = name(part.get("name")), name(part.get("id"))
            draft.called(tool, part.get("input"), call_id=call_id, actor=actor, source=at, raw=server)
        elif kind.endswith("tool_result"):
            _add_result(draft, at, part)
        elif kind in ("thinking", "redacted_thinking"):
            draft.thought(reasoning_of([block]), actor=actor, source=at)
        elif said := text_of([block]):
            draft.said("agent", said, actor=actor, source=at, raw=_rest(message))


def _rest(message: Mapping[str, JSON]) -> Mapping[str, JSON]:
    return {key: value for key, value in message.items() if key not in _KNOWN}
