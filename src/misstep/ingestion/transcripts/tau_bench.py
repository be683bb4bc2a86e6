"""tau-bench: a run in `traj`, as OpenAI chat messages, with its reward; the answer key in `info` is never read."""

from collections.abc import Iterator
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.drafting import Draft
from misstep.ingestion.fields import name, number, rows, table, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.transcripts.openai_chat import add_messages

NAME = "tau-bench"


def recognises(value: JSON) -> bool:
    record = table(value)
    return isinstance(record.get("traj"), list) and "task_id" in record


def _with_status(message: JSON) -> JSON:
    """Its tools have one way to say that a call failed: a text that opens with `Error`."""
    said = table(message)
    failed = said.get("role") == "tool" and text(said.get("content")).startswith("Error")
    return {**said, "status": "error"} if failed else message


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    value = table(record.value)
    draft = Draft(losses)
    add_messages(draft, [_with_status(message) for message in rows(value.get("traj"))])
    if not len(draft):
        yield BadRecord(file, record.place, "It has no conversation: `traj` is missing or empty.")
        return
    task, reward, trial = name(value.get("task_id")), number(value.get("reward")), number(value.get("trial"))
    origin = Origin(
        scenario=f"task {task}" if task else None,
        trial=int(trial) if trial is not None else None,
        failed=reward < 1 if reward is not None else None,
    )
    parts = [file.stem, f"task {task}" if task else "", f"trial {origin.trial}" if trial is not None else ""]
    yield draft.trace(" ".join(filter(None, parts)), origin=origin)
