"""A file of spans → Traces, one a conversation."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.nouns import BadRecord
from misstep.ingestion.spans.assembling import Source, assemble
from misstep.ingestion.spans.dialects import openinference
from misstep.ingestion.spans.formats import nested
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step


def recognises(first: bytes, value: JSON) -> bool:
    """Whether a file holds spans, by its first bytes and, where it is JSON, its first record."""
    return nested.recognises(value)


def traces(path: Path) -> Iterator[Trace | BadRecord]:
    """Every conversation of the file; what cannot be read is reported with its place."""
    try:
        value: JSON = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        yield BadRecord(path, "the beginning", f"This is no JSON: {error}.")
        return
    spans = list(nested.spans(value))
    if spans:
        trace, _ = assemble(spans, Source(str(path), spans[0].trace_id, openinference.NAME), _step)
        yield trace


def _step(span: Span) -> Step:
    return openinference.step(span) if openinference.recognises(span) else Step()
