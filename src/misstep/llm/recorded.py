"""Requests and replies ↔ a file of JSON lines: what a model said once, said again without it."""

import difflib
import json
from collections import defaultdict
from pathlib import Path

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError, UsageError
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Reply, Request, Source, canonical

FORMAT = "misstep.model-recording/1"

_encoder = msgspec.json.Encoder(order="deterministic")
_MOST_LINES = 40
_LONGEST_LINE = 300


class _Entry(Struct, frozen=True, tag_field="format", tag=FORMAT, forbid_unknown_fields=True):
    request: Request
    reply: Reply


class _Other(Struct, tag_field="format", tag=""):
    """Never read: msgspec demands the tag only where there is a choice."""


_decoder = msgspec.json.Decoder(_Entry | _Other)


class Recording:
    """Passes requests on, and adds each with its reply to a file."""

    def __init__(self, source: Source, file: Path) -> None:
        self._source = source
        self._file = file

    async def reply(self, request: Request) -> Reply:
        reply = await self._source.reply(request)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as out:
                # One write of one line: what several processes add does not mix.
                out.write(_encoder.encode(_Entry(request, reply)) + b"\n")
        except OSError as error:
            raise UsageError(f"{self._file} cannot be recorded to: {error.strerror or error}.") from None
        return reply


class Replayed:
    """Answers from a recording alone. What was asked several times is answered in the recorded order, the last answer
    again and again; what was never asked fails.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._entries = _read(file)
        self._known: defaultdict[bytes, list[Reply]] = defaultdict(list)
        for entry in self._entries:
            self._known[canonical(entry.request)].append(entry.reply)
        self._given: defaultdict[bytes, int] = defaultdict(int)

    async def reply(self, request: Request) -> Reply:
        key = canonical(request)
        replies = self._known.get(key)
        if replies is None:
            raise ModelError("replay", self._miss(request))
        at = min(self._given[key], len(replies) - 1)
        self._given[key] += 1
        return replies[at]

    def _miss(self, request: Request) -> str:
        opening = f"{self._file} holds no answer to this request to {request.model!r}"
        if not self._entries:
            return f"{opening}: it is empty. Record it first."
        asked = _lines(request)
        nearest = max(self._entries, key=lambda entry: _likeness(asked, _lines(entry.request)))
        changed = difflib.unified_diff(_lines(nearest.request), asked, "recorded", "asked now", lineterm="", n=1)
        shown = [line[:_LONGEST_LINE] for line in changed]
        more = "" if len(shown) <= _MOST_LINES else f"\n… and {len(shown) - _MOST_LINES} lines more"
        return f"{opening}. The nearest that was recorded differs:\n" + "\n".join(shown[:_MOST_LINES]) + more


def _likeness(one: list[str], other: list[str]) -> float:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio()


def _lines(request: Request) -> list[str]:
    """A request as lines that differ where the requests differ; texts are taken apart at their line ends."""
    data = msgspec.to_builtins(request, order="deterministic")
    text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True)
    return text.replace("\\n", "\n").splitlines()


def _read(file: Path) -> list[_Entry]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(
            f"The recording {file} cannot be read: {error.strerror or error}. "
            "Record one first, with `record` in place of `replay`."
        ) from None
    entries: list[_Entry] = []
    for number, line in enumerate(lines, 1):
        try:
            entry = _decoder.decode(line)
        except msgspec.DecodeError as error:
            raise FormatError(f"{file}, line {number}, is no recorded answer of a model: {error}.") from None
        if not isinstance(entry, _Entry):
            raise FormatError(f"{file}, line {number}, has another format than {FORMAT!r}.")
        entries.append(entry)
    return entries
