"""Misstep's own traces: as `misstep run` and `misstep ingest` write them, or listed in one file."""

from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.core.trace import Trace, decode_trace
from misstep.ingestion.decoding import written
from misstep.ingestion.fields import table, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record

NAME = "misstep"


def recognises(value: JSON) -> bool:
    return text(table(value).get("format")).startswith("misstep.trace/")


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    """The trace as it is: it says itself where it comes from."""
    try:
        yield decode_trace(written(record.value))
    except FormatError as error:
        yield BadRecord(file, record.place, str(error))
