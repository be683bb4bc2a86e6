"""Real answers → a file that diffs well, and that file → a toolbox that answers by it or not at all."""

import difflib
import errno
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError, InvalidTrialError, UnknownToolError, UsageError
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.redacting import redacted, without

FORMAT = "misstep.recording/1"
VOLATILE = frozenset(
    (
        "_meta",
        "meta",
        "progressToken",
        "requestId",
        "request_id",
        "traceparent",
        "tracestate",
        "idempotency_key",
        "nonce",
    )
)
"""Keys whose values differ from call to call and mean nothing."""


class RecordedCall(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One call and its answer, and which calls that change something had been made before it."""

    tool: str
    arguments: dict[str, JSON]
    after: str = ""
    answer: Answer


class Tapes(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT):
    """What a recording file holds."""

    tools: tuple[Tool, ...] = ()
    calls: tuple[RecordedCall, ...] = ()


class _Named(Struct, frozen=True):
    format: str = ""


def read_recording(path: Path) -> Tapes:
    """Read a recording; a file that is none gives an error that says why."""
    try:
        data = path.read_bytes()
        named = msgspec.json.decode(data, type=_Named)
        if named.format != FORMAT:  # A file without a format would be read as an empty recording.
            raise FormatError(f"{path} is no recording: it does not say that its format is {FORMAT!r}.")
        return msgspec.json.decode(data, type=Tapes)
    except FileNotFoundError:
        raise UsageError(
            f"There is no recording at {path}. Make one with `misstep serve --tools TOOLS --record {path}`."
        ) from None
    except (msgspec.DecodeError, OSError, RecursionError) as error:
        raise FormatError(f"{path} is no recording that this version of Misstep reads: {error}.") from None


def demand_place(path: Path) -> None:
    """Raise UsageError, before anything is recorded, where a recording cannot be put there in the end."""
    if path.is_file() and path.stat().st_size:
        try:
            read_recording(path)
        except FormatError as error:
            raise UsageError(f"{error} It would be overwritten: record to another file.") from None
    beside = _beside(path)
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        beside.touch()
        beside.unlink()
    except OSError as error:
        raise UsageError(
            f"Nothing can be recorded to {path}: {error.strerror or error}. Record to a file in a folder that is there."
        ) from None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def write_recording(path: Path, tapes: Tapes) -> None:
    """Sorted and laid out, so that making it again changes only what changed; put in place at once."""
    calls = sorted(tapes.calls, key=lambda call: (call.tool, canonical(call.arguments), call.after))
    whole = msgspec.json.encode(msgspec.structs.replace(tapes, calls=tuple(calls)), order="sorted")
    beside = _beside(path)
    beside.write_bytes(msgspec.json.format(whole, indent=2) + b"\n")
    os.replace(beside, path)


class Recording:
    """Passes calls on and keeps what was answered, without secrets. `keep` writes the file."""

    def __init__(self, toolbox: Toolbox, path: Path, *, secrets: frozenset[str] = frozenset()) -> None:
        self._toolbox = toolbox
        self._path = path
        self._secrets = secrets
        self._tools: tuple[Tool, ...] = ()
        self._calls: dict[tuple[str, bytes, str], RecordedCall] = {}
        self._history = ""

    async def tools(self) -> Sequence[Tool]:
        listed = await self._toolbox.tools()
        self._tools = tuple(listed)
        return listed

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if not self._tools:
            await self.tools()
        answer = await self._toolbox.call(tool, arguments)
        given = plain_arguments_of(arguments)
        content = msgspec.structs.replace(answer, content=redacted(answer.content), parts=_clean_parts(answer))
        call = RecordedCall(tool=tool, arguments=given, after=self._history, answer=content)
        self._calls[tool, canonical(given), self._history] = call
        if _changes(self._tools, tool) and not answer.is_error:
            self._history = history_after(self._history, tool, given)
        return answer

    def keep(self) -> bool:
        """Whether it was written: an earlier recording is worth more than one of nothing."""
        if not self._calls and self._path.is_file() and self._path.stat().st_size:
            return False
        tapes = Tapes(self._tools, tuple(self._calls.values()))
        write_recording(self._path, msgspec.convert(without(msgspec.to_builtins(tapes), self._secrets), Tapes))
        return True


class Recorded:
    """Answers from a recording: the same call, at the same point of the same changes. It never guesses."""

    def __init__(self, tapes: Tapes) -> None:
        self._tools = tapes.tools
        self._history = ""
        self._by_call: dict[tuple[str, bytes], list[RecordedCall]] = {}
        for call in tapes.calls:
            self._by_call.setdefault((call.tool, canonical(call.arguments)), []).append(call)

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in {each.name for each in self._tools}:
            raise UnknownToolError(tool, [each.name for each in self._tools])
        given = plain_arguments_of(arguments)
        call = self._found(tool, given)
        if _changes(self._tools, tool) and not call.answer.is_error:
            self._history = history_after(self._history, tool, given)
        return msgspec.structs.replace(call.answer, served_by="recorded")

    def _found(self, tool: str, given: dict[str, JSON]) -> RecordedCall:
        same = self._by_call.get((tool, canonical(given)), [])
        now = [call for call in same if call.after == self._history]
        # The same answer at every moment is the answer at this one; different answers are not.
        steady = same if len({msgspec.json.encode(call.answer, order="sorted") for call in same}) == 1 else []
        if now or steady:
            return (now or steady)[0]
        reason = self._changed_since(tool) if same else self._nearest(tool, given)
        raise InvalidTrialError("tool-simulator", f"The recording has no answer to this call of {tool!r}. {reason}")

    def _changed_since(self, tool: str) -> str:
        return (
            f"It has the call, answered differently at different moments, and none of them comes after the changes "
            f"that were made here. Record {tool!r} again in this order of calls."
        )

    def _nearest(self, tool: str, given: dict[str, JSON]) -> str:
        recorded = [calls[0].arguments for (name, _), calls in self._by_call.items() if name == tool]
        if not recorded:
            return "It has no call of that tool at all."
        wanted = _lines(given)
        nearest = max(recorded, key=lambda each: difflib.SequenceMatcher(None, _lines(each), wanted).ratio())
        changed = difflib.unified_diff(_lines(nearest), wanted, "recorded", "asked for", lineterm="", n=1)
        return "The nearest recording differs:\n" + "\n".join(changed)


def plain_arguments_of(arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """What of a call's arguments is matched and kept: no volatile keys, no secrets."""
    kept = {name: value for name, value in arguments.items() if name not in VOLATILE}
    return cast("dict[str, JSON]", redacted(kept))


def canonical(value: JSON) -> bytes:
    """The same bytes for what means the same: keys in order, `1` and `1.0` alike, no outer spaces."""
    return msgspec.json.encode(_settled(value), order="sorted")


def _settled(value: JSON) -> JSON:
    if isinstance(value, dict):
        named = cast("dict[str, JSON]", value)
        return {name: _settled(inner) for name, inner in named.items() if name not in VOLATILE}
    if isinstance(value, list | tuple):
        return [_settled(inner) for inner in cast("Iterable[JSON]", value)]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.strip() if isinstance(value, str) else value


def history_after(history: str, tool: str, arguments: Mapping[str, JSON]) -> str:
    """A short name for all the changes made so far and one more."""
    text = history.encode() + tool.encode() + canonical(dict(arguments))
    return hashlib.blake2b(text, digest_size=6).hexdigest()


def _changes(tools: Sequence[Tool], name: str) -> bool:
    return next((tool.effect for tool in tools if tool.name == name), "destroys") != "reads"


def _clean_parts(answer: Answer) -> tuple[dict[str, JSON], ...] | None:
    if answer.parts is None:
        return None
    return tuple(cast("dict[str, JSON]", redacted(part)) for part in answer.parts)


def _lines(arguments: Mapping[str, JSON]) -> list[str]:
    return msgspec.json.format(msgspec.json.encode(arguments, order="sorted"), indent=2).decode().splitlines()
