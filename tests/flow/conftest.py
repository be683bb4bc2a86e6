"""Small MCP servers of either generation for the tests of the gateway, started once."""

import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server

from misstep.cli.app import exit_code
from misstep.cli.exits import USAGE
from misstep.core.objective import Limits
from misstep.core.roles import Toolbox
from misstep.core.scenario import Fault
from misstep.core.tape import Tape
from misstep.tools.assembly import assemble
from misstep.tools.mcp.serving import Gateway
from misstep.tools.mcp_client import McpServers, ServerSpec

CONFORMING = Path(__file__).parent / "mcp" / "conforming.py"


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command line is told that cannot be right. Without a process: one would start for nothing."""

    def told(*arguments: str) -> str:
        monkeypatch.chdir(tmp_path)
        assert exit_code(arguments) == USAGE
        return capsys.readouterr().err

    return told


@pytest.fixture(scope="session")
def conforming() -> Iterator[dict[str, ServerSpec]]:
    """The server of `mcp/conforming.py` over HTTP, once of each generation."""
    started: dict[str, tuple[subprocess.Popen[bytes], int]] = {}
    for generation in ("stateless", "handshake"):
        port = _free_port()
        command = [sys.executable, str(CONFORMING), str(port), generation]
        started[generation] = (subprocess.Popen(command), port)
    try:
        for _, port in started.values():
            _wait_for(port)
        yield {
            generation: ServerSpec(name=generation, transport="http", url=f"http://127.0.0.1:{port}/mcp")
            for generation, (_, port) in started.items()
        }
    finally:
        for process, _ in started.values():
            process.terminate()
            process.wait()


@pytest.fixture
def over_stdio() -> ServerSpec:
    """The same server as a process that each test starts for itself."""
    return ServerSpec(name="own", transport="stdio", command=sys.executable, args=(str(CONFORMING),))


@pytest.fixture
def gateway() -> Callable[..., AbstractAsyncContextManager[Server[Any]]]:
    """A gateway in front of some servers, to be entered; with a tape, its calls are traced and faults happen."""

    @asynccontextmanager
    async def opened(
        *specs: ServerSpec, tape: Tape | None = None, faults: tuple[Fault, ...] = ()
    ) -> AsyncGenerator[Server[Any], None]:
        async with McpServers(specs) as servers:
            toolbox: Toolbox = servers
            if tape is not None:
                toolbox = assemble(servers, tape=tape, faults=faults, limits=Limits(calls=10_000))
            yield Gateway(toolbox, servers, name="gateway").server

    return opened


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def _wait_for(port: int) -> None:
    while True:  # The test's own time limit ends it.
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            continue
