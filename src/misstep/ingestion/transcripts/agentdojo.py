"""AgentDojo runs: one task of a suite, perhaps under attack; the grading tells only whether it failed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import structs

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.content import reasoning_of, result_of, text_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, number, rows, table, tables, text, truth
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record

NAME = "agentdojo"


def recognises(value: JSON) -> bool:
    record = table(value)
    return isinstance(record.get("messages"), list) and "suite_name" in record and "user_task_id" in record


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    draft = Draft(losses)
    for at, each in enumerate(rows(value.get("messages"))):
        if message := table(each):
            _add(draft, at, message)
    if not len(draft):
        yield BadRecord(file, record.place, "It has no messages.")
        return
    keys = ("suite_name", "user_task_id", "injection_task_id")
    task = " ".join(filter(None, (name(value.get(key)) for key in keys)))
    origin = Origin(scenario=task or None, agent=name(value.get("pipeline_name")) or None, failed=_failed(value))
    parts = [origin.agent, task, name(value.get("attack_type"))]
    made = draft.trace(" ".join(filter(None, parts)) or file.stem, origin=origin)
    seconds = number(value.get("duration")) or 0.0
    yield structs.replace(made, usage=structs.replace(made.usage, seconds=max(seconds, 0.0)))


def _failed(value: Mapping[str, JSON]) -> bool | None:
    """The task was not done; or it was under attack, and what the attacker wanted was."""
    done, hijacked = truth(value.get("utility")), truth(value.get("security"))
    attacked = bool(value.get("injections"))
    return None if done is None else not done or (attacked and hijacked is True)


def _add(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    content = _content(message.get("content"))
    match message.get("role"):
        case "system":
            draft.said("system", text_of(content), actor="system", source=at)
        case "user":
            draft.said("user", text_of(content), actor="user", source=at)
        case "tool":
            trouble = text(message.get("error"))
            call = table(message.get("tool_call"))
            draft.answered(
                trouble or result_of(content),
                call_id=name(message.get("tool_call_id")) or name(call.get("id")),
                tool=name(call.get("function")),
                source=at,
                is_error=bool(trouble),
            )
        case _:
            _add_turn(draft, at, message, content)


def _add_turn(draft: Draft, at: Source, message: Mapping[str, JSON], content: JSON) -> None:
    reasoning, said, calls = reasoning_of(content), text_of(content), tables(message.get("tool_calls"))
    draft.thought(reasoning, actor="agent", source=at)
    if said or not (calls or reasoning):
        draft.said("agent", said, actor="agent", source=at)
    for call in calls:
        tool, arguments = name(call.get("function")), call.get("args")
        draft.called(tool, arguments, call_id=name(call.get("id")), actor="agent", source=at)


def _content(content: JSON) -> JSON:
    """Its blocks have their text in `content`, whatever their type."""
    blocks = tables(content)
    return [{"type": block.get("type"), "text": block.get("content")} for block in blocks] if blocks else content
