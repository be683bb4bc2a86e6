"""A trace file of any framework → Traces, one at a time, with what could not be read and what they lack."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import structs

from misstep.core.errors import UsageError, suggestion
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.fields import rows, table
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Loss, Record
from misstep.ingestion.records import records
from misstep.ingestion.transcripts import openai_chat, tau_bench, who_and_when


class Transcript(Protocol):
    """A dialect in which one record is one conversation, or several: a module with these three."""

    @property
    def NAME(self) -> str: ...  # noqa: N802

    def recognises(self, value: JSON) -> bool:
        """Whether a record is in this dialect, by its content."""
        ...

    def traces(self, record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]: ...


# The first that recognises a record reads it: what is told by more comes before what is told by less.
_TRANSCRIPTS: tuple[Transcript, ...] = (who_and_when, tau_bench, openai_chat)
_BY_NAME: Mapping[str, Transcript] = {dialect.NAME: dialect for dialect in _TRANSCRIPTS}

# Spans are plugged in here, by `misstep.ingestion.spans.reading`, which has
#     NAMES: tuple[str, ...]                           the dialects of spans, for DIALECTS
#     recognises(first: bytes, value: JSON) -> bool    by the first 64 kB of the unpacked file and its first record
#                                                      (None where there is none, as in protobuf)
#     traces(path: Path, losses: Losses, dialect: str | None) -> Iterator[Trace | BadRecord]
# and reads the whole file itself, with `records.records` and `records.opened` (which unpacks) as it likes. A dialect is
# forced where `dialect` is given; each Trace says in `origin.dialect` which one it was.
DIALECTS: tuple[str, ...] = tuple(_BY_NAME)
"""The names of all dialects."""


def ingest(path: Path, *, dialect: str | None = None) -> "Ingestion":
    """Read a file; its dialect is recognised by content unless it is named. Nothing is read before iteration."""
    if dialect is not None and dialect not in DIALECTS:
        raise UsageError(f"There is no dialect {dialect!r}.{suggestion(dialect, DIALECTS)}")
    if not path.is_file():
        there = "is no regular file" if path.exists() else "does not exist"
        raise UsageError(f"{path} {there}. Give the path of a file with traces.")
    return Ingestion(path, dialect)


class Ingestion:
    """The traces of one file and, once they are read, its dialect and what was lost."""

    def __init__(self, path: Path, dialect: str | None) -> None:
        self._path = path
        self._forced = _BY_NAME.get(dialect or "")
        self._losses = Losses()
        self._ids: set[str] = set()
        self._latest: Transcript | None = self._forced
        self.dialect = dialect or ""
        """Empty as long as nothing was recognised."""

    @property
    def losses(self) -> tuple[Loss, ...]:
        return self._losses.report()

    def __iter__(self) -> Iterator[Trace | BadRecord]:
        for record in records(self._path, lambda value: self._of(value) is not None):
            if isinstance(record, BadRecord):
                yield record
                continue
            for part in self._parts(record):
                yield from self._read(part)

    def _of(self, value: JSON) -> Transcript | None:
        """The dialect of a record: the one of the record before it if that will do."""
        if self._forced is not None:
            return self._forced
        if self._latest is not None and self._latest.recognises(value):
            return self._latest
        return next((dialect for dialect in _TRANSCRIPTS if dialect.recognises(value)), None)

    def _parts(self, record: Record) -> Iterator[Record]:
        """The record, or the records in it: some files wrap their list in an object."""
        if self._of(record.value) is None:
            for key, value in table(record.value).items():
                items = rows(value)
                if items and self._of(items[0]) is not None:
                    for at, item in enumerate(items, 1):
                        yield Record(f"{record.place} {key} item {at}".strip(), item)
                    return
        yield record

    def _read(self, record: Record) -> Iterator[Trace | BadRecord]:
        dialect = self._of(record.value)
        if dialect is None:
            yield BadRecord(self._path, record.place, _unknown(record.value))
            return
        self._latest = dialect
        self.dialect = self.dialect or dialect.NAME
        for found in dialect.traces(record, self._path, self._losses):
            yield self._signed(found, dialect.NAME) if isinstance(found, Trace) else found

    def _signed(self, trace: Trace, dialect: str) -> Trace:
        name = trace.id
        if name in self._ids:
            name = f"{name} ({len(self._ids) + 1})"
        self._ids.add(name)
        origin = structs.replace(trace.origin, file=self._path.as_posix(), dialect=dialect)
        return structs.replace(trace, id=name, origin=origin)


def _unknown(value: JSON) -> str:
    keys = list(table(value))
    seen = f"an object with {_listed(keys)}" if keys else f"a {type(value).__name__}"
    return f"It is in no dialect that Misstep knows: this is {seen}. There are {', '.join(DIALECTS)}."


def _listed(keys: list[str]) -> str:
    shown = ", ".join(repr(key[:40]) for key in keys[:8])
    return shown + (f" and {len(keys) - 8} more keys" if len(keys) > 8 else "")
