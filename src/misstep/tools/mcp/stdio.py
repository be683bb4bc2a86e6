"""The process's stdin and stdout → a client's two ends of a wire, claimed for messages.

What else reads stdin finds its end, and what else is printed goes to stderr. The SDK's own reader cannot be ended
while the client is silent, and drops what it cannot read without a word to who waits for an answer.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator

import anyio
from anyio import to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from misstep.tools.mcp.ending import GRACE_S
from misstep.tools.mcp.lines import Inbound, Lines, message_in, refusal

Changed = Callable[[bytes], bytes]
_PIECE = 1 << 16
_MOST_WAITING = 64


@contextlib.asynccontextmanager
async def stdio_streams(
    change: Changed, largest: int
) -> AsyncGenerator[tuple[MemoryObjectReceiveStream[Inbound], MemoryObjectSendStream[SessionMessage]], None]:
    """Messages from the client and to it; each line to it is changed on its way. Lines may be so many bytes long."""
    heard, listening = anyio.create_memory_object_stream[Inbound](0)
    telling, told = anyio.create_memory_object_stream[SessionMessage](0)
    with _claimed(0, os.open(os.devnull, os.O_RDONLY)) as stdin, _claimed(1, os.dup(2)) as stdout:
        write = _Writer(stdout, change)
        async with anyio.create_task_group() as tasks, listening, telling:
            tasks.start_soon(_read, stdin, heard, write, largest)
            tasks.start_soon(write.all_of, told)
            yield listening, telling
            telling.close()
            with anyio.move_on_after(GRACE_S):  # What was answered is still to be sent, if it is taken.
                await write.idle.wait()
            tasks.cancel_scope.cancel()


@contextlib.contextmanager
def _claimed(number: int, instead: int) -> Generator[int, None, None]:
    """The copy is not closed afterwards: a thread may still use it, and its number would go to another file."""
    sys.stdout.flush()
    wire = os.dup(number)
    os.dup2(instead, number)
    os.close(instead)
    try:
        yield wire
    finally:
        sys.stdout.flush()
        os.dup2(wire, number)


class _Writer:
    """Writes a message a line."""

    def __init__(self, descriptor: int, change: Changed) -> None:
        self._descriptor = descriptor
        self._change = change
        self._one_at_a_time = asyncio.Lock()
        self.idle = asyncio.Event()
        """Everything has been written."""

    async def all_of(self, told: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with told:
            async for message in told:
                await self.one(message)
        self.idle.set()

    async def one(self, message: SessionMessage) -> None:
        line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        data = self._change(line.encode() + b"\n")
        async with self._one_at_a_time:
            # A client that has gone is told by the end of stdin; until then there is nobody to tell.
            with contextlib.suppress(BrokenPipeError):
                # A client that takes nothing must not keep us from ending.
                await to_thread.run_sync(self._written, data, abandon_on_cancel=True)

    def _written(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


async def _read(stdin: int, heard: MemoryObjectSendStream[Inbound], write: _Writer, largest: int) -> None:
    lines = Lines(largest)
    async with heard:
        async for piece in _pieces(stdin):
            for line, whole in lines.feed(piece):
                message = message_in(line) if whole else f"it has more than {largest / 1e6:g} MB"
                if isinstance(message, SessionMessage):
                    await heard.send(message)
                elif refused := refusal(line, f"The request cannot be read: {message}."):
                    await write.one(refused)


async def _pieces(descriptor: int) -> AsyncGenerator[bytes, None]:
    """What can be read, until the end. The thread that waits for it is nobody's to wait for."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes] = asyncio.Queue()
    room = threading.Semaphore(_MOST_WAITING)

    def read() -> None:
        piece = b" "
        while piece:
            room.acquire()
            try:
                piece = os.read(descriptor, _PIECE)
            except OSError:
                piece = b""
            try:
                loop.call_soon_threadsafe(arrived.put_nowait, piece)
            except RuntimeError:  # The loop has ended meanwhile.
                return

    threading.Thread(target=read, daemon=True).start()
    while piece := await arrived.get():
        room.release()
        yield piece
