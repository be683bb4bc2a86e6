"""Any Toolbox → a server of MCP on stdio or on streamable HTTP; loopback unless there is a token.

This is the door: `mcp` takes a second to import, so it is imported when something is served.
"""

# ruff: noqa: PLC0415

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any

from misstep.core.errors import UsageError
from misstep.core.roles import Toolbox

if TYPE_CHECKING:
    from misstep.tools.mcp.beside import Materials

_LARGEST_REQUEST = 64_000_000
_GRACE_S = 2
_Asgi = Callable[[Any, Any, Any], Awaitable[None]]


async def serve_stdio(toolbox: Toolbox, *, materials: "Materials | None" = None, name: str = "misstep") -> None:
    """Serve the one client at the other end of stdin and stdout, until it leaves.

    Meanwhile whatever else prints to stdout is sent to stderr.
    """
    from misstep.tools.mcp.garbling import Garbler
    from misstep.tools.mcp.serving import Gateway
    from misstep.tools.mcp.stdio import stdio_streams

    garbler = Garbler()
    server = Gateway(toolbox, materials, name=name, garbler=garbler).server
    async with stdio_streams(garbler.garbled, _LARGEST_REQUEST) as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def serve_http(
    toolbox: Toolbox,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    materials: "Materials | None" = None,
    name: str = "misstep",
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until cancelled; `ready` is told the address once it answers. Port 0 takes a free one."""
    async with serving_http(toolbox, host=host, port=port, token=token, materials=materials, name=name) as url:
        if ready is not None:
            ready(url)
        await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def serving_http(
    toolbox: Toolbox,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    materials: "Materials | None" = None,
    name: str = "misstep",
) -> AsyncGenerator[str, None]:
    """A server for as long as the context lasts; gives its address."""
    if not _is_loopback(host) and not token:
        raise UsageError(
            f"The gateway was asked to listen on {host!r}, which others can reach. Give it a token that its clients "
            "must send as 'Authorization: Bearer …', or listen on 127.0.0.1."
        )
    listening = _bound(host, port)
    from misstep.tools.mcp.garbling import Garbler
    from misstep.tools.mcp.serving import Gateway

    garbler = Garbler()
    server = Gateway(toolbox, materials, name=name, garbler=garbler).server
    app = garbler.before(server.streamable_http_app(host=host, max_request_body_size=_LARGEST_REQUEST))
    shown = f"[{host}]" if ":" in host else host
    async with _running(_demanding(app, token) if token else app, listening):
        yield f"http://{shown}:{listening.getsockname()[1]}/mcp"


@contextlib.asynccontextmanager
async def _running(app: _Asgi, listening: socket.socket) -> AsyncGenerator[None, None]:
    import uvicorn

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Generator[None, None, None]:
            yield  # Signals belong to the program, not to a part of it.

    config = uvicorn.Config(
        app, log_config=None, log_level="warning", access_log=False, timeout_graceful_shutdown=_GRACE_S, lifespan="on"
    )
    server = Server(config)
    told = logging.getLogger("uvicorn.error")

    def worth_telling(record: logging.LogRecord) -> bool:
        return not server.should_exit  # Calls that are cut off by the end are told of as if they had broken.

    told.addFilter(worth_telling)
    task = asyncio.create_task(server.serve([listening]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        if task.done():
            await task
            raise UsageError("The gateway could not be started; what it wrote above says why.")
        yield
    finally:
        server.should_exit = True
        await asyncio.wait([task])
        told.removeFilter(worth_telling)


def _demanding(app: _Asgi, token: str) -> _Asgi:
    expected = f"Bearer {token}".encode()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, expected):
                body = b'{"error": "This gateway demands its token: send it as Authorization: Bearer TOKEN."}'
                headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
        await app(scope, receive, send)

    return guarded


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bound(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise UsageError(f"The gateway cannot listen on {host}, port {port}: {error}. Choose another port.") from None
