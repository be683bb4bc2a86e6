"""Real MCP servers and clients, untouched: the same lists and answers with the gateway between them as without it."""

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

_HERE = Path(__file__).parent
_MISSTEP = "from misstep.cli import main; main()"
_FOLDER = os.environ.get("MISSTEP_MCP_SERVERS", "")

pytestmark = [
    pytest.mark.skipif(
        not _FOLDER,
        reason="MISSTEP_MCP_SERVERS names no folder with real MCP servers; tests/flow/install_mcp_servers.sh makes one",
    ),
    pytest.mark.timeout(300),
]

Entry = dict[str, Any]
Calls = dict[str, list[tuple[str, dict[str, Any]]]]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is the library's)
        pass


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder with texts and an image, and a repository with one commit and one change."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "note.txt").write_text("first line\nsecond line\n", encoding="utf-8")
    (files / "pixel.png").write_bytes(bytes.fromhex("89504e470d0a1a0a"))
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "a.txt").write_text("a\n", encoding="utf-8")
    identity = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z"}
    identity |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in identity.items()}
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *command], cwd=repository, check=True, env={**os.environ, **identity})
    (repository / "a.txt").write_text("b\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def page(scratch: Path) -> Iterator[str]:
    """An address of a small page on this machine."""
    (scratch / "files" / "page.html").write_text("<html><body><p>Hello.</p></body></html>", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(scratch / "files")))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/page.html"
    server.shutdown()
    server.server_close()
    thread.join()


def _entries(scratch: Path, memory: str) -> dict[str, Entry]:
    npm = f"{_FOLDER}/node_modules/@modelcontextprotocol"
    python = f"{_FOLDER}/venv/bin"

    def node(server: str, *args: str, **more: Any) -> Entry:
        return {"command": f"{_FOLDER}/node/node", "args": [f"{npm}/{server}/dist/index.js", *args], **more}

    return {
        "files": node("server-filesystem", str(scratch / "files")),
        "everything": node("server-everything"),
        "memory": node("server-memory", env={"MEMORY_FILE_PATH": str(scratch / f"{memory}.json")}),
        "time": {"command": f"{python}/mcp-server-time", "args": ["--local-timezone", "UTC"]},
        "git": {"command": f"{python}/mcp-server-git"},
        "fetch": {
            "command": f"{python}/mcp-server-fetch",
            "args": ["--ignore-robots-txt", "--allow-private-ips"],
            # With node on its path its reader of pages installs packages into its own folder at the first call, which
            # two servers at once do not survive.
            "env": {"PATH": str(scratch)},
        },
    }


def _calls(scratch: Path, page: str) -> Calls:
    files, repository = str(scratch / "files"), str(scratch / "repository")
    entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    return {
        "files": [
            ("list_allowed_directories", {}),
            ("read_text_file", {"path": f"{files}/note.txt", "head": 1}),
            ("read_media_file", {"path": f"{files}/pixel.png"}),
            ("directory_tree", {"path": files}),
            ("write_file", {"path": f"{files}/new.txt", "content": "new"}),
            ("edit_file", {"path": f"{files}/new.txt", "edits": [{"oldText": "new", "newText": "newer"}]}),
            ("read_text_file", {"path": f"{files}/new.txt"}),
            ("read_text_file", {"path": f"{files}/none.txt"}),
            ("read_text_file", {"path": "/etc/passwd"}),
            ("read_text_file", {"wrong": 1}),
        ],
        "everything": [
            ("echo", {"message": "hello"}),
            ("echo", {}),
            ("get-sum", {"a": 1, "b": 2}),
            ("get-tiny-image", {}),
            ("get-annotated-message", {"messageType": "error", "includeImage": True}),
            ("get-resource-links", {"count": 2}),
            ("get-structured-content", {"location": "Chicago"}),
            ("simulate-research-query", {"topic": "x"}),
        ],
        "memory": [
            ("create_entities", {"entities": [entity]}),
            ("add_observations", {"observations": [{"entityName": "Ada", "contents": ["writes"]}]}),
            ("add_observations", {"observations": [{"entityName": "Bob", "contents": ["is not there"]}]}),
            ("read_graph", {}),
            ("search_nodes", {"query": "Ada"}),
            ("delete_entities", {"entityNames": ["Ada"]}),
            ("read_graph", {}),
        ],
        "time": [
            ("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
            ("convert_time", {"source_timezone": "Nowhere", "time": "12:00", "target_timezone": "UTC"}),
        ],
        "git": [
            ("git_status", {"repo_path": repository}),
            ("git_log", {"repo_path": repository}),
            ("git_diff_unstaged", {"repo_path": repository}),
            ("git_status", {"repo_path": "/nowhere"}),
        ],
        "fetch": [("fetch", {"url": page}), ("fetch", {"url": "http://127.0.0.1:1/"})],
    }


def _plain(result: types.Result) -> dict[str, Any]:
    dumped = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    meta = dumped.pop("_meta", {})
    meta.pop("io.modelcontextprotocol/serverInfo", None)
    kept = {name: value for name, value in dumped.items() if name not in ("resultType", "ttlMs", "cacheScope")}
    return {**kept, "_meta": meta} if meta else kept


async def _listed(client: Client) -> list[dict[str, Any]]:
    """Without `execution`: the stateless generation has no such word, so a server of the other cannot say it there."""
    tools: list[dict[str, Any]] = _plain(await client.list_tools())["tools"]
    return [{name: value for name, value in tool.items() if name != "execution"} for tool in tools]


async def _told(client: Client, calls: list[tuple[str, dict[str, Any]]]) -> list[object]:
    told: list[object] = []
    for name, arguments in calls:
        try:
            told.append(_plain(await client.call_tool(name, arguments)))
        except MCPError as error:
            told.append(error.error.model_dump(mode="json", exclude_none=True))
    return told


def _parameters(entry: Entry) -> StdioServerParameters:
    return StdioServerParameters(**entry)


def _gateway(scratch: Path, entries: dict[str, Entry]) -> StdioServerParameters:
    """`misstep serve` in a folder where somebody has accepted that every tool is real."""
    (scratch / "misstep.toml").write_text('tools = "mcp.json"\n\n[routing]\n"*" = "real"\n', encoding="utf-8")
    (scratch / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    return StdioServerParameters(command=sys.executable, args=["-c", _MISSTEP, "serve"], cwd=scratch)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_six_servers_behind_one_gateway_list_and_answer_as_they_do_alone(scratch: Path, page: str, mode: str) -> None:
    calls = _calls(scratch, page)

    async def alone() -> tuple[list[object], dict[str, list[object]]]:
        tools: list[object] = []
        told: dict[str, list[object]] = {}
        for name, entry in _entries(scratch, "alone").items():
            async with Client(_parameters(entry), mode=mode) as client:
                tools += await _listed(client)
                told[name] = await _told(client, calls[name])
        return tools, told

    async def together() -> tuple[list[object], dict[str, list[object]]]:
        async with Client(_gateway(scratch, _entries(scratch, "together")), mode=mode) as client:
            tools = await _listed(client)
            return tools, {name: await _told(client, each) for name, each in calls.items()}

    tools, told = asyncio.run(alone())
    (scratch / "files" / "new.txt").unlink()
    tools_behind, told_behind = asyncio.run(together())
    assert tools_behind == tools
    assert told_behind == told


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_prompts_resources_and_questions_of_real_servers_pass_through(scratch: Path, mode: str) -> None:
    async def elicit(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def sample(context: object, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        return types.CreateMessageResult(role="assistant", content=types.TextContent(text="sampled"), model="m")

    async def roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=f"file://{scratch / 'files'}")])

    async def everything(parameters: StdioServerParameters) -> list[object]:
        async with Client(
            parameters, mode=mode, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots
        ) as client:
            questions = ["trigger-elicitation-request", "get-roots-list"]
            return [
                {tool.name for tool in (await client.list_tools()).tools} & {*questions, "trigger-url-elicitation"},
                [each for each in _plain(await client.list_prompts())["prompts"] if each["name"] != "fetch"],
                _plain(await client.get_prompt("args-prompt", {"city": "Paris"})),
                [each for each in _plain(await client.list_resources())["resources"] if "demo:" in each["uri"]],
                _plain(await client.list_resource_templates()),
                _plain(await client.read_resource("demo://resource/static/document/features.md")),
                await _told(client, [(name, {}) for name in questions]),
                await _told(client, [("trigger-sampling-request", {"prompt": "x"})]),
            ]

    alone = asyncio.run(everything(_parameters(_entries(scratch, "alone")["everything"])))
    behind = asyncio.run(everything(_gateway(scratch, _entries(scratch, "behind"))))
    assert behind == alone


def _inspect(target: list[str], *words: str, cwd: Path) -> object:
    inspector = f"{_FOLDER}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    # Six servers take their time on a busy machine: they are started to be listed, and again to be called.
    patient = ["--connect-timeout", "100000"]
    command = [f"{_FOLDER}/node/node", inspector, "--cli", *target, *words, *patient]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}") from None


def test_the_inspector_sees_the_same_servers_through_the_gateway(scratch: Path) -> None:
    gateway = _gateway(scratch, _entries(scratch, "inspected"))
    through = [gateway.command, *gateway.args]
    alone: list[object] = []
    for entry in _entries(scratch, "alone").values():
        target = [entry["command"], *entry.get("args", [])]
        listed = _inspect(target, "--method", "tools/list", cwd=scratch)
        assert isinstance(listed, dict)
        alone += listed["tools"]
    behind = _inspect(through, "--method", "tools/list", cwd=scratch)
    assert isinstance(behind, dict)
    assert behind["tools"] == alone
    image = ["--method", "tools/call", "--tool-name", "get-tiny-image"]
    entry = _entries(scratch, "alone")["everything"]
    assert _inspect(through, *image, cwd=scratch) == _inspect([entry["command"], *entry["args"]], *image, cwd=scratch)


@contextlib.contextmanager
def _listening(command: list[str], cwd: Path, **environment: str) -> Iterator[str]:
    """A server on a free port of this machine, which stands in the command or the environment as PORT."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    filled = [each.replace("PORT", str(port)) for each in command]
    process = subprocess.Popen(
        filled, cwd=cwd, env={**os.environ, **{name: str(port) for name in environment}}, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


def _conformance(url: str) -> dict[str, tuple[int, int]]:
    """Each scenario, with how many checks passed and failed."""
    suite = f"{_FOLDER}/node_modules/@modelcontextprotocol/conformance/dist/index.js"
    command = [f"{_FOLDER}/node/node", suite, "server", "--suite", "all", "--url", url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    found = re.findall(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", done.stdout, re.MULTILINE)
    return {name: (int(passed), int(failed)) for name, passed, failed in found}


@pytest.mark.parametrize("behind", ["everything", "conforming"])
def test_the_conformance_suite_gives_the_same_result_through_the_gateway(scratch: Path, behind: str) -> None:
    conforming = str(_HERE / "mcp" / "conforming.py")
    if behind == "everything":
        entry = _entries(scratch, "m")["everything"]
        direct = _listening([entry["command"], *entry["args"], "streamableHttp"], scratch, PORT="")
    else:
        entry = {"command": sys.executable, "args": [conforming]}
        direct = _listening([sys.executable, conforming, "PORT"], scratch)
    gateway = _gateway(scratch, {"one": entry})
    with direct as url:
        expected = {name: found for name, found in _conformance(url).items() if not found[1]}
    with _listening([gateway.command, *gateway.args, "--http", "PORT"], scratch) as url:
        found = _conformance(url)
    assert len(expected) >= (30 if behind == "conforming" else 10)
    assert {name: found.get(name) for name in expected} == expected
