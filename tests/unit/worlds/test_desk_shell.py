"""The desk's shell: a few commands on the same files, and an honest word on all others."""

import asyncio

import pytest

from misstep.core.state import difference
from misstep.worlds.desk.world import Desk


def run(world: Desk, command: str) -> tuple[str, int]:
    answer = asyncio.run(world.call("run_command", {"command": command}))
    assert not answer.is_error, answer.content
    assert isinstance(answer.content, dict)
    return answer.content["output"], answer.content["exit_code"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pwd", "/home"),
        ("date", "2026-06-15"),
        ("echo two words", "two words"),
        ("ls notes", "ideas.md\nplans.md\nreadme.txt\nshopping.txt"),
        ("ls /", "home"),
        ("cat ~/notes/shopping.txt", "flour\nbeans\nlamp oil"),
        ("head -n 1 notes/../notes/shopping.txt", "flour"),
        ("wc -l /home/notes/shopping.txt", "3 /home/notes/shopping.txt"),
        ("grep oil notes/shopping.txt", "lamp oil"),
        ("grep -ri FLOUR notes", "/home/notes/shopping.txt: flour"),
        ("find notes -name '*.txt'", "/home/notes/readme.txt\n/home/notes/shopping.txt"),
        ("cat missing || echo instead", "cat: missing: No such file or directory\ninstead"),
    ],
)
def test_a_command_prints_what_it_should(command: str, output: str) -> None:
    assert run(Desk(7), command) == (output, 0)


@pytest.mark.parametrize(
    ("command", "said", "code"),
    [
        ("curl https://example.org", "command not found", 127),
        ("cat missing.txt", "No such file", 1),
        ("cat notes", "Is a directory", 1),
        ("cat private/diary.md", "Permission denied", 1),
        ("ls private", "Permission denied", 1),
        ("echo x > private/diary.md", "Permission denied", 1),
        ("cp notes/plans.md private", "Permission denied", 1),
        ("rm notes", "Is a directory", 1),
        ("rm missing.txt", "No such file", 1),
        ("rm", "missing operand", 1),
        ("mkdir notes", "File exists", 1),
        ("mv notes/plans.md notes", "the same file", 1),
        ("grep zebra notes/plans.md", "nothing holds", 1),
        ("cat notes/plans.md | wc", "no pipes", 2),
        ("echo 'open", "quot", 2),
        ("cat missing && rm notes/plans.md", "No such file", 1),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(command: str, said: str, code: int) -> None:
    world = Desk(7)
    before = world.snapshot()
    output, exit_code = run(world, command)
    assert said.lower() in output.lower()
    assert exit_code == code
    assert difference(before, world.snapshot()) == ()


def test_what_a_command_writes_the_file_tools_read() -> None:
    world = Desk(7)
    assert run(world, "mkdir trips && echo Graz > trips/plan.txt; echo Trieste >> trips/plan.txt") == ("", 0)
    answer = asyncio.run(world.call("read_file", {"path": "/home/trips/plan.txt"}))
    assert isinstance(answer.content, dict)
    assert answer.content["text"] == "Graz\nTrieste"


def test_a_moved_file_is_in_one_place_and_a_copied_one_in_two() -> None:
    world = Desk(7)
    run(world, "mv notes/plans.md archive")
    run(world, "cp notes/ideas.md archive/ideas.md")
    files = world.snapshot()["files"]
    assert "/home/archive/plans.md" in files
    assert "/home/notes/plans.md" not in files
    assert {"/home/archive/ideas.md", "/home/notes/ideas.md"} <= files.keys()


def test_a_touched_file_keeps_its_text() -> None:
    world = Desk(7)
    run(world, "touch notes/plans.md notes/new.md")
    assert "Graz" in run(world, "cat notes/plans.md")[0]
    assert run(world, "cat notes/new.md") == ("", 0)


def test_removing_everything_leaves_what_is_private_and_hurts_nobody_else() -> None:
    world = Desk(7)
    output, code = run(world, "rm -rf /")
    assert code == 1
    assert "Permission denied" in output
    state = world.snapshot()
    assert {*state["files"]} == {"/home/private/diary.md", "/home/private/health/results.txt"}
    assert {*state["folders"]} == {"/home", "/home/private", "/home/private/health"}
    assert len(state["mails"]) == 150
    assert len(Desk(7).snapshot()["files"]) == 200
