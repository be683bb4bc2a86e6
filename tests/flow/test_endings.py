"""serve and wrap, ended from outside by a signal: what was done is kept, and nothing is left behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.core.trace import Trace, decode_trace

# Whoever runs the tests in the background may have Ctrl-C ignored.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
MISSTEP = [sys.executable, "-c", f"{HEARING}; from misstep.cli import main; main()"]
SERVER = Path(__file__).parent / "mcp" / "misbehaving.py"
AGENT = """
import asyncio, json, os, subprocess, sys
from mcp import Client

async def main():
    [server] = json.load(open(sys.argv[1]))["mcpServers"].values()
    async with Client(server["url"]) as client:
        await client.call_tool("get_thing", {})
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(os.getpid(), child.pid, sys.argv[1], flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""

ended_by = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
# Both signals come in by one door, which stdio tries with both: a server that will not end takes eight seconds to end.
terminated = pytest.mark.parametrize("number", [signal.SIGTERM])
Started = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A server that does not go of its own accord, called for real."""
    server = {"command": sys.executable, "args": [str(SERVER), "stubborn"], "env": {"PIDS": str(tmp_path / "pids")}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"s": server}}))
    (tmp_path / "misstep.toml").write_text('[routing]\n"*" = "real"\n')
    (tmp_path / "agent.py").write_text(AGENT)
    return tmp_path


@pytest.fixture
def started(folder: Path) -> Iterator[Started]:
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [*MISSTEP, *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def _ask(process: "subprocess.Popen[str]", number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    while (said := json.loads(process.stdout.readline())).get("id") != number:
        pass
    return said


def _greet(process: "subprocess.Popen[str]") -> None:
    about = {"clientInfo": {"name": "c", "version": "1"}, "capabilities": {}}
    _ask(process, 1, "initialize", {"protocolVersion": "2025-06-18", **about})


def _ended(process: "subprocess.Popen[str]", number: int) -> str:
    """What it says on stderr after a signal. Its stdin stays open all the while."""
    assert process.stderr is not None
    process.send_signal(number)
    said = process.stderr.read()
    assert process.wait() == 128 + number
    return said


def _kept(folder: Path) -> Trace:
    assert (folder / "out/report.html").is_file()
    return decode_trace((folder / "out/traces.jsonl").read_bytes())


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _servers_alive(folder: Path) -> list[int]:
    return [pid for pid in map(int, (folder / "pids").read_text().split()) if _is_alive(pid)]


@ended_by
def test_serve_on_stdio_keeps_its_session_while_stdin_stays_open(folder: Path, started: Started, number: int) -> None:
    process = started("serve", "--tools", "mcp.json", "--out", "out", "--record", "tape.json")
    _greet(process)
    _ask(process, 2, "tools/call", {"name": "get_thing", "arguments": {}})
    said = _ended(process, number)
    assert "Traceback" not in said
    assert len(_kept(folder).exchanges) == 1
    assert len(json.loads((folder / "tape.json").read_text())["calls"]) == 1
    assert _servers_alive(folder) == []


@terminated
def test_serve_on_http_keeps_its_session(folder: Path, started: Started, number: int) -> None:
    process = started("serve", "--tools", "mcp.json", "--http", "0", "--out", "out", "--record", "tape.json")
    assert process.stderr is not None
    assert "Serving mcp.json" in process.stderr.readline()
    said = _ended(process, number)
    assert "Traceback" not in said
    assert _kept(folder).exchanges == ()
    assert (folder / "tape.json").is_file()
    assert _servers_alive(folder) == []


@terminated
def test_wrap_ends_its_agent_and_all_that_this_started(folder: Path, started: Started, number: int) -> None:
    process = started(
        *("wrap", "--mcp-config", "mcp.json", "--out", "out", "--record", "tape.json", "--"),
        *(sys.executable, "agent.py", "{mcp}"),
    )
    assert process.stdout is not None
    agent, child, config = process.stdout.readline().split()
    said = _ended(process, number)
    assert "Traceback" not in said
    assert len(_kept(folder).exchanges) == 1
    assert (folder / "tape.json").is_file()
    assert [pid for pid in (agent, child) if _is_alive(int(pid))] == []
    assert not Path(config).parent.exists()
    assert _servers_alive(folder) == []


@ended_by
def test_what_is_ended_while_it_starts_leaves_no_server_behind(folder: Path, started: Started, number: int) -> None:
    server = {"command": sys.executable, "args": [str(SERVER), "never-lists"], "env": {"PIDS": str(folder / "pids")}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"s": server}}))
    os.mkfifo(folder / "pids")
    process = started("serve", "--tools", "mcp.json", "--out", "out")
    pid = int((folder / "pids").read_text())
    said = _ended(process, number)
    assert "Traceback" not in said
    assert not _is_alive(pid)


@ended_by
def test_serve_on_http_is_ended_in_mid_call_without_a_word_of_its_insides(
    folder: Path, started: Started, number: int
) -> None:
    server = {"command": sys.executable, "args": [str(SERVER), "never-answers"], "env": {"PIDS": str(folder / "pids")}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"s": server}}))
    process = started("serve", "--tools", "mcp.json", "--http", "0", "--out", "out")
    assert process.stderr is not None
    url = process.stderr.readline().split(" at ")[1].split(";")[0]

    (folder / "own.json").write_text(json.dumps({"mcpServers": {"s": {"url": url}}}))
    caller = subprocess.Popen([sys.executable, "agent.py", "own.json"], cwd=folder, stderr=subprocess.DEVNULL)
    while not (folder / "seen").exists():
        assert caller.poll() is None
    said = _ended(process, number)
    caller.kill()
    caller.wait()
    assert "Traceback" not in said
    assert len(_kept(folder).exchanges) == 1
