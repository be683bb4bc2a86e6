"""A record and the file it stands in → what its trace is called, and which conversation it says it is."""

from pathlib import Path

from misstep.core.tool import JSON
from misstep.ingestion.fields import name, table
from misstep.ingestion.nouns import Record

CONVERSATIONS = (
    "conversation_id",
    "conversationId",
    "session_id",
    "sessionId",
    "thread_id",
    "threadId",
    "chat_id",
    "chatId",
    "dialog_id",
    "trace_id",
    "traceId",
    "run_id",
    "runId",
    "conversation",
    "session",
    "thread",
)
"""Keys by which messages and records name their conversation."""

_KEYS = frozenset(CONVERSATIONS)
_LONGEST = 200


def conversation_of(value: JSON) -> str | None:
    """The conversation that a record or a message says it is of."""
    record = table(value)
    if _KEYS.isdisjoint(record):
        return None
    return next((found[:_LONGEST] for key in CONVERSATIONS if (found := name(record.get(key)))), None)


def stem(file: Path) -> str:
    """A file's name without its endings: `runs.jsonl.gz` is `runs`."""
    return file.name.removesuffix(".gz").rpartition(".")[0] or file.name


def named(record: Record, file: Path) -> str:
    """The name that a record gives itself; else the file's, with the record's place where it is one of several."""
    value = table(record.value)
    own = conversation_of(value) or name(value.get("id"))[:_LONGEST]
    return own or f"{stem(file)} {record.place}".strip()
