"""Where sessions and recordings go: nothing else is lost there, and what cannot be written is told at once."""

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.cli.app import exit_code

MISSTEP = [sys.executable, "-c", "from misstep.cli import main; main()"]
SERVE = ("serve", "--tools", "world:shop")


def misstep(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*MISSTEP, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_a_run_and_what_is_none_of_ours_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exit_code(shlex.split("run --agent zoo:sound --tools world:shop --only easy-cancel-all-said --out run"))
    assert (tmp_path / "run/run.json").is_file()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("mine")
    before = everything(tmp_path)
    for place, why in (("run", "is no session"), ("other", "not empty and holds no session")):
        assert why in refused(*SERVE, "--out", place)
    assert everything(tmp_path) == before


def test_an_earlier_session_is_replaced(tmp_path: Path) -> None:
    for _ in range(2):
        assert misstep(tmp_path, *SERVE, "--out", "out").returncode == 0
    assert (tmp_path / "out/report.html").is_file()


@pytest.mark.parametrize("option", ["--out", "--record"])
def test_a_place_that_cannot_be_written_is_told_before_anything_is_served(
    tmp_path: Path, refused: Callable[..., str], option: str
) -> None:
    (tmp_path / "file").write_text("")
    told = refused(*SERVE, option, "file/inside")
    assert ("file/inside" in told, "Traceback" in told) == (True, False)
    if os.geteuid():  # Who may write everywhere finds no place that cannot be.
        refused(*SERVE, option, "/proc/inside")


def test_a_file_that_is_no_recording_is_not_replaced(tmp_path: Path, refused: Callable[..., str]) -> None:
    (tmp_path / "package.json").write_text("{}")
    assert "another file" in refused(*SERVE, "--record", "package.json")
    assert (tmp_path / "package.json").read_text() == "{}"


def test_a_session_without_a_call_leaves_an_earlier_recording(tmp_path: Path) -> None:
    tape = {"format": "misstep.recording/1", "calls": [{"tool": "t", "arguments": {}, "answer": {"content": 1}}]}
    (tmp_path / "tape.json").write_text(json.dumps(tape))
    done = misstep(tmp_path, *SERVE, "--record", "tape.json")
    assert (done.returncode, "stays as it is" in done.stderr) == (0, True)
    assert json.loads((tmp_path / "tape.json").read_text()) == tape


def test_two_gateways_do_not_share_a_folder(tmp_path: Path, refused: Callable[..., str]) -> None:
    with subprocess.Popen(
        [*MISSTEP, *SERVE, "--http", "0", "--out", "out"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as first:
        assert first.stderr is not None
        assert "Serving" in first.stderr.readline()
        try:
            second = refused(*SERVE, "--out", "out")
        finally:
            first.terminate()
    assert "Another process is at work" in second
    assert (tmp_path / "out/report.html").is_file()


def test_what_could_not_be_served_leaves_nothing(tmp_path: Path, refused: Callable[..., str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = refused(*SERVE, "--http", port, "--out", "out", "--record", "tape.json")
    assert "Choose another port" in told
    assert list(tmp_path.iterdir()) == []
