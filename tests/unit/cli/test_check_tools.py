"""What is wrong with the tools is kept beside the scenarios, and told of by every run on them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from misstep.cli.app import exit_code

CODE = '''
def look(order: str) -> str:
    """Look at an order, for example 'W-1'."""
    raise ValueError("error")

def peek(order: str) -> str:
    """Peek at an order, for example 'W-1'."""
    return f"{order} was sent"

tools = [look, peek]

async def agent(message, tools):
    return "I cannot do that."
'''
SCENARIO = """
name = "look"
user = { opening = "Please look at an order. The order is W-1.", goals = [{ ask = "look at an order" }] }
objective = { calls = [{ tool = "peek", arguments = { order = "W-1" } }] }
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"flawed_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "look.toml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    sys.modules.pop(name, None)


def test_findings_about_tools_are_kept_beside_scenarios_and_shown_with_runs(
    own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["synthesize", "--tools", f"{own}:tools", "--check-tools"]) == 1
    assert json.loads(Path("scenarios/tool-findings.json").read_bytes())["checked"] == 2
    capsys.readouterr()
    run = ["run", "--agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", "scenarios", "--workers", "1"]
    assert exit_code([*run, "--out", "kept"]) == 1
    assert "The blame is the tools'" in capsys.readouterr().out
    assert "The tools themselves" in Path("kept/report.html").read_text("utf-8")
    Path("scenarios/tool-findings.json").unlink()
    exit_code(["report", "kept"])
    assert "The blame is the tools'" in capsys.readouterr().out


def test_findings_about_other_tools_are_left_out(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["synthesize", "--tools", f"{own}:tools", "--check-tools"])
    file = Path("scenarios/tool-findings.json")
    file.write_text(file.read_text("utf-8").replace(f"{own}:tools", "other:tools"), "utf-8")
    capsys.readouterr()
    run = ["run", "--agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", "scenarios", "--workers", "1"]
    exit_code([*run, "--out", "kept"])
    assert "The blame is the tools'" not in capsys.readouterr().out


def test_nothing_is_written_beside_the_scenarios_of_other_tools(own: str) -> None:
    scenario = Path("scenarios/look.toml")
    scenario.write_text(SCENARIO.replace("peek", "another"))
    exit_code(["synthesize", "--tools", f"{own}:tools", "--check-tools"])
    assert list(Path("scenarios").iterdir()) == [scenario]


def test_without_a_folder_of_scenarios_nothing_is_written(own: str) -> None:
    exit_code(["synthesize", "--tools", f"{own}:tools", "--check-tools", "--out", "elsewhere"])
    assert not Path("elsewhere").exists()
