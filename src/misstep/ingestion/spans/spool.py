"""Spans, in whatever order a file has them → the spans of one conversation at a time.

A small file's spans are held in memory. Those of a larger one go to a temporary file, with an index by trace, so that
never more than one conversation is held.
"""

import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import msgspec

from misstep.ingestion.spans.conversations import outer_sessions, session_of
from misstep.ingestion.spans.replays import firsts_of
from misstep.ingestion.spans.span import Note, Span
from misstep.ingestion.spans.step import Step

IN_MEMORY = 64 * 1024 * 1024
_SEVERAL = "\0"

_Entry = Span | Note


class Conversation(msgspec.Struct, frozen=True):
    """The spans of a conversation."""

    name: str
    """What the session is called, or the trace."""
    entries: list[_Entry]
    known: bool
    """Whether anything tells that these traces, and no others, are the conversation."""
    mixed: bool
    """Whether there are several sessions in it, to be told apart."""


class Spool:
    """Put in what a file holds; take out conversations."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._held: dict[str, list[_Entry]] = {}
        self._index: dict[str, list[tuple[int, int, bool]]] = {}
        self._sessions: dict[str, str] = {}
        """What session each trace names, once for all its spans; a mark where it names several."""
        self._span = msgspec.msgpack.Decoder(Span)
        self._note = msgspec.msgpack.Decoder(Note)
        self._encoder = msgspec.msgpack.Encoder()

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, entry: _Entry) -> None:
        if isinstance(entry, Span):
            self._note_session(entry)
        if self._file is None:
            self._held.setdefault(entry.trace_id, []).append(entry)
        else:
            self._write(self._file, entry)

    def spill(self) -> None:
        """Keep on disk from now on what is put in, and what was."""
        if self._file is not None:
            return
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the spool is left
        for entries in self._held.values():
            for entry in entries:
                self._write(self._file, entry)
        self._held.clear()

    def _note_session(self, span: Span) -> None:
        session = session_of(span)
        known = self._sessions.setdefault(span.trace_id, session)
        if session and session != known:
            self._sessions[span.trace_id] = session if not known else _SEVERAL

    def _write(self, file: IO[bytes], entry: _Entry) -> None:
        data = self._encoder.encode(entry)
        places = self._index.setdefault(entry.trace_id, [])
        places.append((file.tell(), len(data), isinstance(entry, Span)))
        file.write(data)

    def conversations(self, step_of: Callable[[Span], Step]) -> Iterator[Conversation]:
        """Traces that name one session together, or whose prompts tell each other again."""
        groups: dict[tuple[str, str], list[str]] = {}
        traces = list(self._held) or list(self._index)
        alone = [trace for trace in traces if not self._sessions.get(trace)]
        firsts: dict[str, str] = {}
        if len(alone) > 1:
            firsts = firsts_of(((trace, joined(list(self._entries(trace)))) for trace in alone), step_of)
        for trace in traces:
            session = self._sessions.get(trace, "")
            if session == _SEVERAL:
                # An agent that another one calls may have a session of its own: the outer one is the conversation.
                outermost = outer_sessions([entry for entry in self._entries(trace) if isinstance(entry, Span)])
                session = outermost.pop() if len(outermost) == 1 else _SEVERAL
            key = (session, firsts.get(trace, trace)) if session in ("", _SEVERAL) else (session, "")
            groups.setdefault(key, []).append(trace)
        for (session, trace), members in groups.items():
            entries = [entry for member in members for entry in self._entries(member)]
            for member in members:
                self._held.pop(member, None)
            known = bool(session) or len(members) > 1
            yield Conversation(trace or session, entries, known=known, mixed=session == _SEVERAL)

    def _entries(self, trace: str) -> Iterator[_Entry]:
        if self._file is None:
            yield from self._held[trace]
            return
        for at, size, is_span in self._index[trace]:
            self._file.seek(at)
            data = self._file.read(size)
            yield self._span.decode(data) if is_span else self._note.decode(data)


def joined(entries: list[_Entry]) -> list[Span]:
    """Spans with the log records that belong to them; records of spans that are missing make one span for each."""
    notes: dict[tuple[str, str], list[Note]] = {}
    for entry in entries:
        if isinstance(entry, Note):
            notes.setdefault((entry.trace_id, entry.span_id), []).append(entry)
    spans = [entry for entry in entries if isinstance(entry, Span)]
    if not notes:
        return spans
    found: list[Span] = []
    for span in spans:
        own = notes.pop((span.trace_id, span.span_id), [])
        events = (*span.events, *(note.event for note in own))
        found.append(msgspec.structs.replace(span, events=events) if own else span)
    for (trace, span_id), own in notes.items():
        if any(note.event.name.startswith("gen_ai.") for note in own):
            times = [note.event.at_ns for note in own]
            events = tuple(note.event for note in own)
            start, end = min(times), max(times)
            found.append(Span(trace_id=trace, span_id=span_id, start_ns=start, end_ns=end, events=events))
    return found
