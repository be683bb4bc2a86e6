"""SWE-agent trajectories: the steps in `trajectory`, with the prompts before them in `history`; or `history` alone."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.accounts import usage_of
from misstep.ingestion.content import text_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import stem
from misstep.ingestion.nouns import BadRecord, Record

NAME = "swe-agent"

_SHELL = "shell"
"""What steps are called that are written as a command line."""


def recognises(value: JSON) -> bool:
    record = table(value)
    steps, told = tables(record.get("trajectory")), tables(record.get("history"))
    if steps:
        return "action" in steps[0] and "observation" in steps[0]
    return bool(told) and "message_type" in told[0]


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    steps = rows(value.get("trajectory"))
    told = [table(each) for each in rows(value.get("history"))]
    draft = Draft(losses)
    if steps:
        _add_prompts(draft, told)
        for at, each in enumerate(steps):
            _add_step(draft, at, table(each))
    else:
        for at, message in enumerate(told):
            if message:
                _add_message(draft, at, message)
    if not len(draft):
        yield BadRecord(file, record.place, "It has neither steps nor a history.")
        return
    info = table(value.get("info"))
    instance = name(value.get("instance_id")) or stem(file)
    origin = Origin(scenario=instance, agent=name(info.get("model")) or None)
    yield draft.trace(instance, origin=origin, usage=usage_of([info.get("model_stats")]))


def _add_prompts(draft: Draft, told: Iterable[Mapping[str, JSON]]) -> None:
    """What the agent was told before its first step; what it was shown of other runs is none of this one."""
    for at, message in enumerate(told):
        if message.get("is_demo") or message.get("message_type") == "demonstration":
            continue
        if message.get("role") not in ("system", "user"):
            return
        _add_message(draft, f"history {at}", message)


def _add_step(draft: Draft, at: Source, step: Mapping[str, JSON]) -> None:
    action, thought = text(step.get("action")), text(step.get("thought"))
    draft.thought(thought, actor="agent", source=at)
    if action.strip():
        raw = {"state": step.get("state"), "execution_time": step.get("execution_time")}
        _add_calls(draft, at, step, action)
        draft.answered(text_of(step.get("observation")), call_id=_last(step), source=at, raw=raw)
    elif said := text(step.get("response")):
        if said != thought:
            draft.said("agent", said, actor="agent", source=at)
        if heard := text_of(step.get("observation")):
            draft.said("system", heard, actor="environment", source=at)


def _last(step: Mapping[str, JSON]) -> str:
    return next((name(call.get("id")) for call in tables(step.get("tool_calls"))), "")


def _add_calls(draft: Draft, at: Source, step: Mapping[str, JSON], action: str) -> None:
    """A step's call: as a function where it was made so, else as the command line that it is."""
    calls = tables(step.get("tool_calls"))
    for call in calls[:1]:
        function = table(call.get("function"))
        arguments, call_id = function.get("arguments"), name(call.get("id"))
        draft.called(name(function.get("name")), arguments, call_id=call_id, actor="agent", source=at)
    if not calls:
        draft.called(_SHELL, {"command": action}, call_id="", actor="agent", source=at)


def _add_message(draft: Draft, at: Source, message: Mapping[str, JSON]) -> None:
    said = text_of(message.get("content"))
    ids = [name(each) for each in rows(message.get("tool_call_ids"))]
    match message.get("role"):
        case _ if message.get("is_demo"):
            return
        case "system":
            draft.said("system", said, actor="system", source=at)
        case "tool":
            draft.answered(said, call_id=next(iter(ids), ""), source=at)
        case "user" if message.get("message_type") == "observation" and draft.awaits:
            draft.answered(said, call_id="", source=at)
        case "user":
            draft.said("user", said, actor="user", source=at)
        case _:
            thought, action = text(message.get("thought")), text(message.get("action"))
            draft.thought(thought, actor="agent", source=at)
            if action.strip():
                _add_calls(draft, at, message, action)
            elif said and said != thought:
                draft.said("agent", said, actor="agent", source=at)
