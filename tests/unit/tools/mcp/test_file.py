"""What a file of MCP servers may hold, and what is said of one that is wrong."""

import json
from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.tools.mcp.file import ServerSpec, filled_in
from misstep.tools.mcp_client import servers_in


def _written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_command_and_an_address_are_read_as_everybody_writes_them(tmp_path: Path) -> None:
    entries = {
        "files": {"command": "npx", "args": ["-y", "server", "/data"], "env": {"KEY": "x"}, "cwd": "/tmp"},
        "search": {"type": "streamable-http", "url": "https://example.org/mcp", "headers": {"Authorization": "b"}},
        "old": {"transport": "sse", "url": "https://example.org/sse"},
        "bare": {"url": "https://example.org/mcp", "timeout": 30, "autoApprove": []},
    }
    files, search, old, bare = servers_in(_written(tmp_path, {"mcpServers": entries}))
    assert files == ServerSpec(
        name="files", transport="stdio", command="npx", args=("-y", "server", "/data"), env={"KEY": "x"}, cwd="/tmp"
    )
    assert (search.transport, search.headers) == ("http", {"Authorization": "b"})
    assert (old.transport, bare.transport) == ("sse", "http")


def test_a_disabled_server_is_left_out(tmp_path: Path) -> None:
    entries = {"off": {"command": "x", "disabled": True}, "on": {"command": "y", "disabled": False}}
    assert [spec.name for spec in servers_in(_written(tmp_path, {"mcpServers": entries}))] == ["on"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no JSON: Expecting property name enclosed in double quotes in line 1, column 2"),
        ("[]", "must hold an object with the key 'mcpServers'"),
        ({"mcpServer": {}}, "has no key 'mcpServers'. 'mcpServer' is probably meant to be it."),
        ({"mcpServers": []}, "'mcpServers' in"),
        ({"mcpServers": {}}, "names no server"),
        ({"mcpServers": {"a": "npx"}}, "The server 'a' in"),
        ({"mcpServers": {"a": {"comand": "npx"}}}, "has the key 'comand'. Did you mean 'command'?"),
        ({"mcpServers": {"a": {"command": "npx", "arg": []}}}, "has the key 'arg'. Did you mean 'args'?"),
        ({"mcpServers": {"a": {"args": []}}}, "has neither 'command' (to start it) nor 'url' (to reach it)"),
        ({"mcpServers": {"a": {"command": "x", "url": "y"}}}, "has both 'command' and 'url'"),
        ({"mcpServers": {"a": {"command": "x", "type": "http"}}}, "has the type 'http', which needs 'url'"),
        ({"mcpServers": {"a": {"command": "x", "type": "tcp"}}}, "it must be 'stdio', 'http' or 'sse'"),
        ({"mcpServers": {"a": {"command": "x", "args": "-y"}}}, "must be a list of texts; it is a text"),
        ({"mcpServers": {"a": {"command": "x", "args": [1]}}}, "must be a list of texts; it is a list of other things"),
        ({"mcpServers": {"a": {"command": "x", "env": {"PORT": 1}}}}, "must be an object of texts"),
        ({"mcpServers": {"a": {"command": ""}}}, "must be a text; it is an empty text"),
        ('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', "has 'a' twice in one object"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(UsageError) as error:
        servers_in(_written(tmp_path, content))
    assert said in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.json"):
        servers_in(tmp_path / "none.json")


def test_variables_are_filled_in_only_when_a_server_is_started(tmp_path: Path) -> None:
    entry = {"command": "${HOME_OF}/run", "args": ["${PORT:-80}"], "env": {"KEY": "${env:SECRET}"}}
    (spec,) = servers_in(_written(tmp_path, {"mcpServers": {"a": entry}}))
    assert spec.env == {"KEY": "${env:SECRET}"}
    filled = filled_in(spec, {"HOME_OF": "/h", "SECRET": "s"})
    assert (filled.command, filled.args, filled.env) == ("/h/run", ("80",), {"KEY": "s"})


def test_a_variable_that_is_not_set_is_named() -> None:
    spec = ServerSpec(name="a", transport="stdio", command="x", env={"KEY": "${SECRET}"})
    with pytest.raises(UsageError, match="asks for the environment variable 'SECRET', which is not set"):
        filled_in(spec, {})
