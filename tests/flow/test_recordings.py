"""A recording of a real server, checked against the server as it is now, from the command line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MISSTEP = [sys.executable, "-c", "from misstep.cli import main; main()"]
SHOP = Path(__file__).parent / "mcp" / "shop.py"
CLIENT = """
import asyncio, sys
from mcp import Client

async def main():
    async with Client(sys.argv[1]) as client:
        await client.call_tool("find_customers", {"name": "Maria Silva"})
        await client.call_tool("show_order", {"order_id": "W-28720"})
        await client.call_tool("add_note", {"customer_id": "C-1080", "text": "x"})

asyncio.run(main())
"""


def misstep(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*MISSTEP, *arguments], cwd=folder, capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop behind MCP, a routing in which what reads is real, and a recording of three calls."""
    folder = tmp_path_factory.mktemp("recorded")
    server = {"command": sys.executable, "args": [str(SHOP)]}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": server}}))
    (folder / "client.py").write_text(CLIENT)
    assert misstep(folder, "serve", "--tools", "mcp.json", "--routing", "--accept").returncode == 0
    command = ["wrap", "--mcp-config", "mcp.json", "--record", "kept.json", "--"]
    done = misstep(folder, *command, "sh", "-c", f'{sys.executable} client.py "$MISSTEP_MCP_URL"')
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def folder(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)


def check(folder: Path) -> "subprocess.CompletedProcess[str]":
    return misstep(folder, "serve", "--tools", "mcp.json", "--check-recording", "kept.json")


def test_a_recording_of_the_server_as_it_is_fits_and_what_writes_is_not_called(folder: Path) -> None:
    done = check(folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "kept.json fits the tools as they are now.\n2 recorded calls made again" in done.stderr
    assert "Not made again: 1, for the tool does more than read." in done.stderr


def test_answers_of_another_shape_are_in_the_table_and_other_values_are_not(folder: Path) -> None:
    kept = json.loads((folder / "kept.json").read_text())
    order = next(call for call in kept["calls"] if call["tool"] == "show_order")
    order["answer"]["content"] |= {"total": "a lot", "order_id": "W-1", "colour": "red"}
    (folder / "kept.json").write_text(json.dumps(kept))
    done = check(folder)
    assert done.returncode == 2, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:] if line.startswith("show_order")]
    assert [row[1] for row in rows] == ["answer.colour", "answer.total"]
    assert "a text" in done.stdout
    assert "a lot" not in done.stdout


def test_without_a_routing_no_recorded_call_is_made(folder: Path) -> None:
    (folder / "misstep.toml").unlink()
    done = check(folder)
    assert "0 recorded calls made again" in done.stderr
    assert done.returncode == 0
