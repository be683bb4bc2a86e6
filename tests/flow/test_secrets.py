"""Which servers are given the secrets of a file: those with a tool that is real, and no others."""

import asyncio
import sys
from pathlib import Path

import pytest

from misstep.tools.fronting import Front, Lazily
from misstep.tools.listing import listed
from misstep.tools.mcp.file import ServerSpec
from misstep.tools.routing import routing_from
from misstep.tools.simulators import simulator_for

_SERVER = """
import json, os, sys

name, needs = sys.argv[1:]
with open(f"{name}.seen", "a") as seen:
    seen.write(os.environ["API_TOKEN"] + "\\n")
if needs == "needy" and os.environ["API_TOKEN"] != f"secret of {name}":
    sys.exit("a token is needed")

number = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
answers = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": name, "version": "1"},
    },
    "tools/list": {"tools": [{"name": f"read_{name}", "description": "Read a page.", "inputSchema": number}]},
    "tools/call": {"content": [{"type": "text", "text": os.environ["API_TOKEN"]}]},
}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        unknown = {"error": {"code": -32601, "message": "Method not found"}}
        told = {"result": answers[asked["method"]]} if asked["method"] in answers else unknown
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **told}), flush=True)
"""
"""Bare: it starts in no time, and many are started."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "server.py").write_text(_SERVER, encoding="utf-8")
    return tmp_path


def answers(folder: Path, routing: dict[str, object], *calls: str, needs: str = "nothing") -> list[object]:
    """What calls give before two servers, each of which has a secret."""
    specs = [
        ServerSpec(
            name=name,
            transport="stdio",
            command=sys.executable,
            args=("server.py", name, needs if name == "b" else "nothing"),
            env={"API_TOKEN": f"secret of {name}"},
            cwd=str(folder),
        )
        for name in ("a", "b")
    ]

    async def talk() -> list[object]:
        accepted = routing_from(routing, place="x")
        tools = (await listed(specs, accepted)).tools
        real = Lazily(specs)
        front = Front(tools, accepted, simulator_for(tools, seed=1), {"real": real})
        try:
            return [(await front.call(name, {"number": 1})).content for name in calls]
        finally:
            await real.close()

    return asyncio.run(talk())


def seen(folder: Path, name: str) -> set[str]:
    return set((folder / f"{name}.seen").read_text().splitlines())


def test_a_server_without_a_real_tool_never_gets_its_secret(folder: Path) -> None:
    told = answers(folder, {"read_a": "real"}, "read_a", "read_b")
    assert told[0] == "secret of a"
    assert seen(folder, "b") == {"kept-back-by-misstep"}


def test_without_a_routing_no_server_does(folder: Path) -> None:
    answers(folder, {}, "read_a", "read_b")
    assert seen(folder, "a") | seen(folder, "b") == {"kept-back-by-misstep"}


def test_a_server_that_shows_nothing_without_its_secret_gets_it_where_whatever_it_has_is_real(folder: Path) -> None:
    assert answers(folder, {"*": "real"}, "read_b", needs="needy") == ["secret of b"]
