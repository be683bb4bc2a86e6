"""An MCP server as a process: its lines → messages, in linear time and bounded space; and how it is ended.

The SDK's own reader copies a line anew with each piece of it, which takes a quarter of a minute for 50 MB, and keeps
a line that never ends.
"""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from misstep.tools.mcp.file import ServerSpec

_PIECE = 1 << 20
_EDGE = 400
_GRACE_S = 2.0
_VALUE = rb'"id"\s*:\s*(\d+|"[^"\\]*")\s*'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_ID_FIRST = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb",\s*)?" + _VALUE)
_ID_LAST = re.compile(_VALUE + rb"(?:,\s*" + _VERSION + rb")?\}\s*$")

_Inbound = SessionMessage | Exception


class Lines:
    """Pieces of bytes → whole lines. Of a line that is too long only its two ends are kept."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[tuple[bytes, bool]]:
        """Each line that has come to its end, and whether it is whole."""
        *ended, rest = piece.split(b"\n")
        for each in ended:
            self._add(each)
            yield b"".join(self._pieces), self._size <= self._longest
            self._pieces, self._size = [], 0
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > self._longest:
            whole = b"".join(self._pieces)
            self._pieces = [whole[:_EDGE], whole[-_EDGE:]] if len(whole) > 2 * _EDGE else [whole]


@contextlib.asynccontextmanager
async def process_streams(
    spec: ServerSpec, stderr: int, largest: int
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[_Inbound], MemoryObjectSendStream[SessionMessage]],
    None,
]:
    """A server's process for as long as the context lasts. Raises OSError where it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        spec.command,
        *spec.args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
        env=get_default_environment() | spec.env,
        cwd=spec.cwd,
        start_new_session=True,
        limit=_PIECE,
    )
    heard, listening = anyio.create_memory_object_stream[_Inbound](0)
    telling, told = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks, listening, telling:
        tasks.start_soon(_read, process, heard, largest)
        tasks.start_soon(_write, process, told, heard)
        try:
            yield listening, telling
        finally:
            listening.close()
            with anyio.CancelScope(shield=True):
                await _end(process)
            tasks.cancel_scope.cancel()


async def _read(process: asyncio.subprocess.Process, heard: MemoryObjectSendStream[_Inbound], largest: int) -> None:
    assert process.stdout is not None
    lines = Lines(2 * largest)
    with contextlib.suppress(ConnectionError):
        async with heard:
            while piece := await process.stdout.read(_PIECE):
                for line, whole in lines.feed(piece):
                    # Nobody listens any more: read on all the same, or the server could not end.
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        await heard.send(_message(line) if whole else refusal(line, largest))


async def _write(
    process: asyncio.subprocess.Process,
    told: MemoryObjectReceiveStream[SessionMessage],
    heard: MemoryObjectSendStream[_Inbound],
) -> None:
    assert process.stdin is not None
    try:
        async with told:
            async for message in told:
                process.stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()
    except (ConnectionError, OSError):
        await heard.aclose()  # So that whoever waits for an answer hears of the end.


def _message(line: bytes) -> _Inbound:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


def refusal(ends: bytes, largest: int) -> _Inbound:
    """The error that stands for an answer of which only the ends were kept: its id is at one of them."""
    found = _ID_FIRST.match(ends[:_EDGE]) or _ID_LAST.search(ends[-_EDGE:])
    if found is None:
        return ValueError("a line that is too long, and no answer")
    text = found[1].decode()
    error = types.ErrorData(
        code=types.INTERNAL_ERROR,
        message=f"The answer is too large: more than {2 * largest / 1e6:g} MB, and at most {largest / 1e6:g} MB are "
        "passed on. Ask for less at a time.",
    )
    request = int(text) if text.isdecimal() else text.strip('"')
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=request, error=error))


async def _end(process: asyncio.subprocess.Process) -> None:
    """As the protocol says: close its stdin, wait, ask it to go, wait, and make it; with all that it started."""
    assert process.stdin is not None
    process.stdin.close()
    for number in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if number is not None:
            _signal(process, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE_S)
            break
    transport: Any = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()  # A child that outlived it may hold its pipes; they are no concern of ours any more.


def _signal(process: asyncio.subprocess.Process, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)
