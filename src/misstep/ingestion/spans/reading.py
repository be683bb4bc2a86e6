"""A file of spans, in any format and dialect → Traces, one a conversation."""

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.decoding import decoded
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.records import head_of, opened, records
from misstep.ingestion.spans.assembling import assembled
from misstep.ingestion.spans.dialects.table import DIALECTS, step_of
from misstep.ingestion.spans.formats import (
    flat,
    langfuse_export,
    mlflow_export,
    nested,
    otlp_json,
    otlp_protobuf,
)
from misstep.ingestion.spans.span import Note, Span
from misstep.ingestion.spans.spool import IN_MEMORY, Spool
from misstep.ingestion.spans.values import is_list

NAMES = tuple(dialect.name for dialect in DIALECTS)
"""The dialects of spans."""


class _Format(Struct, frozen=True):
    """One way to write spans as JSON."""

    recognises: Callable[[JSON], bool]
    spans: Callable[[JSON], Iterator[Span | Note]]


# The first that recognises a record reads it.
_FORMATS = tuple(
    _Format(each.recognises, each.spans) for each in (otlp_json, nested, mlflow_export, langfuse_export, flat)
)
_HEAD = 65_536
_AT_ONCE = 32 * 1024 * 1024


def recognises(first: bytes, value: JSON) -> bool:
    """Whether a file holds spans, by its first bytes and its first record; none of which is JSON in protobuf."""
    if value is None:
        return otlp_protobuf.framing_of(first) is not None
    return _format(value) is not None


def _format(value: JSON) -> _Format | None:
    return next((each for each in _FORMATS if each.recognises(value)), None)


def traces(path: Path, losses: Losses, dialect: str | None = None) -> Iterator[Trace | BadRecord]:
    """Every conversation of the file; what cannot be read is reported with its place, and passed over."""
    with Spool() as spool:
        if _unpacked_size(path) > IN_MEMORY:
            spool.spill()
        for entry in _entries(path):
            if isinstance(entry, BadRecord):
                yield entry
            else:
                spool.put(entry)
        read = partial(step_of, only=dialect)
        for told in spool.conversations(read):
            yield from assembled(told, path.as_posix(), read, losses)


def _unpacked_size(path: Path) -> int:
    """At least: what gzip has packed may be a hundred times as large, and is taken for twenty."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return size * 20 if file.read(2) == b"\x1f\x8b" else size
    except OSError:
        return 0


def _entries(path: Path) -> Iterator[Span | Note | BadRecord]:
    head = head_of(path, _HEAD)
    framing = otlp_protobuf.framing_of(head)
    if framing is not None:
        yield from _of_protobuf(path, framing)
        return
    for record in _records(path):
        if isinstance(record, BadRecord):
            yield record
        elif (form := _format(record.value)) is None:
            yield BadRecord(path, record.place, "This record holds no spans.")
        else:
            yield from form.spans(record.value)


def _records(path: Path) -> Iterator[Record | BadRecord]:
    """A small file that is one value is read at once: to look for the ends of records costs more than to decode it."""
    if path.suffix == ".json" and path.stat().st_size <= _AT_ONCE:
        try:
            value = decoded(path.read_bytes())
        except (FormatError, OSError):
            pass
        else:
            listed = enumerate(value, 1) if is_list(value) else [(0, value)]
            yield from (Record(f"item {number}" if number else "", each) for number, each in listed)
            return
    yield from records(path, lambda value: _format(value) is not None)


def _of_protobuf(path: Path, framing: otlp_protobuf.Framing) -> Iterator[Span | Note | BadRecord]:
    number = 0
    try:
        with opened(path) as stream:
            for number, batch in enumerate(otlp_protobuf.batches(stream, framing), 1):
                try:
                    yield from otlp_protobuf.spans(batch)
                except FormatError as error:
                    yield BadRecord(path, f"batch {number}", str(error))
    except FormatError as error:
        yield BadRecord(path, f"after batch {number}", str(error))
    except (OSError, EOFError, zlib.error) as error:
        yield BadRecord(path, f"after batch {number}", f"The file cannot be read: {error}.")
