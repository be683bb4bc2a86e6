"""What `serve` and `wrap` put before a client: nothing of somebody's own is called before a routing says so."""

import asyncio
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from misstep.cli.sessions import Plan, session_of, toolbox_of
from misstep.core.tool import Answer

CODE = '''
from pathlib import Path

from misstep import tool


@tool(effect="destroys")
def drop_all(table: str) -> str:
    """Drop a table."""
    Path("dropped").write_text(table)
    return "really dropped"


@tool(effect="reads")
def get_row(number: int) -> str:
    """Get a row."""
    return f"really row {number}"


tools = [drop_all, get_row]
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Functions of a user's own; gives how they are named."""
    name = f"served_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield f"{name}:tools"
    sys.modules.pop(name, None)


def session(tools: str, *calls: tuple[str, Mapping[str, object]]) -> tuple[list[str], list[Answer]]:
    """The names that are listed, and what calls are answered."""
    plan = Plan(tools=tools, seed=1)
    toolbox = toolbox_of(plan)

    async def talk() -> tuple[list[str], list[Answer]]:
        async with session_of(plan, toolbox) as served:
            names = [tool.name for tool in await served.toolbox.tools()]
            return names, [await served.toolbox.call(name, arguments) for name, arguments in calls]

    return asyncio.run(talk())


DROP = ("drop_all", {"table": "orders"})
GET = ("get_row", {"number": 3})


@pytest.mark.parametrize("routing", ["", '[routing]\n"*" = "simulated"\n'])
def test_functions_of_ones_own_are_simulated_until_a_routing_says_otherwise(own: str, routing: str) -> None:
    Path("misstep.toml").write_text(routing)
    _, answers = session(own, DROP, GET)
    assert [answer.served_by for answer in answers] == ["simulated", "simulated"]
    assert not Path("dropped").exists()


def test_functions_of_ones_own_are_denied_and_real_as_the_routing_says(own: str) -> None:
    Path("misstep.toml").write_text('[routing]\n"*" = "denied"\nget_row = "real"\n')
    names, answers = session(own, GET)
    assert names == ["get_row"]
    assert (answers[0].content, answers[0].served_by) == ("really row 3", "real")


def test_an_overlay_before_functions_calls_none_that_does_more_than_read(own: str) -> None:
    Path("misstep.toml").write_text('[routing]\n"*" = "overlay"\n')
    _, answers = session(own, GET, DROP)
    assert answers[0].content == "really row 3"
    assert not Path("dropped").exists()


def test_a_world_is_served_as_it_is() -> None:
    names, _ = session("world:shop")
    assert "show_order" in names
