"""An MCP server as a process: its lines → messages; and how it is ended."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from misstep.tools.mcp.ending import GRACE_S, ended
from misstep.tools.mcp.file import ServerSpec
from misstep.tools.mcp.lines import Inbound, Lines, message_in, refusal

_PIECE = 1 << 20


@contextlib.asynccontextmanager
async def process_streams(
    spec: ServerSpec, stderr: int, largest: int
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Inbound], MemoryObjectSendStream[SessionMessage]],
    None,
]:
    """A server's process for as long as the context lasts. Raises OSError where it cannot be started."""
    process = await _started(spec, stderr)
    heard, listening = anyio.create_memory_object_stream[Inbound](0)
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


async def _started(spec: ServerSpec, stderr: int) -> asyncio.subprocess.Process:
    """Whoever is cancelled meanwhile waits until the process is there, and ends it.

    Cancelled between the start of a process and the connection of its pipes, asyncio itself would wait for ever.
    """
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
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
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with contextlib.suppress(OSError):
            await _end(await starting)
        raise


async def _read(process: asyncio.subprocess.Process, heard: MemoryObjectSendStream[Inbound], largest: int) -> None:
    assert process.stdout is not None
    lines = Lines(2 * largest)
    with contextlib.suppress(ConnectionError):
        async with heard:
            while piece := await process.stdout.read(_PIECE):
                for line, whole in lines.feed(piece):
                    # Nobody listens any more: read on all the same, or the server could not end.
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        await heard.send(_heard(line, whole, largest))


async def _write(
    process: asyncio.subprocess.Process,
    told: MemoryObjectReceiveStream[SessionMessage],
    heard: MemoryObjectSendStream[Inbound],
) -> None:
    assert process.stdin is not None
    try:
        async with told:
            async for message in told:
                process.stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()
    except (ConnectionError, OSError):
        await heard.aclose()  # So that whoever waits for an answer hears of the end.


def _heard(line: bytes, whole: bool, largest: int) -> Inbound:
    """A message; an answer that is none becomes an error, so that nobody waits for it for ever."""
    message = message_in(line) if whole else ""
    if isinstance(message, SessionMessage):
        return message
    too_large = (
        f"The answer is too large: more than {2 * largest / 1e6:g} MB, and at most {largest / 1e6:g} MB are passed on. "
        "Ask for less at a time."
    )
    why = f"The server's answer cannot be read: {message}." if whole else too_large
    return refusal(line, why) or ValueError(why)


async def _end(process: asyncio.subprocess.Process) -> None:
    """As the protocol says: close its stdin, wait, ask it to go, wait, and make it."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE_S)
    finally:
        await ended(process)
