"""tau-bench and tau2: a run as chat messages, with its reward; the answer key beside it is never read."""

from collections.abc import Iterator
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.drafting import Draft
from misstep.ingestion.fields import name, number, rows, table, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import stem
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.transcripts.openai_chat import add_messages

NAME = "tau-bench"


def recognises(value: JSON) -> bool:
    record = table(value)
    graded = isinstance(record.get("messages"), list) and "reward_info" in record
    return "task_id" in record and (isinstance(record.get("traj"), list) or graded)


def _levelled(message: JSON) -> JSON:
    """Its tools have one way to say that a call failed: a text that opens with `Error`; tau2 has a field for it too."""
    said = table(message)
    if said.get("role") != "tool":
        return message
    failed = text(said.get("content")).startswith("Error") or said.get("error") is True
    call_id = said.get("tool_call_id") or said.get("id")
    return {**said, "tool_call_id": call_id, **({"status": "error"} if failed else {})}


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    draft = Draft(losses)
    add_messages(draft, [_levelled(each) for each in rows(value.get("traj")) or rows(value.get("messages"))])
    if not len(draft):
        yield BadRecord(file, record.place, "It has no conversation: neither `traj` nor `messages` has anything.")
        return
    reward = number(value.get("reward", table(value.get("reward_info")).get("reward")))
    task, trial = name(value.get("task_id")), number(value.get("trial"))
    origin = Origin(
        scenario=f"task {task}" if task else None,
        trial=int(trial) if trial is not None else None,
        failed=reward < 1 if reward is not None else None,
    )
    parts = [stem(file), f"task {task}" if task else "", f"trial {origin.trial}" if trial is not None else ""]
    yield draft.trace(" ".join(filter(None, parts)), origin=origin)
