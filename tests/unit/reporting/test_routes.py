"""The table in which a person decides what is real: no name in it can pass for a row, a route or another name."""

import io

import pytest
from rich.console import Console

from misstep.core.tool import Tool
from misstep.reporting.routes import routing_summary, routing_table
from misstep.tools.proposals import propose
from misstep.tools.routing import Routing, routing_from


def shown(name: str, server: str = "files", *, width: int = 160) -> str:
    stream = io.StringIO()
    tools = [Tool(name, effect="reads"), Tool("delete_all")]
    table = routing_table(propose(tools, Routing(), {name: "Because."}, {name: server, "delete_all": "other"}))
    Console(file=stream, width=width, force_terminal=True, no_color=True).print(table)
    return stream.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("\x1b[2Jget", "\\x1b[2Jget"),
        ("\x07get", "\\x07get"),
        ("\u202eteg", "\\u202eteg"),
        ("[red]get[/red]", "[red]get[/red]"),
        ("get\nfree  real", "get\\x0afree  real"),
        ("get\r", "get\\x0d"),
    ],
)
def test_what_would_move_the_cursor_or_hide_is_spelled_out(name: str, told: str) -> None:
    text = shown(name)
    assert told in text
    assert len(text.splitlines()) == 3
    assert all(line.isprintable() for line in text.splitlines())


def test_a_name_without_end_does_not_push_out_the_other_columns() -> None:
    text = shown("g" * 3000)
    assert "3000 characters" in " ".join(text.split())
    assert "simulated" in text
    assert "Proposed" in text


def test_each_tool_is_shown_with_its_server() -> None:
    rows = shown("get").splitlines()
    assert rows[1].split()[:2] == ["get", "files"]
    assert rows[2].split()[:2] == ["delete_all", "other"]


def test_what_is_real_now_is_told() -> None:
    tools = [Tool("get", effect="reads"), Tool("list", effect="reads")]
    assert routing_summary(propose(tools, Routing(), {}, {})).startswith("Nothing is real now.")
    real = routing_from({"get": "real"}, place="x")
    assert routing_summary(propose(tools, real, {}, {})).startswith("1 tool of these can reach what is real now.")
    everything = routing_from({"*": "simulated"}, place="x")
    assert "--accept" not in routing_summary(propose(tools, everything, {}, {}))
