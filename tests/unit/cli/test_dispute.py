"""`misstep dispute`: what it keeps, what becomes of the run, and what it says of typos."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from misstep.cli.app import exit_code

CODE = '''
def look(order: str) -> str:
    """Look at an order."""
    return f"{order} was sent"

tools = [look]

async def agent(message, tools):
    if "W-1." in message:
        return "I cannot do that."
    order = message.split(" is ")[-1].rstrip(".")
    answer = await tools.call("look", {"order": order})
    return f"It says: {answer.content}. Anything else?"
'''

SCENARIO = """
name = "look-{n}"
user = {{ opening = "Please look at an order. The order is W-{n}.", goals = [{{ ask = "look at an order" }}] }}
objective = {{ calls = [{{ tool = "look", arguments = {{ order = "W-{n}" }} }}] }}
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"disputing_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def run(own: str, scenarios: int, *more: str) -> int:
    folder = Path(f"of-{scenarios}")
    folder.mkdir(exist_ok=True)
    for n in range(1, scenarios + 1):
        (folder / f"look-{n}.toml").write_text(SCENARIO.format(n=n))
    named = ("--agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", str(folder))
    return exit_code(["run", *named, "--workers", "1", "--out", f"run-{scenarios}", *more])


def dispute(*words: str) -> int:
    return exit_code(["dispute", *words])


def summary(folder: str) -> dict[str, object]:
    return json.loads(Path(folder, "summary.json").read_text())


def test_a_disputed_failure_counts_apart_at_once_in_the_next_run_and_until_it_is_withdrawn(own: str) -> None:
    assert run(own, 20) == 1
    assert dispute("run-20", "look-1#1", "--because", "W-1 is secret", "--by", "Ann Lee") == 0
    told = summary("run-20")
    assert (told["failed"], told["disputed"], told["decided"]) == (0, 1, True)
    assert told["disputes"] == [{"scenario": "look-1", "because": "W-1 is secret", "by": "Ann Lee", "trials": 1}]
    assert run(own, 20, "--fresh") == 0
    assert exit_code(["report", "run-20"]) == 0
    assert summary("run-20")["disputed"] == 1
    assert dispute("run-20", "--withdraw", "look-1#1") == 0
    assert (summary("run-20")["failed"], summary("run-20")["disputed"]) == (1, 0)
    assert not Path("disputes.toml").exists()


def test_with_more_than_one_in_twenty_set_aside_a_run_is_undecided(own: str) -> None:
    assert run(own, 19) == 1
    assert dispute("run-19", "look-1#1", "--because", "W-1 is secret") == 0
    assert summary("run-19")["decided"] is False
    assert run(own, 19) == 2


def test_a_changed_scenario_fails_again_and_its_dispute_is_shown_as_lapsed(
    own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(own, 2)
    dispute("run-2", "look-1#1", "--because", "W-1 is secret", "--by", "Ann Lee")
    changed = SCENARIO.replace("Please look", "Do look").format(n=1)
    Path("of-2/look-1.toml").write_text(changed)
    named = ("--agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", "of-2", "--workers", "1")
    assert exit_code(["run", *named, "--out", "changed"]) == 1
    capsys.readouterr()
    assert dispute("changed", "--list") == 0
    assert "look-1#1" in (told := capsys.readouterr().out)
    assert "LAPSED" in told
    assert summary("changed")["lapsed"]
    assert dispute("run-2", "--list") == 0
    assert "LAPSED" not in capsys.readouterr().out


def test_without_a_name_it_is_gits(own: str) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "config", "user.name", "Bo Lind"], check=True)
    run(own, 1)
    dispute("run-1", "look-1#1", "--because", "W-1 is secret")
    assert 'claimed_by = "Bo Lind"' in Path("disputes.toml").read_text()


def test_a_dispute_names_what_is_there_and_says_what_else_there_is(
    own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(own, 2)
    for words, said in (
        (("run-2", "lok-1#1", "--because", "x"), "Did you mean 'look-1'?"),
        (("run-2", "look-1#7", "--because", "x"), "Of 'look-1' it holds look-1#1."),
        (("run-2", "look-1", "--because", "x"), "Of 'look-1' it holds look-1#1."),
        (("runn-2", "look-1#1", "--because", "x"), "Did you mean 'run-2'?"),
        (("run-2", "look-2#1", "--because", "x"), "did not fail"),
        (("run-2", "look-1#1"), "why its verdict is unfair"),
        (("--withdraw", "look-1#1"), "is not disputed"),
    ):
        capsys.readouterr()
        assert dispute(*words) == 64, words
        assert said in capsys.readouterr().err
    assert not Path("disputes.toml").exists()


def test_what_is_disputed_counts_for_neither_of_two_that_are_compared(
    own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(own, 2)
    dispute("run-2", "look-1#1", "--because", "W-1 is secret")
    named = ("--compare", f"{own}:agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", "of-2")
    capsys.readouterr()
    assert exit_code(["run", *named, "--workers", "1", "--out", "both"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "100%" in told, told
    assert "50%" not in told
