"""How an MCP server is reached: a process that is started, or an address; and what it said when it was not."""

import contextlib
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any, cast

import httpx2
import mcp_types as types
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from misstep.tools.mcp.file import ServerSpec
from misstep.tools.mcp.process import process_streams

_LONGEST_WORDS = 2000
_LAST_BREATH_S = 0.5


class LastWords:
    """The end of what a server wrote to its stderr, for the error that says why it is not there."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=20)
        self._reader: threading.Thread | None = None

    @contextlib.contextmanager
    def file(self) -> Generator[int, None, None]:
        """A descriptor to write to. The process that is given it has its own copy; ours is closed with the context."""
        read, write = os.pipe()
        self._reader = threading.Thread(target=self._drain, args=(read,), daemon=True)
        self._reader.start()
        try:
            yield write
        finally:
            os.close(write)

    def _drain(self, read: int) -> None:
        with os.fdopen(read, "r", encoding="utf-8", errors="replace") as lines:
            self._lines.extend(line.rstrip() for line in lines)

    def text(self, *, ended: bool) -> str:
        if ended and self._reader is not None:
            self._reader.join(_LAST_BREATH_S)
        return " / ".join(line for line in self._lines if line)[-_LONGEST_WORDS:]


@contextlib.asynccontextmanager
async def connected(spec: ServerSpec, words: LastWords, largest: int) -> AsyncGenerator[tuple[Any, Any], None]:
    if spec.transport == "stdio":
        async with contextlib.AsyncExitStack() as stack:
            with words.file() as stderr:
                streams = await stack.enter_async_context(process_streams(spec, stderr, largest))
            yield streams
    elif spec.transport == "sse":
        async with sse_client(spec.url, headers=dict(spec.headers)) as streams:
            yield streams
    else:
        timeout = httpx2.Timeout(30.0, read=None)
        async with (
            httpx2.AsyncClient(headers=spec.headers, timeout=timeout) as client,
            streamable_http_client(spec.url, http_client=client, max_sse_event_size=4 * largest) as streams,
        ):
            yield streams


async def greet(session: ClientSession) -> None:
    """The stateless generation first; whoever does not know it is greeted with a handshake."""
    try:
        await session.discover()
    except MCPError as error:
        if error.code == types.CONNECTION_CLOSED:
            raise
        try:
            await session.initialize()
        except MCPError as refused:
            if refused.code != types.UNSUPPORTED_PROTOCOL_VERSION:
                raise
            await session.discover()  # It knew the first greeting after all, and was slow to say so.
    except (ValidationError, RuntimeError):
        await session.initialize()


def first_of(error: BaseException) -> BaseException:
    """What went wrong, out of the groups that task groups put round it."""
    while isinstance(error, BaseExceptionGroup):
        inner = cast("Sequence[BaseException]", error.exceptions)
        error = inner[0]
    return error
