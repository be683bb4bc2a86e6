"""OpenAI Responses items: a list of them, or an object with `input`, `output`, `instructions` and `tools`."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import cast

from misstep.core.tool import JSON, Tool
from misstep.core.trace import Origin, Trace
from misstep.ingestion.accounts import usage_of
from misstep.ingestion.content import other_parts, result_of, text_of
from misstep.ingestion.definitions import tools_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import conversation_of, named
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.times import moment_of

NAME = "openai-responses"

_TELLING = frozenset(
    "function_call function_call_output custom_tool_call custom_tool_call_output reasoning mcp_call mcp_list_tools"
    " mcp_approval_request web_search_call file_search_call code_interpreter_call computer_call computer_call_output"
    " image_generation_call local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call"
    " apply_patch_call_output".split()
)
_KNOWN = frozenset("type role content id call_id name arguments input output error status timestamp agent".split())


def recognises(value: JSON) -> bool:
    items = [table(each) for each in _items(value)]
    kinds = [item.get("type") for item in items]
    if not all(isinstance(kind, str) or "role" in item for kind, item in zip(kinds, items, strict=True)):
        return False
    return any(isinstance(kind, str) and kind in _TELLING for kind in kinds) or any(map(_is_message, items))


def _is_message(item: Mapping[str, JSON]) -> bool:
    parts = tables(item.get("content"))
    return item.get("type") == "message" and any(part.get("type") in ("input_text", "output_text") for part in parts)


def _items(value: JSON) -> list[JSON]:
    """The items that were given and those that came back, in order."""
    listed = rows(value)
    if listed:
        return listed
    record, response = table(value), table(table(value).get("response"))
    given = record.get("input") or table(record.get("request")).get("input")
    asked: list[JSON] = (
        [{"type": "message", "role": "user", "content": given}] if isinstance(given, str) else rows(given)
    )
    return [*asked, *(rows(record.get("output")) or rows(response.get("output")) or rows(record.get("items")))]


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    items = _items(record.value)
    told = [value, table(value.get("request")), table(value.get("response"))]
    draft = Draft(losses)
    instructions = next(filter(None, (text_of(each.get("instructions")) for each in told)), "")
    if instructions:
        draft.said("system", instructions, actor="system", source="instructions")
    add_items(draft, items)
    if not len(draft):
        yield BadRecord(file, record.place, "It has no items.")
        return
    yield draft.trace(
        named(record, file),
        origin=Origin(
            conversation=conversation_of(value),
            agent=next(filter(None, (name(each.get("model")) for each in told)), None),
        ),
        tools=_offered(items, told),
        usage=usage_of([value.get("usage") or told[2].get("usage")]),
    )


def _offered(items: Iterable[JSON], told: Iterable[Mapping[str, JSON]]) -> tuple[Tool, ...]:
    listed = (table(item).get("tools") for item in items if table(item).get("type") == "mcp_list_tools")
    stated = (each.get("tools") for each in told)
    return tools_of([*chain.from_iterable(map(rows, (*stated, *listed)))])


def add_items(draft: Draft, items: Iterable[JSON]) -> None:
    """Write what each item says, by its place in the list."""
    for at, each in enumerate(items):
        item = table(each)
        draft.now(moment_of(item))
        kind = text(item.get("type"))
        actor = name(item.get("agent")) or "agent"
        raw = {key: value for key, value in item.items() if key not in _KNOWN}
        if kind == "message" or (not kind and "role" in item):
            _add_message(draft, at, item, actor, raw)
        elif kind == "reasoning":
            told = text_of(item.get("summary")) or text_of(item.get("content"))
            draft.thought(told, actor=actor, source=at)
        elif kind.endswith("_output"):
            _add_output(draft, at, item)
        elif kind == "mcp_call" or kind.endswith("_call"):
            _add_call(draft, at, item, actor)


def _add_message(draft: Draft, at: Source, item: Mapping[str, JSON], actor: str, raw: Mapping[str, JSON]) -> None:
    content = item.get("content")
    parts = other_parts(content)
    raw = {**raw, "parts": parts} if parts else raw
    match item.get("role"):
        case "system" | "developer":
            draft.said("system", text_of(content), actor="system", source=at, raw=raw)
        case "user":
            draft.said("user", text_of(content), actor="user", source=at, raw=raw)
        case _:
            draft.said("agent", text_of(content), actor=actor, source=at, raw=raw)


def _add_output(draft: Draft, at: Source, item: Mapping[str, JSON]) -> None:
    draft.answered(
        result_of(item.get("output")),
        call_id=name(item.get("call_id")) or name(item.get("id")),
        source=at,
        is_error=_failed(item),
    )


def _failed(item: Mapping[str, JSON]) -> bool:
    return item.get("status") in ("failed", "error") or bool(item.get("error"))


def _add_call(draft: Draft, at: Source, item: Mapping[str, JSON], actor: str) -> None:
    """A call of a function, whose output is an item of its own; or of a tool of the provider, with what came of it."""
    kind = text(item.get("type"))
    tool = name(item.get("name")) or kind.removesuffix("_call")
    call_id = name(item.get("call_id")) or name(item.get("id"))
    keys = ("arguments", "input", "action", "operation", "queries", "code")
    asked = next((item[key] for key in keys if item.get(key) is not None), None)
    given: JSON = asked
    if isinstance(asked, list) or (asked is not None and asked is item.get("code")):
        given = {"queries" if isinstance(asked, list) else "code": cast(JSON, asked)}
    server = {"server_label": item.get("server_label")} if item.get("server_label") else {}
    draft.called(tool, given, call_id=call_id, actor=actor, source=at, raw=server)
    came = next((item[key] for key in ("output", "results", "outputs", "error") if item.get(key) is not None), None)
    if came is not None:
        draft.answered(result_of(came), call_id=call_id, source=at, is_error=_failed(item))
    elif "call_id" not in item:  # done by the provider, who does not say what came of it
        draft.answered(None, call_id=call_id, source=at, is_error=_failed(item), raw={"status": item.get("status")})
