"""Plain transcripts: a list of things said and done, each naming who and what in one of the usual words."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from misstep.core.event import Role
from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.content import reasoning_of, result_of, text_of
from misstep.ingestion.definitions import tools_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import conversation_of, named
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.times import MOMENTS, moment_of

NAME = "plain"

_LISTS = "messages conversations conversation turns dialog dialogue transcript events history steps items log".split()
_SPEAKERS = ("role", "from", "speaker", "author", "sender", "actor", "agent")
_TEXTS = ("content", "text", "message", "value", "body", "utterance", "said")
_TOOLS = ("tool", "tool_name", "function", "function_name", "name")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "params", "tool_input")
_RESULTS = ("result", "output", "response", "observation", "content", "text", "value")
_IDS = ("tool_call_id", "call_id", "id")

_USERS = frozenset("user human customer client person".split())
_SYSTEMS = frozenset("system developer instruction instructions".split())
_AGENTS = frozenset("assistant ai agent bot model gpt chatbot llm".split())
_CALLS = frozenset("tool_call function_call tool_use call action toolcall".split())
_ANSWERS = frozenset(
    "tool function observation tool_result tool_response tool_output function_call_output function_response"
    " toolresult environment".split()
)
_THOUGHTS = frozenset("thought thinking reasoning".split())
_KNOWN = frozenset((*_SPEAKERS, *_TEXTS, *_IDS, *MOMENTS, "type", "tool_calls", "to", "recipient"))


def recognises(value: JSON) -> bool:
    entries = _entries(value)
    return bool(entries) and all(_sort(table(each)) for each in entries[:8])


def _entries(value: JSON) -> list[JSON]:
    listed = rows(value)
    record = table(value)
    return listed or next((found for key in _LISTS if (found := rows(record.get(key)))), listed)


def _sort(entry: Mapping[str, JSON]) -> str:
    """Whether an entry was said, thought, called or answered; nothing where it is none of these."""
    kind = text(entry.get("type") or entry.get("event") or entry.get("kind")).lower()
    who = _speaker(entry).lower()
    if kind in _CALLS and _named_tool(entry):
        return "called"
    if kind in _ANSWERS or who in _ANSWERS:
        return "answered" if any(key in entry for key in _RESULTS) else ""
    if kind in _THOUGHTS:
        return "thought"
    spoken = any(key in entry for key in _TEXTS) or "tool_calls" in entry
    known = kind in _USERS or kind in _SYSTEMS or kind in _AGENTS
    return "said" if spoken and (who or known) else ""


def _speaker(entry: Mapping[str, JSON]) -> str:
    for key in _SPEAKERS:
        found = entry.get(key)
        who = name(found) or name(table(found).get("role")) or name(table(found).get("name"))
        if who:
            return who
    return ""


def _named_tool(entry: Mapping[str, JSON]) -> str:
    found = next((entry[key] for key in _TOOLS if entry.get(key)), None)
    return name(found) or name(table(found).get("name"))


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    entries = _entries(record.value)
    draft = Draft(losses)
    for at, each in enumerate(entries):
        _add(draft, at, table(each))
    if not len(draft):
        yield BadRecord(file, record.place, "Nothing in it is said or done by anybody: no role and no content.")
        return
    conversation = conversation_of(value) or next(filter(None, map(conversation_of, entries[:1])), None)
    yield draft.trace(
        conversation or named(record, file),
        origin=Origin(conversation=conversation, agent=name(value.get("model")) or None),
        tools=tools_of(value.get("tools") or value.get("functions")),
    )


def _add(draft: Draft, at: Source, entry: Mapping[str, JSON]) -> None:
    draft.now(moment_of(entry))
    who = _speaker(entry)
    actor = name(entry.get("name")) or ("" if who.lower() in _AGENTS else who) or "agent"
    match _sort(entry):
        case "called":
            _add_call(draft, at, entry, _actor_of_call(who))
        case "answered":
            _add_answer(draft, at, entry)
        case "thought":
            draft.thought(_said(entry), actor=actor, source=at)
        case "said":
            _add_said(draft, at, entry, actor)
        case _:
            pass


def _add_said(draft: Draft, at: Source, entry: Mapping[str, JSON], actor: str) -> None:
    role = _role(entry)
    said, calls = _said(entry), tables(entry.get("tool_calls"))
    thought = reasoning_of(entry.get("content"))
    draft.thought(thought, actor=actor, source=at)
    if said or not (calls or thought):
        rest = {key: value for key, value in entry.items() if key not in _KNOWN}
        to = name(entry.get("to")) or name(entry.get("recipient")) or None
        draft.said(role, said, actor=actor if role == "agent" else role, source=at, to=to, raw=rest)
    for call in calls:
        _add_call(draft, at, {**call, **table(call.get("function"))}, actor)


def _role(entry: Mapping[str, JSON]) -> Role:
    words = {_speaker(entry).lower(), text(entry.get("type")).lower()}
    return "user" if words & _USERS else "system" if words & _SYSTEMS else "agent"


def _actor_of_call(who: str) -> str:
    return "agent" if not who or who.lower() in _AGENTS | _ANSWERS else who


def _add_call(draft: Draft, at: Source, entry: Mapping[str, JSON], actor: str) -> None:
    arguments = next((entry[key] for key in _ARGUMENTS if key in entry), None)
    call_id = next((found for key in _IDS if (found := name(entry.get(key)))), "")
    draft.called(_named_tool(entry), arguments, call_id=call_id, actor=actor, source=at)
    if entry.get("result") is not None or entry.get("output") is not None:
        came = entry.get("result") if entry.get("result") is not None else entry.get("output")
        draft.answered(result_of(came), call_id=call_id, tool=_named_tool(entry), source=at, is_error=_failed(entry))


def _add_answer(draft: Draft, at: Source, entry: Mapping[str, JSON]) -> None:
    came = next((entry[key] for key in _RESULTS if entry.get(key) is not None), None)
    ids = [name(entry.get(key)) for key in _IDS[:2]]
    draft.answered(
        result_of(came),
        call_id=next(filter(None, ids), ""),
        tool=_named_tool(entry),
        source=at,
        is_error=_failed(entry),
    )


def _failed(entry: Mapping[str, JSON]) -> bool:
    return entry.get("is_error") is True or entry.get("status") == "error"


def _said(entry: Mapping[str, JSON]) -> str:
    for key in _TEXTS:
        found = entry.get(key)
        if said := text_of(found) or text_of(table(found).get("content")):
            return said
    return ""
