"""serve and wrap, from the command line: a client of MCP, the gateway, and a server behind it, all real processes."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from misstep.core.event import ToolResult
from misstep.core.trace import decode_trace

MISSTEP = [sys.executable, "-c", "from misstep.cli import main; main()"]
OURS = [*MISSTEP, "serve", "--tools", "world:shop", "--seed", "7"]
OTHERS = [sys.executable, str(Path(__file__).parent / "mcp" / "shop.py")]
CLIENT = """
import asyncio, json, sys
from mcp import Client

async def main():
    [server] = json.load(open(sys.argv[1]))["mcpServers"].values()
    async with Client(server["url"]) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "cancel_order" in names, names
        for name, arguments in json.loads(sys.argv[2]):
            result = await client.call_tool(name, arguments)
            print(json.dumps([name, result.is_error, result.structured_content]))

asyncio.run(main())
"""
FIND = ["find_customers", {"name": "Maria Silva"}]
SHOW = ["show_order", {"order_id": "W-28720"}]
CANCEL = ["cancel_order", {"customer_id": "C-1080", "order_id": "W-28720"}]

Calls = list[tuple[str, bool, dict[str, object]]]
"""Of each call its tool, whether it failed, and what it gave."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return with_the_shop(tmp_path, OTHERS)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What --accept shows, and the folder in which it was accepted."""
    folder = with_the_shop(tmp_path_factory.mktemp("accepted"), OURS)
    shown = misstep(folder, "serve", "--tools", "mcp.json", "--routing", "--accept")
    assert shown.returncode == 0, shown.stderr
    return shown.stdout, folder


@pytest.fixture(scope="module")
def session(accepted: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Calls, Path]:
    """A session that finds, shows, cancels and shows again: what its client got, and the folder where it is kept."""
    folder = shutil.copytree(accepted[1], tmp_path_factory.mktemp("session"), dirs_exist_ok=True)
    return wrapped(folder, FIND, SHOW, CANCEL, SHOW), folder


def with_the_shop(tmp_path: Path, served: list[str]) -> Path:
    """A folder with a file of MCP servers: the shop, with a secret that it need not see."""
    server = {"command": served[0], "args": served[1:], "env": {"SHOP_TOKEN": "sk-0123456789abcdef0123"}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": server}}))
    (tmp_path / "client.py").write_text(CLIENT)
    return tmp_path


def misstep(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*MISSTEP, *arguments], cwd=folder, capture_output=True, text=True, timeout=100, check=False)


def wrapped(folder: Path, *calls: Sequence[object]) -> Calls:
    command = [sys.executable, "client.py", "{mcp}", json.dumps(calls)]
    done = misstep(folder, "wrap", "--mcp-config", "mcp.json", "--out", "out", "--", *command)
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_without_a_routing_a_wrapped_agent_reaches_nothing_real(folder: Path) -> None:
    before = (folder / "mcp.json").read_bytes()
    [(name, failed, found)] = wrapped(folder, FIND)
    assert (name, failed) == ("find_customers", False)
    assert "Maria Silva" not in json.dumps(found)  # the shop's own customers were never asked for
    trace = decode_trace((folder / "out/traces.jsonl").read_bytes())
    assert {getattr(event, "served_by", None) for event in trace.events} == {None, "simulated"}
    assert (folder / "mcp.json").read_bytes() == before
    assert "sk-0123" not in (folder / "out/traces.jsonl").read_text()


def test_what_was_accepted_is_real_and_what_writes_stays_simulated(
    accepted: tuple[str, Path], session: tuple[Calls, Path]
) -> None:
    assert "cancel_order" in accepted[0]
    ((_, _, found), *_), folder = session
    assert "Maria Silva" in json.dumps(found)
    trace = decode_trace((folder / "out/traces.jsonl").read_bytes())
    served = [
        event.served_by
        for event in trace.events
        if isinstance(event, ToolResult) and event.actor in (FIND[0], CANCEL[0])
    ]
    assert served == ["real", "simulated"]


def test_what_was_accepted_shows_in_a_read_what_was_written_before_it(
    session: tuple[Calls, Path], tmp_path: Path
) -> None:
    (_, (_, _, before), (_, failed, _), (_, _, after)), folder = session
    assert not failed
    assert after != before
    assert "cancelled" in json.dumps(after)
    later = shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    assert "cancelled" not in json.dumps(wrapped(later, SHOW))


def test_what_was_decided_by_hand_is_kept_when_the_rest_is_accepted(folder: Path, refused: Callable[..., str]) -> None:
    written = '# mine\n[routing]\n"cancel_*" = "denied" # never\n\n[chat]\nrounds = 3\n'
    (folder / "misstep.toml").write_text(written)
    assert "--routing" in refused("serve", "--tools", "mcp.json", "--accept")
    assert (folder / "misstep.toml").read_text() == written
    done = misstep(folder, "serve", "--tools", "mcp.json", "--routing", "--accept")
    assert "had been decided on" in done.stderr, done.stderr
    text = (folder / "misstep.toml").read_text()
    assert text.startswith('# mine\n[routing]\n"cancel_*" = "denied" # never\n')
    assert text.endswith("\n[chat]\nrounds = 3\n")
    assert '"cancel_order"' not in text
    again = misstep(folder, "serve", "--tools", "mcp.json", "--routing", "--accept")
    assert "Nothing was written." in again.stderr
    assert (folder / "misstep.toml").read_text() == text


@pytest.mark.usefixtures("folder")
def test_a_command_that_does_not_exist_or_names_no_servers_is_told(refused: Callable[..., str]) -> None:
    assert "--mcp-config" in refused("wrap", "--", "true")
    assert "mcpServers file" in refused("serve", "--tools", "world:shop", "--routing")
    assert "surely-not-a-command" in refused("wrap", "--mcp-config", "mcp.json", "--", "surely-not-a-command")


def test_a_file_of_servers_is_replaced_however_it_is_spelt(folder: Path) -> None:
    spelt = ["--mcp-config", "./mcp.json", "--mcp-config=../x/../mcp.json", str(folder / "mcp.json"), "--at={mcp}"]
    done = misstep(folder, "wrap", "--", sys.executable, "-c", "import sys; print(*sys.argv[1:], sep='\\n')", *spelt)
    assert done.returncode == 0, done.stderr
    flag, *given = done.stdout.splitlines()
    assert flag == "--mcp-config"
    [ours] = {word.removeprefix("--mcp-config=").removeprefix("--at=") for word in given}
    assert Path(ours).parent.name.startswith("misstep-")


def test_a_session_is_told_how_to_start_another_and_no_secret_of_the_command(folder: Path) -> None:
    (folder / "misstep.toml").write_text('tools = "mcp.json"\n')
    command = [sys.executable, "client.py", "{mcp}", json.dumps([FIND]), "--api-key", "hush", "sk-0123456789abcdef0123"]
    done = misstep(folder, "wrap", "--out", "out", "--", *command)
    assert done.returncode == 0, done.stderr
    shown = misstep(folder, "report", "out")
    again = next(line for line in shown.stdout.splitlines() if line.startswith("Again"))
    assert again.split()[1:6] == ["misstep", "wrap", "--seed", "0", "--out"]
    assert "{mcp}" in again
    for text in (again, (folder / "out/report.html").read_text(), (folder / "out/run.json").read_text()):
        assert "misstep run" not in text
        assert "hush" not in text
        assert "sk-0123" not in text


def test_serve_takes_its_tools_from_the_settings_and_says_so_where_there_are_none(
    folder: Path, refused: Callable[..., str]
) -> None:
    assert "--tools" in refused("serve", "--routing")
    (folder / "misstep.toml").write_text('tools = "mcp.json"\n')
    shown = misstep(folder, "serve", "--routing")
    assert shown.returncode == 0, shown.stderr
    assert "cancel_order" in shown.stdout
