"""What many tests look at is made by one worker, and by another where that one dies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl", reason="without it each worker makes its own")

WORKER = """
import os, signal, sys, time
from pathlib import Path
from made_once import made_once, share_in

here = Path(sys.argv[1])
share_in(here / "kept")

def seen(line):
    with (here / "runs").open("a") as runs:
        print(line, file=runs)

@made_once
def worth(number, *, name="a"):
    seen(f"{number!r} {name}")
    time.sleep(0.2)
    return {"made by": os.getpid(), "of": (number, name)}

@made_once
def deadly(number):
    seen("dies" if not (here / "runs").exists() else "lives")
    if (here / "runs").read_text() == "dies\\n":
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 2

print(eval(sys.argv[2]))
"""


def outcomes(folder: Path, project: Path, *asked: str) -> list[tuple[int, str]]:
    """How workers that start at once end, and what they print."""
    command = [sys.executable, "-c", WORKER, str(folder)]
    env = {**os.environ, "PYTHONPATH": str(project / "tests" / "sharing")}
    workers = [subprocess.Popen([*command, each], env=env, stdout=subprocess.PIPE, text=True) for each in asked]
    try:
        told = [worker.communicate(timeout=60)[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    return [(worker.returncode, said.strip()) for worker, said in zip(workers, told, strict=True)]


def test_several_workers_that_ask_for_one_thing_run_the_function_once(tmp_path: Path, project: Path) -> None:
    found = outcomes(tmp_path, project, *["worth(7, name='b')"] * 3)
    assert len(set(found)) == 1
    assert found[0][0] == 0
    assert (tmp_path / "runs").read_text().splitlines() == ["7 b"]


def test_other_names_and_numbers_are_another_thing(tmp_path: Path, project: Path) -> None:
    asked = ["worth(7)", "worth('7')", "worth(8)", "worth(7, name='b')"]
    found = outcomes(tmp_path, project, *asked)
    assert [code for code, _ in found] == [0] * 4
    assert sorted((tmp_path / "runs").read_text().splitlines()) == ["'7' a", "7 a", "7 b", "8 a"]
    assert len({said for _, said in found}) == 4


def test_a_worker_that_dies_while_it_makes_something_leaves_no_lock_behind(tmp_path: Path, project: Path) -> None:
    found = outcomes(tmp_path, project, "deadly(21)", "deadly(21)")
    assert sorted(found) == [(-9, ""), (0, "42")]
    assert (tmp_path / "runs").read_text().splitlines() == ["dies", "lives"]
