"""A trace file of any framework → Traces, one at a time, with what could not be read and what they lack."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol, cast

from msgspec import structs

from misstep.core.errors import UsageError, suggestion
from misstep.core.event import Event
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.archives import is_archive, samples
from misstep.ingestion.drafting import Source
from misstep.ingestion.fields import rows, table
from misstep.ingestion.gathering import Gathered, Gathering, unwrapped
from misstep.ingestion.losses import NO_SESSION, Losses
from misstep.ingestion.nouns import BadRecord, Loss, Record
from misstep.ingestion.offers import with_effects
from misstep.ingestion.records import head_of, records
from misstep.ingestion.spans import reading as spans
from misstep.ingestion.superseding import latest
from misstep.ingestion.transcripts import (
    agentdojo,
    anthropic_messages,
    inspect_ai,
    langchain,
    openai_chat,
    openai_responses,
    own,
    plain,
    swe_agent,
    tau_bench,
    who_and_when,
)


class Transcript(Protocol):
    """A dialect in which one record is one conversation, or several: a module with these three."""

    @property
    def NAME(self) -> str: ...  # noqa: N802

    def recognises(self, value: JSON) -> bool:
        """Whether a record is in this dialect, by its content."""
        ...

    def traces(self, record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]: ...


# The first that recognises a record reads it: what is told by more comes before what is told by less.
TRANSCRIPTS: tuple[Transcript, ...] = (
    own,
    who_and_when,
    tau_bench,
    inspect_ai,
    agentdojo,
    swe_agent,
    langchain,
    openai_responses,
    anthropic_messages,
    openai_chat,
    plain,
)
_MOST_STRANGERS = 20
_NO_MESSAGE = "records are no messages"
_BY_NAME: Mapping[str, Transcript] = {dialect.NAME: dialect for dialect in TRANSCRIPTS}

DIALECTS: tuple[str, ...] = (*_BY_NAME, *spans.NAMES)
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
        self._forced = dialect
        self._losses = Losses()
        self.dialect = dialect or ""
        """Empty as long as nothing was recognised."""

    @property
    def losses(self) -> tuple[Loss, ...]:
        return self._losses.report()

    def __iter__(self) -> Iterator[Trace | BadRecord]:
        self._losses = Losses()
        for found in self._found():
            if not isinstance(found, Trace):
                yield found if found.place else structs.replace(found, place="the whole file")
                continue
            self.dialect = self.dialect or found.origin.dialect or own.NAME
            yield found if found.origin.dialect in (None, own.NAME) else with_effects(_writable(found))

    def _found(self) -> Iterator[Trace | BadRecord]:
        if self._forced in spans.NAMES:
            yield from spans.traces(self._path, self._losses, self._forced)
            return
        head = head_of(self._path)
        reading = _Reading(self._path, _BY_NAME.get(self._forced or ""), self._losses)
        if is_archive(head):
            yield from reading.traces(samples(self._path))
            return
        stream = records(self._path, reading.knows)
        opening = next(stream, None)
        value = opening.value if isinstance(opening, Record) else None
        if self._forced is None and spans.recognises(head, value):
            yield from spans.traces(self._path, self._losses, None)
        elif opening is not None:
            yield from reading.traces(chain([opening], stream))


class _Reading:
    """The records of a file of transcripts being turned into traces."""

    def __init__(self, path: Path, forced: Transcript | None, losses: Losses) -> None:
        self._path = path
        self._known = (forced,) if forced else TRANSCRIPTS
        self._forced = forced
        self._losses = losses
        self._ids: set[str] = set()
        self._gathering = Gathering(losses)
        self._strangers: list[BadRecord] = []
        self._strange = 0
        self._gathers: Transcript | None = None
        """Where records are single messages: a dialect of theirs."""

    def knows(self, value: JSON) -> bool:
        return self._dialect_of(value) is not None

    def traces(self, stream: Iterable[Record | BadRecord]) -> Iterator[Trace | BadRecord]:
        for record in latest(stream):
            if isinstance(record, BadRecord):
                yield record
                continue
            for part in self._parts(record):
                yield from self._one(part)
        for gathered in self._gathering.rest():
            yield from self._conversation(gathered)
        yield from self._unread()

    def _dialect_of(self, value: JSON) -> Transcript | None:
        if not (table(value) or rows(value)):
            return None
        return next((dialect for dialect in self._known if dialect.recognises(value)), None)

    def _parts(self, record: Record) -> Iterator[Record]:
        """The record, or the records in it: some files wrap their list in an object."""
        if not self._gathers and self._dialect_of(record.value) is None:
            for key, value in (("", record.value), *table(record.value).items()):
                items = rows(value)
                if items and self._dialect_of(items[0]) is not None:
                    for at, item in enumerate(items, 1):
                        yield Record(" ".join(filter(None, (record.place, key, f"item {at}"))), item)
                    return
        yield record

    def _one(self, record: Record) -> Iterator[Trace | BadRecord]:
        message = unwrapped(record.value)
        if self._gathers and self._gathers.recognises([message]):
            yield from self._gather(message, record.place)
            return
        dialect = self._dialect_of(record.value)
        if dialect is None:
            self._gathers = (self._dialect_of([message]) if message else None) or self._gathers
            if self._gathers and self._gathers.recognises([message]):
                yield from self._gather(message, record.place)
                return
            if self._forced is None or self._gathers:
                self._note_stranger(record)
                return
        chosen = dialect or self._known[0]
        for found in chosen.traces(record, self._path, self._losses):
            yield self._signed(found, chosen) if isinstance(found, Trace) else found

    def _gather(self, message: Mapping[str, JSON], place: str) -> Iterator[Trace | BadRecord]:
        self._losses.count(_NO_MESSAGE, 1, 0)
        for gathered in self._gathering.add(message, place):
            yield from self._conversation(gathered)

    def _conversation(self, gathered: Gathered) -> Iterator[Trace | BadRecord]:
        dialect = self._dialect_of(gathered.record.value) or self._forced or plain
        key = gathered.record.place
        for found in dialect.traces(Record("", gathered.record.value), self._path, self._losses):
            if isinstance(found, BadRecord):
                yield structs.replace(found, place=key or str(gathered.sources[0]))
                continue
            origin = structs.replace(found.origin, conversation=key or found.origin.conversation)
            events = _placed(found.events, gathered.sources)
            yield self._signed(structs.replace(found, id=key or found.id, events=events, origin=origin), dialect)

    def _signed(self, trace: Trace, dialect: Transcript) -> Trace:
        """With a name that no other trace of the file has, and where it comes from; our own know that themselves."""
        name = trace.id
        while name in self._ids:
            name = f"{trace.id} ({len(self._ids) + 1})" if name == trace.id else f"{name}'"
        self._ids.add(name)
        if dialect.NAME == own.NAME:
            return structs.replace(trace, id=name)
        self._losses.count(NO_SESSION, 1, trace.origin.conversation is None, "write down the id of each conversation")
        origin = structs.replace(trace.origin, file=self._path.as_posix(), dialect=dialect.NAME)
        return structs.replace(trace, id=name, origin=origin)

    def _note_stranger(self, record: Record) -> None:
        """Something in no dialect. Between messages it is the log's own business; else it could not be read."""
        self._strange += 1
        if len(self._strangers) < _MOST_STRANGERS:
            self._strangers.append(BadRecord(self._path, record.place, _unknown(record.value)))

    def _unread(self) -> Iterator[BadRecord]:
        if self._gathers:
            notes = "nothing is lost where these are notes of the log itself"
            self._losses.count(_NO_MESSAGE, self._strange, self._strange, notes)
            return
        yield from self._strangers
        more = self._strange - len(self._strangers)
        if more:
            yield BadRecord(self._path, f"after {self._strangers[-1].place}", f"So it is with {more} more records.")


def _placed(events: Sequence[Event], sources: Sequence[Source]) -> tuple[Event, ...]:
    """With their places in the file, instead of those in the conversation."""
    return tuple(
        structs.replace(event, source=sources[event.source]) if isinstance(event.source, int) else event
        for event in events
    )


def _unknown(value: JSON) -> str:
    return f"It is in no dialect that Misstep knows: this is {_seen(value)}. There are {', '.join(DIALECTS)}."


def _seen(value: JSON) -> str:
    match value:
        case dict():
            keys = list(table(cast(JSON, value)))
            return f"an object with {_listed(keys)}" if keys else "an empty object"
        case list():
            return "a list"
        case str():
            return "a text"
        case _:
            return "a number" if isinstance(value, int | float) else "nothing"


def _listed(keys: list[str]) -> str:
    shown = ", ".join(repr(key[:40]) for key in keys[:8])
    return shown + (f" and {len(keys) - 8} more keys" if len(keys) > 8 else "")


def _writable(trace: Trace) -> Trace:
    """The names of files need not be UTF-8, and traces are named after them."""
    file = trace.origin.file or ""
    if trace.id.isascii() and file.isascii():
        return trace
    origin = structs.replace(trace.origin, file=_utf8(file) or None)
    return structs.replace(trace, id=_utf8(trace.id), origin=origin)


def _utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
