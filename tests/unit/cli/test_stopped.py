"""What cannot start, or comes to nothing from the first trial on, is told once and is nobody's success rate."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.cli.app import exit_code

CODE = """
import os
import urllib.request
from pathlib import Path

def raises(message, tools):
    raise ZeroDivisionError("nothing to share")

def keyless(message, tools):
    return os.environ["NO_SUCH_KEY_AT_ALL"]

def needs_a_module(message, tools):
    import no_such_module_at_all

def unreachable(message, tools):
    return urllib.request.urlopen("http://127.0.0.1:9/").read().decode()

def until_mended(message, tools):
    if not Path("mended").exists():
        raise ConnectionError("nobody there")
    return "Hello."

def raises_later(message, tools):
    if "order" in message:
        raise ZeroDivisionError("nothing to share")
    return "Which order?"

def keyless_at_the_start():
    raise KeyError("OPENAI_API_KEY")

def no_tools():
    raise ConnectionError("no database")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where the agents are, and eight scenarios for them."""
    (tmp_path / "stopping_agents.py").write_text(CODE)
    (tmp_path / "unfinished.py").write_text("import no_such_module_at_all\n")
    (tmp_path / "scenarios").mkdir()
    for number in range(8):
        (tmp_path / "scenarios" / f"s{number}.toml").write_text(
            'user = { script = ["Hello.", "About my order."] }\nobjective = { calls = [{ tool = "find_customers" }] }\n'
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("stopping_agents", "unfinished"):
        sys.modules.pop(name, None)


def run(agent: str, *more: str) -> int:
    named = ("--agent", agent, "--scenarios", "scenarios", "--out", "out", "--workers", "1")
    return exit_code(["run", *named, *(more if "--tools" in more else ("--tools", "world:shop", *more))])


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("unfinished:make", "needs the module 'no_such_module_at_all'"),
        ("no_such_module_at_all:make", "There is no module"),
        ("stopping_agents:keyless_at_the_start", "KeyError: 'OPENAI_API_KEY'"),
        ("cmd:no-such-program-at-all", "There is no command 'no-such-program-at-all'"),
    ],
)
def test_what_cannot_be_started_decides_nothing(agent: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(agent) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count(told) == 1
    assert not Path("out").exists()


def test_tools_that_cannot_be_made_decide_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("zoo:sound", "--tools", "stopping_agents:no_tools") == 2
    assert "ConnectionError: no database" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("stopping_agents:unreachable", "Connection refused"),
        ("stopping_agents:keyless", "KeyError: 'NO_SUCH_KEY_AT_ALL'"),
        ("stopping_agents:needs_a_module", "No module named 'no_such_module_at_all'"),
    ],
)
def test_what_an_agent_cannot_reach_stops_the_run_and_is_not_its_failure(
    agent: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(agent) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count(told) == 1
    assert "each of the first 5 trials came to nothing" in shown.err


def test_a_single_trial_that_cannot_be_held_is_told_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stopping_agents:keyless", "--only", "s1") == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "the first trial came to nothing" in shown.err


def test_what_raises_the_same_in_each_of_the_first_trials_has_failed_and_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("stopping_agents:raises") == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("ZeroDivisionError: nothing to share") == 1


def test_few_trials_do_not_tell_that_an_agent_always_raises() -> None:
    assert run("stopping_agents:raises", "--only", "s[0-3]") == 1
    assert json.loads(Path("out/summary.json").read_text())["failed"] == 4


def test_an_agent_that_raises_after_it_has_answered_is_run_to_the_end() -> None:
    assert run("stopping_agents:raises_later") == 1
    assert json.loads(Path("out/summary.json").read_text())["failed"] == 8


def test_a_stopped_run_begins_anew_when_what_was_missing_is_there() -> None:
    assert run("stopping_agents:until_mended") == 2
    Path("mended").touch()
    assert run("stopping_agents:until_mended") == 1
    summary = json.loads(Path("out/summary.json").read_text())
    assert (summary["failed"], summary["invalid"]) == (8, 0)


@pytest.mark.parametrize(("status", "told"), [(401, "It wants a key"), (404, "is there a model"), (400, "400")])
def test_an_endpoint_that_refuses_stops_the_run(
    status: int, told: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(8):
        endpoint.fails(status)
    assert run(f"{endpoint.address}#m") == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count(told) == 1
    assert len(endpoint.requests) < 8


def test_an_address_that_nobody_answers_stops_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("misstep.toml").write_text("[chat]\nretries = 0\n")
    assert run("http://127.0.0.1:9/v1#m") == 2
    assert capsys.readouterr().err.count("cannot be reached") == 1


def test_a_model_that_never_answers_stops_the_run_too(endpoint: Any, capsys: pytest.CaptureFixture[str]) -> None:
    endpoint.stalls()
    assert run(f"{endpoint.address}#m", "--only", "s1", "--timeout", "0.2") == 2
    assert "The agent's model did not answer within 0.2 seconds" in capsys.readouterr().err
