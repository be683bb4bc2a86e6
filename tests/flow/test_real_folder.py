"""The real filesystem server behind the gateway: whatever an agent does, the folder stays as it was."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from misstep.core.roles import Toolbox
from misstep.core.tool import JSON
from misstep.tools.fronting import Front, Lazily
from misstep.tools.listing import listed
from misstep.tools.mcp.file import ServerSpec, servers_in
from misstep.tools.mcp.results import result_from
from misstep.tools.mcp_client import McpServers
from misstep.tools.overlay import Overlay
from misstep.tools.routing import routing_from
from misstep.tools.simulators import simulator_for

_FOLDER = os.environ.get("MISSTEP_MCP_SERVERS", "")

pytestmark = pytest.mark.skipif(
    not _FOLDER,
    reason="MISSTEP_MCP_SERVERS names no folder with real MCP servers; tests/flow/install_mcp_servers.sh makes one",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    (files / "deep").mkdir(parents=True)
    (files / "note.txt").write_text("first line\nsecond line\n", encoding="utf-8")
    (files / "deep" / "old.txt").write_text("old\n", encoding="utf-8")
    (files / "pixel.png").write_bytes(bytes.fromhex("89504e470d0a1a0a"))
    return files


def seen(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Everything in a folder, byte for byte, with its times."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


async def everything(box: Toolbox, at: str) -> dict[str, str]:
    """Call every tool of the server, those that write before those that read; gives what was answered."""
    calls: list[tuple[str, Mapping[str, JSON]]] = [
        ("write_file", {"path": f"{at}/new.txt", "content": "written\n"}),
        ("write_file", {"path": f"{at}/note.txt", "content": "overwritten\n"}),
        ("edit_file", {"path": f"{at}/new.txt", "edits": [{"oldText": "written", "newText": "edited"}]}),
        ("create_directory", {"path": f"{at}/made"}),
        ("move_file", {"source": f"{at}/new.txt", "destination": f"{at}/made/moved.txt"}),
        ("read_file", {"path": f"{at}/note.txt"}),
        ("read_text_file", {"path": f"{at}/made/moved.txt"}),
        ("read_media_file", {"path": f"{at}/pixel.png"}),
        ("read_multiple_files", {"paths": [f"{at}/note.txt", f"{at}/deep/old.txt"]}),
        ("list_directory", {"path": at}),
        ("list_directory_with_sizes", {"path": at}),
        ("directory_tree", {"path": at}),
        ("search_files", {"path": at, "pattern": "*.txt"}),
        ("get_file_info", {"path": f"{at}/note.txt"}),
        ("list_allowed_directories", {}),
    ]
    assert {name for name, _ in calls} == {tool.name for tool in await box.tools()}
    answers: dict[str, str] = {}
    for name, arguments in calls:
        answers[name] = json.dumps((await box.call(name, arguments)).content)
    return answers


@pytest.mark.parametrize("route", ["simulated", "overlay"])
def test_an_agent_that_calls_every_tool_leaves_the_real_folder_as_it_was(folder: Path, route: str) -> None:
    server = {
        "command": f"{_FOLDER}/node/node",
        "args": [f"{_FOLDER}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", str(folder)],
    }
    file = folder.parent / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"files": server}}))

    async def session() -> dict[str, str]:
        servers = servers_in(file)
        tools = (await listed(servers)).tools
        real = Lazily(servers)
        simulated = simulator_for(tools, seed=1, roots=[str(folder)])
        others = {"real": real, "overlay": Overlay(real, tools, seed=1)}
        try:
            return await everything(
                Front(tools, routing_from({"*": route}, place="x"), simulated, others),  # pyright: ignore[reportArgumentType]
                str(folder),
            )
        finally:
            await real.close()

    before = seen(folder)
    answers = asyncio.run(session())
    assert seen(folder) == before
    assert "overwritten" in answers["read_file"]
    assert "edited" in answers["read_text_file"]
    assert "moved.txt" in answers["directory_tree"]
    if route == "overlay":
        assert "old" in answers["read_multiple_files"]
        assert "pixel.png" in answers["list_directory"]


def test_a_simulated_result_reads_as_the_real_one_does_block_for_block(tmp_path: Path) -> None:
    at = str(tmp_path)
    calls: list[tuple[str, Mapping[str, JSON]]] = [
        ("create_directory", {"path": f"{at}/made"}),
        ("write_file", {"path": f"{at}/note.txt", "content": "first line\nsecond line\n"}),
        ("write_file", {"path": f"{at}/pixel.png", "content": "x"}),
        ("read_text_file", {"path": f"{at}/note.txt"}),
        ("read_media_file", {"path": f"{at}/pixel.png"}),
        ("read_multiple_files", {"paths": [f"{at}/note.txt", f"{at}/none.txt"]}),
        ("list_directory", {"path": at}),
        ("directory_tree", {"path": at}),
        ("search_files", {"path": at, "pattern": "*.txt"}),
        ("move_file", {"source": f"{at}/note.txt", "destination": f"{at}/moved.txt"}),
        ("read_text_file", {"path": f"{at}/note.txt"}),
    ]
    program = f"{_FOLDER}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
    spec = ServerSpec(name="files", transport="stdio", command=f"{_FOLDER}/node/node", args=(program, at))

    async def results(box: Toolbox) -> list[dict[str, JSON]]:
        tools = {tool.name: tool for tool in await box.tools()}
        answered = [result_from(await box.call(name, arguments), tools[name]) for name, arguments in calls]
        return [{"isError": False, **result} for result in answered]

    async def both() -> tuple[list[dict[str, JSON]], list[dict[str, JSON]]]:
        async with McpServers([spec]) as real:
            simulated = simulator_for(await real.tools(), seed=1, roots=[at])
            return await results(real), await results(simulated)

    real, simulated = asyncio.run(both())
    assert simulated == real
