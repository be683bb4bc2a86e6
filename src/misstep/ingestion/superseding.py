"""Logged requests to a model → the last one of each conversation: each repeats all that came before it."""

from collections.abc import Iterable, Iterator

from misstep.core.tool import JSON
from misstep.ingestion.fields import rows, table
from misstep.ingestion.nouns import BadRecord, Record


def latest(stream: Iterable[Record | BadRecord]) -> Iterator[Record | BadRecord]:
    """All records but those whose request the next one begins with. One record is held back at a time."""
    held: Record | None = None
    for record in stream:
        if isinstance(record, BadRecord):
            yield record
            continue
        if held is not None and not _goes_on(record.value, held.value):
            yield held
        held = record
    if held is not None:
        yield held


def _goes_on(later: JSON, earlier: JSON) -> bool:
    before, after = _asked(earlier), _asked(later)
    # Two answers to one and the same question are two conversations.
    return bool(before) and len(after) > len(before) and list(after[: len(before)]) == list(before)


def _asked(value: JSON) -> tuple[JSON, ...]:
    """What a model was asked, where a record says that apart from what it answered."""
    record = table(value)
    request = table(record.get("request")) or (record if "response" in record or "completion" in record else {})
    return tuple(rows(request.get("messages")) or rows(request.get("input")) or ())
