"""How far simulations agree with the real thing: the same random calls on real MCP servers and on their simulations.

The npm reference servers for files and for memory run in a scratch folder; the simulations know nothing of them but
their tool lists. Both sides start empty. A call agrees where both succeed or both fail and where what is read back is
the same; the wording of a success or an error does not count, and neither do times. Counted a tool at a time; `worked`
is the share of calls that the real server did not refuse.
Needs Node and npm; npm fetches the servers the first time.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from misstep.core.roles import Toolbox
from misstep.core.statistics import wilson
from misstep.core.tool import Tool
from misstep.tools.disk.files import Files
from misstep.tools.simulated import Simulated

SERVERS = ("@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-memory")
CALLS = 25
ROOT = "ROOT"

NAMES = ["a.txt", "notes.md", "pic.png", ".hidden"]
FOLDERS = ["", "docs", "docs/old"]
LINES = ["alpha", "beta beta", "  gamma", "", "delta = 1", "ünïcode", "tail"]


def somewhere(random: Random) -> str:
    folder = random.choice(FOLDERS)
    name = random.choice(NAMES)
    where = f"{ROOT}/{folder}/{name}" if folder else f"{ROOT}/{name}"
    odd = [f"{ROOT}/docs/../{name}", f"{where}/", f"{ROOT}/../outside/{name}", "/etc/hosts", ROOT, f"{where}/in-a-file"]
    return where if random.random() < 0.85 else random.choice(odd)


def some_folder(random: Random) -> str:
    folder = f"{ROOT}/{random.choice(FOLDERS)}".rstrip("/")
    return folder if random.random() < 0.85 else somewhere(random)


def some_text(random: Random) -> str:
    lines = random.choices(LINES, k=random.choice([0, 1, 2, 3, 5, 400]))
    return random.choice(["\n", "\n", "\n", "\r\n"]).join(lines) + random.choice(["", "\n"])


def _edits(random: Random) -> list[dict[str, str]]:
    return [
        {
            "oldText": random.choice([*LINES[:3], "a", "gamma", "delta = 1\n", "missing"]),
            "newText": random.choice(LINES),
        }
        for _ in range(random.choice([1, 1, 2]))
    ]


FILE_CALLS: dict[str, Any] = {
    "write_file": lambda r: {"path": somewhere(r), "content": some_text(r)},
    "read_text_file": lambda r: {
        "path": somewhere(r),
        **r.choice([{}, {"head": 2}, {"tail": 2}, {"tail": 1}, {"head": 1, "tail": 1}]),
    },
    "read_file": lambda r: {"path": somewhere(r)},
    "read_media_file": lambda r: {"path": somewhere(r)},
    "read_multiple_files": lambda r: {"paths": [somewhere(r) for _ in range(r.randrange(1, 4))]},
    "edit_file": lambda r: {"path": somewhere(r), "edits": _edits(r), "dryRun": r.random() < 0.2},
    "create_directory": lambda r: {"path": some_folder(r)},
    "list_directory": lambda r: {"path": some_folder(r)},
    "list_directory_with_sizes": lambda r: {"path": some_folder(r), "sortBy": r.choice(["name", "size"])},
    "directory_tree": lambda r: {
        "path": some_folder(r),
        **r.choice([{}, {"excludePatterns": ["*.md"]}, {"excludePatterns": ["old", "**/a.txt"]}]),
    },
    "move_file": lambda r: {"source": r.choice([somewhere, some_folder])(r), "destination": somewhere(r)},
    "search_files": lambda r: {
        "path": some_folder(r),
        "pattern": r.choice(
            ["*.txt", "**/*.md", "**/a*", "docs", "**/old", "*", "**", "*.{md,txt}", "A.TXT", "docs/*"]
        ),
        **r.choice([{}, {}, {"excludePatterns": ["docs"]}, {"excludePatterns": ["**/*.txt", "old"]}]),
    },
    "get_file_info": lambda r: {"path": r.choice([somewhere, some_folder])(r)},
    "list_allowed_directories": lambda r: {},
}
FILE_WEIGHTS = {"write_file": 3, "edit_file": 3, "move_file": 2, "list_allowed_directories": 0.3}
FIRST = ("create_directory", "create_directory", *["write_file"] * 6, "create_entities", "create_entities")
"""What a sequence opens with, so that there is something to work on."""

PEOPLE = ["Ada", "Bo", "Cy", "Di"]
FACTS = ["likes tea", "lives in Cork", "plays chess", "likes Bo"]
KINDS = ["person", "robot"]


def _some(random: Random, options: list[str]) -> list[str]:
    return random.choices(options, k=random.randrange(1, 3))


def _relations(random: Random) -> list[dict[str, str]]:
    return [
        {"from": random.choice(PEOPLE), "to": random.choice(PEOPLE), "relationType": random.choice(["knows", "likes"])}
        for _ in range(random.randrange(1, 3))
    ]


def _entities(random: Random) -> list[dict[str, Any]]:
    return [
        {"name": name, "entityType": random.choice(KINDS), "observations": _some(random, FACTS)}
        for name in _some(random, PEOPLE)
    ]


MEMORY_CALLS: dict[str, Any] = {
    "create_entities": lambda r: {"entities": _entities(r)},
    "create_relations": lambda r: {"relations": _relations(r)},
    "add_observations": lambda r: {
        "observations": [{"entityName": name, "contents": _some(r, FACTS)} for name in _some(r, PEOPLE)]
    },
    "delete_entities": lambda r: {"entityNames": _some(r, PEOPLE)},
    "delete_observations": lambda r: {
        "deletions": [{"entityName": name, "observations": _some(r, FACTS)} for name in _some(r, PEOPLE)]
    },
    "delete_relations": lambda r: {"relations": _relations(r)},
    "read_graph": lambda r: {},
    "search_nodes": lambda r: {"query": r.choice([*PEOPLE, "likes", "robot", "CHESS", "nothing"])},
    "open_nodes": lambda r: {"names": _some(r, PEOPLE)},
}
MEMORY_WEIGHTS = {"create_entities": 5, "create_relations": 3, "add_observations": 2}


def sequence(
    calls: Mapping[str, Any], weights: Mapping[str, float], random: Random
) -> list[tuple[str, dict[str, Any]]]:
    names = list(calls)
    first = [name for name in FIRST if name in calls]
    chosen = [*first, *random.choices(names, [weights.get(name, 1) for name in names], k=CALLS - len(first))]
    return [(name, calls[name](random)) for name in chosen]


def rooted(value: Any, root: str) -> Any:
    return json.loads(json.dumps(value).replace(ROOT, root))


WROTE = ("write_file", "create_directory", "move_file", "delete_entities", "delete_observations", "delete_relations")


def read_back(tool: str, content: Any, root: str) -> Any:
    """What counts of an answer: what it says of the data, not how it is worded; the order only where it is one."""
    if tool in WROTE:
        return None
    text = content["content"] if isinstance(content, dict) and set(content) == {"content"} else content
    if isinstance(text, str):
        text = text.replace(root, ROOT)
    if tool in ("list_directory", "search_files"):
        return sorted(text.splitlines())
    if tool == "list_directory_with_sizes":
        return [line.split() for line in text.splitlines()]
    if tool == "directory_tree":
        return json.loads(text)
    if tool == "get_file_info":
        known = dict(line.split(": ", 1) for line in text.splitlines())
        names = ("isDirectory", "isFile") if known["isDirectory"] == "true" else ("size", "isDirectory", "isFile")
        return {name: known[name] for name in names}
    if tool == "edit_file":
        return sorted(line for line in text.splitlines() if re.match(r"[-+](?![-+])", line))
    if tool == "read_multiple_files":
        return re.sub(r": Error - .*", ": Error", text)
    return json.loads(json.dumps(text).replace(root, ROOT)) if root else text


class Tally:
    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.worked: Counter[str] = Counter()
        self.agreed: Counter[str] = Counter()
        self.apart: dict[str, list[str]] = {}

    def count(self, tool: str, real: tuple[bool, Any], simulated: tuple[bool, Any], call: str) -> None:
        self.calls[tool] += 1
        self.worked[tool] += not real[0]
        self.agreed[tool] += real == simulated
        if real != simulated:
            self.apart.setdefault(tool, []).append(f"{call}\n      real {real}\n simulated {simulated}")

    def show(self, title: str, apart: int) -> None:
        print(f"{title:34}{'calls':>7}{'worked':>8}{'agree':>8}   95% interval")
        for tool in [*sorted(self.calls), None]:
            n = self.calls[tool] if tool else self.calls.total()
            k = self.agreed[tool] if tool else self.agreed.total()
            worked = self.worked[tool] if tool else self.worked.total()
            rate = wilson(k, n)
            print(f"  {tool or 'all':32}{n:>7}{worked / n:>8.0%}{rate.rate:>8.1%}   {rate.low:.1%} to {rate.high:.1%}")
        for tool, cases in sorted(self.apart.items()):
            for case in cases[:apart]:
                print(f"  {tool}: {case}", file=sys.stderr)


async def both(
    client: Client,
    box: Toolbox,
    calls: list[tuple[str, dict[str, Any]]],
    roots: tuple[str, str],
    tally: Tally,
) -> None:
    for tool, arguments in calls:
        result = await client.call_tool(tool, rooted(arguments, roots[0]))
        text = "\n".join(getattr(block, "text", "") for block in result.content)
        content = result.structured_content if result.structured_content is not None else text
        answer = await box.call(tool, rooted(arguments, roots[1]))
        real = (bool(result.is_error), None if result.is_error else read_back(tool, content, roots[0]))
        ours = (answer.is_error, None if answer.is_error else read_back(tool, answer.content, roots[1]))
        tally.count(tool, real, ours, json.dumps(arguments))


async def listed(client: Client) -> list[Tool]:
    found = (await client.list_tools()).tools
    kept = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in found]
    return [
        Tool(
            each["name"],
            each.get("description", ""),
            each["inputSchema"],
            each.get("outputSchema"),
            extra={"annotations": each.get("annotations", {})},
        )
        for each in kept
    ]


def started(folder: Path, server: str, arguments: list[str], environment: dict[str, str]) -> Any:
    program = str(folder / "node_modules" / server / "dist" / "index.js")
    node = shutil.which("node") or "node"
    quiet = open(os.devnull, "w")  # noqa: SIM115 (it lives as long as the server)
    return stdio_client(StdioServerParameters(command=node, args=[program, *arguments], env=environment), errlog=quiet)


async def files(folder: Path, sequences: int, seed: int, tally: Tally) -> None:
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    root = str(scratch.resolve())
    async with Client(started(folder, SERVERS[0], [root], {})) as client:
        tools = await listed(client)
        for at in range(sequences):
            shutil.rmtree(scratch)
            scratch.mkdir()
            calls = sequence(FILE_CALLS, FILE_WEIGHTS, Random(f"{seed}/files/{at}"))
            await both(client, Files(tools, seed=seed, roots=[root]), calls, (root, root), tally)


async def memory(folder: Path, sequences: int, seed: int, tally: Tally) -> None:
    kept = folder / "memory.jsonl"
    async with Client(started(folder, SERVERS[1], [], {"MEMORY_FILE_PATH": str(kept)})) as client:
        tools = await listed(client)
        for at in range(sequences):
            kept.unlink(missing_ok=True)
            calls = sequence(MEMORY_CALLS, MEMORY_WEIGHTS, Random(f"{seed}/memory/{at}"))
            await both(client, Simulated(tools, seed=seed, records=0), calls, ("", ""), tally)


def install(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if all((folder / "node_modules" / server).exists() for server in SERVERS):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("This benchmark needs Node and npm on the path, for the real servers.")
    subprocess.run([npm, "install", "--silent", "--prefix", str(folder), *SERVERS], check=True, cwd=folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--sequences", type=int, default=200, help=f"random sequences of {CALLS} calls a server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "misstep-fidelity")
    parser.add_argument("--apart", type=int, default=0, help="calls to show, a tool, that do not agree")
    options = parser.parse_args()
    install(options.folder)
    for title, run in (("files, on a tree in memory", files), ("memory, from schemas alone", memory)):
        tally = Tally()
        asyncio.run(run(options.folder, options.sequences, options.seed, tally))
        tally.show(title, options.apart)
    print(f"again: uv run python benchmarks/fidelity.py {' '.join(sys.argv[1:])}".rstrip())


if __name__ == "__main__":
    main()
