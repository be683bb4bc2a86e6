"""A command as a group of processes: bytes in, lines out, bounded, and nothing of it left behind."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

LARGEST_OUTPUT = 4_100_000
"""Bytes of one reply: in any encoding more than a trial keeps of a text."""

_KEPT_OF_STDERR = 2000
_TIDY_S = 1.0


class Process(asyncio.SubprocessProtocol):
    """Made by `started`. What it prints is gathered as it comes; one that prints too much is killed."""

    def __init__(self) -> None:
        self.printed = bytearray()
        self.complained = bytearray()
        """The last of what it wrote to stderr."""
        self.exited = asyncio.Event()
        self.overflowed = False
        self._closed = asyncio.Event()
        self._news = asyncio.Event()
        self._open = {1, 2}
        """Of stdout and stderr, those from which more may come."""
        self._transport: asyncio.SubprocessTransport | None = None
        self._group = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._group = self._transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.complained = (self.complained + data)[-_KEPT_OF_STDERR:]
            return
        self.printed += data
        if len(self.printed) > LARGEST_OUTPUT:
            self.overflowed = True
            self.kill()
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.discard(fd)
        self._news.set()

    def process_exited(self) -> None:
        self.exited.set()
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()

    @property
    def status(self) -> int | None:
        return self._transport.get_returncode() if self._transport else None

    def write(self, data: bytes) -> None:
        """A process that no longer listens is found out when it is read."""
        stdin = self._stdin()
        if stdin is not None and not stdin.is_closing():
            stdin.write(data)

    def close_stdin(self) -> None:
        stdin = self._stdin()
        if stdin is not None:
            stdin.close()

    async def line(self) -> bytes | None:
        """The next line without its end; what there is where it printed too much; None where no line will come."""
        while b"\n" not in self.printed and not self.overflowed:
            if 1 not in self._open or self.exited.is_set():
                await self._drain()
                break
            await self._hear()
        if self.overflowed:
            return bytes(self.printed)
        line, end, rest = self.printed.partition(b"\n")
        self.printed = rest
        return bytes(line) if line or end else None

    async def all(self) -> bytes:
        """Everything that it prints until it exits."""
        while not self.exited.is_set() and not self.overflowed:
            await self._hear()
        await self._drain()
        return bytes(self.printed)

    async def end(self, grace_s: float) -> None:
        """Let it end by itself, then ask it to, then make it; also whatever it has started. No grace: make it."""
        try:
            self.close_stdin()
            if grace_s and not await _within(grace_s, self.exited):
                self._signal(signal.SIGTERM)
                await _within(_TIDY_S, self.exited)
        finally:
            self.kill()
            await _within(_TIDY_S, self.exited)
            if self._transport is not None:
                self._transport.close()
        await _within(_TIDY_S, self._closed)

    def kill(self) -> None:
        """The whole group, also when the first of it is gone."""
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    async def _drain(self) -> None:
        """What a process printed last may still be on its way; what it left running would hold the pipe open."""
        if await _within(_TIDY_S, self.exited):
            self.kill()
        while self._open if self.exited.is_set() else 1 in self._open:
            self._news.clear()
            if not await _within(_TIDY_S, self._news):
                return

    async def _hear(self) -> None:
        self._news.clear()
        await self._news.wait()

    def _stdin(self) -> asyncio.WriteTransport | None:
        return cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0) if self._transport else None)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._group, number)
            elif self._transport is not None:
                self._transport.send_signal(number)


async def started(words: Sequence[str], environment: Mapping[str, str]) -> Process:
    """Raises OSError where there is no such command."""
    loop = asyncio.get_running_loop()
    # In a session of its own: a group that can be ended as a whole, and no terminal to ask questions on.
    _, process = await loop.subprocess_exec(Process, *words, env=environment, start_new_session=True)
    return process


async def _within(seconds: float, event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
