"""Faults in the bytes themselves, before clients of either generation on either door; the gateway serves on."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from misstep.core.tool import Answer
from misstep.core.trace import decode_trace
from misstep.tools.listing import listed
from misstep.tools.mcp_client import McpServers, ServerSpec
from misstep.tools.recorded import RecordedCall, Tapes, write_recording

MISSTEP = [sys.executable, "-c", "from misstep.cli import main; main()"]

PLAIN, NOISE, CUT, ENDLESS, LONG, ENCODING = range(6)
"""The first number to add says what befalls the call."""

SCENARIO = f"""
[[faults]]
kind = "garbage"
arguments = {{ a = {NOISE} }}

[[faults]]
kind = "garbage"
arguments = {{ a = {CUT} }}
parameters = {{ form = "cut" }}

[[faults]]
kind = "garbage"
arguments = {{ a = {ENCODING} }}
parameters = {{ form = "encoding" }}

[[faults]]
kind = "endless"
arguments = {{ a = {ENDLESS} }}
parameters = {{ seconds = 600 }}

[[faults]]
kind = "endless"
arguments = {{ a = {LONG} }}
parameters = {{ seconds = 0.3 }}
"""

on_each_road = pytest.mark.parametrize(
    ("door", "mode", "route"),
    [
        ("stdio", "legacy", "real"),
        ("stdio", "auto", "simulated"),
        ("stdio", "auto", "recorded"),
        ("http", "auto", "real"),
        ("http", "legacy", "simulated"),
        ("http", "legacy", "recorded"),
    ],
)


class Hearing:
    """What a client hears beside its answers."""

    def __init__(self) -> None:
        self.garbage = asyncio.Event()
        self.logged = asyncio.Event()
        self.told = asyncio.Event()
        self._times = 0

    async def message(self, message: object) -> None:
        if isinstance(message, Exception):
            self.garbage.set()
        elif isinstance(message, types.LoggingMessageNotification):
            self.logged.set()

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        self._times += 1
        if self._times == 3:
            self.told.set()


@pytest.fixture(scope="module")
def recorded(conforming: dict[str, ServerSpec], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server, a recording of it, and a scenario whose faults strike the calls of one tool."""
    folder, spec = tmp_path_factory.mktemp("recorded"), conforming["stateless"]
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"one": {"url": spec.url}}}))
    (folder / "bytes.toml").write_text(SCENARIO)
    calls = [
        RecordedCall(tool="add", arguments={"a": a, "b": 1}, answer=Answer({"sum": a + 1}))
        for a in (PLAIN, NOISE, CUT, ENCODING)
    ]
    write_recording(folder / "kept.json", Tapes(asyncio.run(listed([spec])).tools, tuple(calls)))
    return folder


@pytest.fixture
def stdio(recorded: Path, tmp_path: Path) -> Callable[..., StdioServerParameters]:
    """What a client starts for a gateway of its own."""

    def started(route: str, *options: str) -> StdioServerParameters:
        command = gateway(shutil.copytree(recorded, tmp_path, dirs_exist_ok=True), route, *options)
        return StdioServerParameters(command=command[0], args=command[1:], cwd=tmp_path)

    return started


@pytest.fixture(scope="module")
def http(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """The address of a gateway, one for each route: it serves all who come, whatever befell those before them."""
    with ExitStack() as running:

        @cache
        def serving(route: str) -> str:
            folder = shutil.copytree(recorded, tmp_path_factory.mktemp(route), dirs_exist_ok=True)
            command = [*gateway(folder, route), "--http", "0"]
            process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
            running.callback(process.communicate)
            running.callback(process.terminate)
            assert process.stderr is not None
            told = process.stderr.readline()
            found = re.search(r"http://\S+/mcp", told)
            assert found, told
            return found[0]

        yield serving


@pytest.fixture
def target(request: pytest.FixtureRequest, door: str, route: str) -> Any:
    """What a Client is given to reach a gateway."""
    return request.getfixturevalue(door)(route)


def gateway(folder: Path, route: str, *options: str) -> list[str]:
    (folder / "misstep.toml").write_text(f'recording = "kept.json"\n[routing]\nadd = "{route}"\n')
    return [*MISSTEP, "serve", "--tools", "mcp.json", "--scenario", "bytes.toml", *options]


def _text(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, types.TextContent))


async def _plain(client: Client) -> bool:
    """Whether a call that no fault strikes gets its answer."""
    return not (await client.call_tool("add", {"a": PLAIN, "b": 1})).is_error


async def _unread(client: Client, hearing: Hearing, a: int) -> str:
    """What becomes of a call whose answer is garbage. On stdio a line belongs to no call, so this one just waits."""
    hearing.garbage.clear()
    call = asyncio.create_task(client.call_tool("add", {"a": a, "b": 1}))
    heard = asyncio.create_task(hearing.garbage.wait())
    await asyncio.wait({call, heard}, return_when=asyncio.FIRST_COMPLETED)
    heard.cancel()
    if not call.done():
        assert await _plain(client)
        call.cancel()
        await asyncio.wait([call])
        return "given up"
    with pytest.raises(MCPError) as error:
        call.result()
    return "parse error" if error.value.code == types.PARSE_ERROR else error.value.message


@on_each_road
def test_garbage_in_place_of_an_answer_costs_that_answer_and_no_other(target: Any, door: str, mode: str) -> None:
    async def talk() -> tuple[list[str], bool]:
        hearing = Hearing()
        async with Client(target, mode=mode, message_handler=hearing.message) as client:
            lost = [await _unread(client, hearing, a) for a in (NOISE, CUT)]
            return lost, await _plain(client)

    lost, served = asyncio.run(talk())
    assert lost == ["given up" if door == "stdio" else "parse error"] * 2
    assert served


@on_each_road
def test_an_answer_that_never_ends_holds_up_no_other_and_can_be_given_up(target: Any, mode: str) -> None:
    async def talk() -> tuple[bool, str, bool]:
        hearing = Hearing()
        async with Client(target, mode=mode, message_handler=hearing.message) as client:
            endless = [
                asyncio.create_task(client.call_tool("add", {"a": ENDLESS, "b": 1}, progress_callback=progress))
                for progress in (hearing.progress, None)
            ]
            await hearing.told.wait()
            await hearing.logged.wait()
            meanwhile = await _plain(client)
            for call in endless:
                call.cancel()
            await asyncio.wait(endless)
            bounded = await client.call_tool("add", {"a": LONG, "b": 1})
            assert bounded.is_error
            return meanwhile, _text(bounded), await _plain(client)

    meanwhile, bounded, after = asyncio.run(talk())
    assert (meanwhile, after) == (True, True)
    assert bounded == "No answer came from 'add' within 0.3 seconds: it was still sending."


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_breaks_on_broken_utf8_leaves_the_gateway_to_the_next(
    http: Callable[[str], str], mode: str
) -> None:
    async def talk() -> tuple[str, bool]:
        hearing = Hearing()
        async with Client(http("real"), mode=mode, message_handler=hearing.message) as client:
            lost = await _unread(client, hearing, ENCODING)
        async with Client(http("real"), mode=mode) as client:
            return lost, await _plain(client)

    assert asyncio.run(talk()) == ("parse error", True)


def test_a_client_that_dies_of_broken_utf8_on_stdio_leaves_a_session_that_is_kept(
    stdio: Callable[..., StdioServerParameters], tmp_path: Path
) -> None:
    async def talk() -> None:
        async with Client(stdio("real", "--out", "out")) as client:
            assert await _plain(client)
            # The SDK's reader has died by now, and says so only when the client leaves.
            with pytest.raises(MCPError):
                await client.call_tool("add", {"a": ENCODING, "b": 1}, read_timeout_seconds=1)

    with pytest.raises(BaseExceptionGroup) as died:
        asyncio.run(talk())
    assert died.value.subgroup(UnicodeDecodeError)
    trace = decode_trace((tmp_path / "out/traces.jsonl").read_bytes())
    results = [exchange.result for exchange in trace.exchanges]
    assert [(result.fault, result.is_error) for result in results if result] == [(None, False), ("garbage", True)]


def test_a_server_behind_that_sends_garbage_or_no_end_costs_us_those_calls_and_no_other(
    stdio: Callable[..., StdioServerParameters],
) -> None:
    async def talk() -> tuple[list[bool], bool, str]:
        target = stdio("simulated")
        spec = ServerSpec(
            name="bad", transport="stdio", command=target.command, args=tuple(target.args), cwd=str(target.cwd)
        )
        async with McpServers([spec]) as servers:
            lost = [asyncio.create_task(servers.call("add", {"a": a, "b": 1})) for a in (NOISE, ENCODING, ENDLESS)]
            cut = await servers.call("add", {"a": CUT, "b": 1})
            served = [not (await servers.call("add", {"a": PLAIN, "b": 1})).is_error for _ in range(3)]
            waiting = not any(call.done() for call in lost)
            for call in lost:
                call.cancel()
            await asyncio.wait(lost)
            served.append(not (await servers.call("add", {"a": PLAIN, "b": 1})).is_error)
            return served, waiting, str(cut.content)

    assert asyncio.run(talk()) == ([True] * 4, True, "The server's answer cannot be read: it is no JSON.")
