"""What `serve` and `wrap` put before a client: nothing of somebody's own is called before a routing says so."""

import asyncio
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from misstep.catalog import settings_in
from misstep.cli.app import exit_code
from misstep.cli.sessions import Plan, session_of, toolbox_of
from misstep.core.errors import FormatError
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


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert exit_code(["serve", *arguments]) == 64
    return " ".join(capsys.readouterr().err.split())


def test_options_that_go_with_others_say_so(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--http" in refused("--tools", own, "--host", "0.0.0.0", capsys=capsys)
    assert "--routing" in refused("--tools", own, "--accept", capsys=capsys)
    assert "no routing" in refused("--tools", "world:shop", "--routing", capsys=capsys)


def test_a_scenario_that_would_strike_nothing_is_refused(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("calm.toml").write_text('name = "calm"\n')
    assert "no faults" in refused("--tools", own, "--scenario", "calm.toml", capsys=capsys)
    Path("wild.toml").write_text('name = "wild"\nfaults = [{ kind = "error", tool = "get_rwo" }]\n')
    assert "Did you mean 'get_row'?" in refused("--tools", own, "--scenario", "wild.toml", capsys=capsys)


def test_a_placeholder_that_is_none_is_told(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["wrap", "--mcp-config", own, "--", "true", "--config", "{mpc}"]) == 64
    assert "Write {mcp}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('[routing]\nget_row = "recorded"\n', 'write recording = "FILE"'),
        ('[routing]\nget_row = "emulated"\n', "write [model]"),
        ('recording = "none.json"\n', "serve --tools TOOLS --record none.json"),
        ('[behaviours]\nget_rwo = "a:b"\n', "[behaviours] in the settings has one for 'get_rwo'"),
        ('[behaviours]\nget_row = "mine"\n', "[behaviours] in the settings, 'get_row': 'mine' does not say where"),
        ("[model]\ntiemout = 3\n", "Did you mean 'timeout'?"),
        ("[model]\ncalls = -1\n", "calls = -1"),
        ('[model]\nmanner = "hostile"\n', "hostile"),
    ],
)
def test_a_setting_that_cannot_work_says_where_it_stands_and_what_to_do(
    own: str, settings: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("misstep.toml").write_text(settings)
    assert told in refused("--tools", own, capsys=capsys)


def test_a_file_that_is_no_recording_is_not_an_empty_one(own: str) -> None:
    Path("kept.json").write_text("{}")
    Path("misstep.toml").write_text('recording = "kept.json"\n')
    with pytest.raises(FormatError, match="no recording"):
        toolbox_of(Plan(tools=own))


def test_what_the_settings_say_of_nothing_is_told(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    behaviour = own.replace(":tools", ":get_row")
    Path("misstep.toml").write_text(
        f'[routing]\nget_rwo = "real"\nget_row = "real"\n[behaviours]\nget_row = "{behaviour}"\n'
    )
    toolbox_of(Plan(tools=own))
    told = capsys.readouterr().err
    assert "[routing] speaks of 'get_rwo': no such tool. Did you mean 'get_row'?" in told
    assert "[behaviours] has one for 'get_row', which is real" in told


def test_the_manner_of_a_model_that_plays_tools_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "misstep.toml").write_text('[model]\nname = "http://127.0.0.1:1/v1#m"\nmanner = "adversarial"\n')
    assert settings_in(tmp_path).model.manner == "adversarial"


def test_functions_of_ones_own_are_in_the_table_and_can_be_accepted(
    own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["serve", "--tools", own, "--routing", "--accept"]) == 0
    told = capsys.readouterr()
    assert "drop_all" in told.out
    assert "2 routes written to" in told.err
    _, answers = session(own, GET, DROP)
    assert answers[0].content == "really row 3"
    assert not Path("dropped").exists()


def test_what_is_accepted_goes_where_the_settings_are(own: str) -> None:
    Path("pyproject.toml").write_text(f'[tool.misstep]\ntools = "{own}"\n')
    assert exit_code(["serve", "--routing", "--accept"]) == 0
    assert not Path("misstep.toml").exists()
    assert settings_in(Path.cwd()).routing.keys() == {"drop_all", "get_row"}
