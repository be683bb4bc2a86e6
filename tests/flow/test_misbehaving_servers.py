"""Servers that list nothing, or without an end, or say what nobody can read: each is named, and nobody waits for it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.core.tool import Answer
from misstep.tools.listing import listed
from misstep.tools.mcp_client import McpServers, ServerSpec

MISSTEP = [sys.executable, "-c", "from misstep.cli import main; main()"]
SERVER = Path(__file__).parent / "mcp" / "misbehaving.py"


def server(mode: str, **more: object) -> ServerSpec:
    return ServerSpec(name=mode, transport="stdio", command=sys.executable, args=(str(SERVER), mode), **more)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("mode", "patience_s", "why"),
    [
        ("never-lists", 2, "did not answer 'tools/list' within 2 seconds. Its last words: still indexing"),
        ("lists-for-ever", 60, "answered 'tools/list' with 1000 pages and no end"),
        ("dies-on-listing", 60, "ended in the middle of 'tools/list'. Its last words: no licence found"),
    ],
)
def test_a_server_that_does_not_list_its_tools_is_named_and_the_others_serve(
    mode: str, patience_s: float, why: str
) -> None:
    async def talk() -> tuple[list[str], dict[str, str]]:
        async with McpServers([server(mode), server("sound")], patience_s=patience_s) as servers:
            await servers.tools()
            return [tool.name for tool in await servers.tools()], servers.failed

    names, failed = asyncio.run(talk())
    assert names == ["get_thing", "read_note"]
    assert list(failed) == [mode]
    assert why in failed[mode]


def test_where_no_server_lists_any_tools_that_is_an_error() -> None:
    with pytest.raises(UsageError, match="no licence found"):
        asyncio.run(listed([server("dies-on-listing")]))


@pytest.mark.parametrize("command", [("serve", "--routing"), ("serve",), ("synthesize", "--count", "1")])
def test_each_command_names_the_server_that_it_does_without(tmp_path: Path, command: tuple[str, ...]) -> None:
    _write_servers(tmp_path, "dies-on-listing", "sound")
    done = misstep(tmp_path, *command, "--tools", "mcp.json")
    assert done.stderr.count("The MCP server 'dies-on-listing'") == 1
    assert "no licence found" in done.stderr


def test_a_server_that_may_need_what_was_kept_from_it_is_said_to(tmp_path: Path) -> None:
    _write_servers(tmp_path, "dies-on-listing", env={"API_KEY": "hush-hush"})
    done = misstep(tmp_path, "serve", "--routing", "--tools", "mcp.json")
    assert done.returncode == 2
    assert "It was not given API_KEY: Misstep keeps secrets from servers of which no tool is real." in done.stderr
    assert "[routing]" in done.stderr


def test_what_stands_behind_an_address_is_not_told() -> None:
    lost = ServerSpec(name="a", transport="http", url="http://127.0.0.1:1/mcp?api_key=hush-hush")
    with pytest.raises(UsageError) as told:
        asyncio.run(listed([lost]))
    assert "http://127.0.0.1:1/mcp?…" in str(told.value)
    assert "hush-hush" not in str(told.value)


def test_a_secret_that_a_real_server_tells_is_in_nothing_that_is_kept(tmp_path: Path) -> None:
    _write_servers(tmp_path, "echoes-secrets", env={"SHOP_TOKEN": "hush-hush"})
    (tmp_path / "misstep.toml").write_text('[routing]\n"*" = "real"\n')
    call = {"method": "tools/call", "params": {"name": "get_thing", "arguments": {"path": "is it hush-hush?"}}}
    [_, told] = asked(tmp_path, lines(call), "--tools", "mcp.json", "--out", "out", "--record", "tape.json")
    assert "hush-hush" in told
    kept = [file for file in [*(tmp_path / "out").rglob("*"), tmp_path / "tape.json"] if file.is_file()]
    assert len(kept) > 4
    assert [file for file in kept if "hush-hush" in file.read_text()] == []


@pytest.mark.parametrize(
    ("mode", "said"),
    [("lone-surrogate", "\\ud800 odd"), ("nested-deeply", "cannot be read: it is nested too deeply")],
)
def test_an_answer_that_cannot_be_encoded_is_made_so_or_is_an_error(mode: str, said: str) -> None:
    async def talk() -> list[Answer]:
        async with McpServers([server(mode)]) as servers:
            return [await servers.call("get_thing", {}) for _ in range(2)]

    assert [said in str(answer.content) for answer in asyncio.run(talk())] == [True, True]


def test_a_request_that_cannot_be_encoded_is_answered(tmp_path: Path) -> None:
    call = {"method": "tools/call", "params": {"name": "find_customers", "arguments": {"name": "\ud800"}}}
    odd, deep = lines(call), lines(call).splitlines()[1].replace('"\\ud800"', "[" * 3000 + "]" * 3000)
    answers = asked(tmp_path, f"{odd}{deep}\n", "--tools", "world:shop", "--out", "out")
    assert sorted("nested too deeply" in each for each in answers) == [False, False, True]
    assert not any("Traceback" in each for each in answers)
    assert "\\\\ud800" in (tmp_path / "out/traces.jsonl").read_text()


def _write_servers(folder: Path, *modes: str, env: dict[str, str] | None = None) -> None:
    entries = {
        mode: {"command": sys.executable, "args": [str(SERVER), mode], **({"env": env} if env else {})}
        for mode in modes
    }
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": entries}))


def misstep(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [*MISSTEP, *arguments]
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False
    )


def asked(folder: Path, requests: str, *arguments: str) -> list[str]:
    """The answers to a client on stdio, which then leaves; as many as there are lines."""
    with subprocess.Popen(
        [*MISSTEP, "serve", *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(requests)
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in requests.splitlines()]
        process.stdin.close()
    assert process.returncode == 0
    return answers


def lines(*requests: Mapping[str, object]) -> str:
    """What a client of the handshake generation sends."""
    about = {"clientInfo": {"name": "c", "version": "1"}, "capabilities": dict[str, object]()}
    greeting = {"method": "initialize", "params": {"protocolVersion": "2025-06-18", **about}}
    whole = [{"jsonrpc": "2.0", "id": at, **each} for at, each in enumerate((greeting, *requests), 1)]
    return "".join(json.dumps(each) + "\n" for each in whole)
