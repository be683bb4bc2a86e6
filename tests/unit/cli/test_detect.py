"""detect reads other people's files and writes one: neither may cost anybody a file."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from misstep.cli.app import exit_code
from misstep.core.event import Message
from misstep.core.trace import Trace, encode_trace

LINE = encode_trace(Trace(id="quiet")) + b"\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.chdir(tmp_path)
    Path("traces.jsonl").write_bytes(LINE)


@pytest.mark.parametrize("output", ["traces.jsonl", "./linked/../traces.jsonl", "link.jsonl", "hard.jsonl"])
def test_an_output_that_is_an_input_is_refused_and_left_as_it_is(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("linked").mkdir()
    Path("link.jsonl").symlink_to("traces.jsonl")
    os.link("traces.jsonl", "hard.jsonl")
    assert exit_code(["detect", ".", "--json", output]) == 64
    assert "--json" in capsys.readouterr().err
    assert Path("traces.jsonl").read_bytes() == LINE


@pytest.mark.parametrize("output", ["run.json", "scenarios.jsonl", "verdicts.jsonl"])
def test_an_output_that_is_a_file_of_a_run_is_refused(output: str) -> None:
    Path("run.json").write_text("{}")
    Path(output).write_text("kept")
    assert exit_code(["detect", "traces.jsonl", "--json", output]) == 64
    assert Path(output).read_text() == "kept"


def test_a_typo_among_the_paths_costs_no_older_output() -> None:
    Path("found.json").write_text("older")
    assert exit_code(["detect", "traces.jsonl", "traecs.jsonl", "--json", "found.json"]) == 64
    assert Path("found.json").read_text() == "older"


def test_the_output_is_there_whole_and_nothing_else() -> None:
    Path("found.json").write_text("older")
    assert exit_code(["detect", "traces.jsonl", "--json", "found.json"]) == 0
    assert json.loads(Path("found.json").read_text())[0]["trace"] == "quiet"
    assert sorted(each.name for each in Path().iterdir()) == ["found.json", "traces.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_an_error_with_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["detect", "traces.jsonl", "--json", "/dev/full"]) == 2
    told = capsys.readouterr().err
    assert "/dev/full cannot be written" in told
    assert "Traceback" not in told


def test_what_is_no_regular_file_is_written_through() -> None:
    reading, writing = os.pipe()
    assert exit_code(["detect", "traces.jsonl", "--json", f"/dev/fd/{writing}"]) == 0
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert json.loads(pipe.read())[0]["trace"] == "quiet"


@pytest.mark.parametrize("output", ["nowhere/found.json", "."])
def test_a_place_that_cannot_be_written_is_wrong_usage(output: str) -> None:
    assert exit_code(["detect", "traces.jsonl", "--json", output]) == 64


def test_what_is_no_regular_file_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe.jsonl")
    Path("folder").mkdir()
    os.mkfifo("folder/traces.jsonl")
    assert exit_code(["detect", "."]) == 0
    assert exit_code(["detect", "pipe.jsonl"]) == 64
    assert "no regular file" in capsys.readouterr().err


def test_a_byte_order_mark_is_passed_over() -> None:
    Path("traces.jsonl").write_bytes(b"\xef\xbb\xbf" + LINE)
    assert exit_code(["detect", "traces.jsonl"]) == 0


def test_a_model_is_asked_only_where_a_table_names_one(endpoint: Any) -> None:
    talk = (
        Message(actor="user", role="user", text="Clear my Friday, please."),
        Message(actor="agent", role="agent", text="I have deleted every file that is dated on a Friday."),
    )
    Path("traces.jsonl").write_bytes(encode_trace(Trace(id="talk", events=talk)) + b"\n")
    assert exit_code(["detect", "traces.jsonl"]) == 0
    assert endpoint.requests == []
    Path("misstep.toml").write_text(f'[judge]\nname = "{endpoint.address}#judge"\nretries = 0\n')
    for present in (True, *(False,) * 9):
        endpoint.says(json.dumps({"present": present, "event": 1, "because": "It took the word.", "confidence": 0.9}))
    assert exit_code(["detect", "traces.jsonl", "--json", "found.json"]) == 0
    [entry] = json.loads(Path("found.json").read_text())
    [finding] = entry["findings"]
    assert finding["because"].startswith("It took the word.")
    assert endpoint.requests


def test_a_page_and_sarif_are_written_where_asked_for() -> None:
    assert exit_code(["detect", "traces.jsonl", "--html", "found.html", "--sarif", "found.sarif"]) == 0
    assert "0 of 1 trace" in Path("found.html").read_text()
    assert json.loads(Path("found.sarif").read_text())["runs"][0]["results"] == []


@pytest.mark.parametrize("option", ["--json", "--html", "--sarif"])
def test_no_output_takes_the_place_of_an_input(option: str) -> None:
    assert exit_code(["detect", "traces.jsonl", option, "traces.jsonl"]) == 64
    assert Path("traces.jsonl").read_bytes() == LINE


def test_a_dialect_that_is_none_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["detect", "traces.jsonl", "--as", "openinferense"]) == 64
    assert "openinference" in capsys.readouterr().err


def test_objectives_that_are_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["detect", "traces.jsonl", "--objectives", "traces.jsonl"]) == 64
    assert "holds no scenario" in capsys.readouterr().err


def test_what_was_not_learned_by_calibrate_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("learned.json").write_text("{}")
    assert exit_code(["detect", "traces.jsonl", "--learned", "learned.json"]) in (2, 64)
    assert "learned.json" in capsys.readouterr().err


def test_ingest_writes_what_detect_reads(capsys: pytest.CaptureFixture[str]) -> None:
    Path("chat.json").write_text(json.dumps({"messages": [{"role": "user", "content": "Hello"}]}))
    assert exit_code(["ingest", "chat.json", "--out", "read.jsonl"]) == 0
    assert "openai-chat" in capsys.readouterr().out
    assert exit_code(["detect", "read.jsonl"]) == 0
    assert exit_code(["ingest", "chat.json", "--out", "chat.json"]) == 64
