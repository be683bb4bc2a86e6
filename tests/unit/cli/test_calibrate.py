"""calibrate: labels and traces in, a file that detect can use out."""

import json
import runpy
from pathlib import Path

import pytest

from misstep.calibration.learned import load
from misstep.cli.app import exit_code
from misstep.core.errors import FormatError
from misstep.core.trace import encode_trace

SAMPLES = runpy.run_path(str(Path(__file__).parents[1] / "calibration" / "sample_labels.py"))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.chdir(tmp_path)
    traces, labels = SAMPLES["labelled_traces"]()
    Path("traces.jsonl").write_bytes(b"".join(encode_trace(trace) + b"\n" for trace in traces))
    told = [{"trace": each.trace, "mode": each.mode, "events": each.events, "because": "So."} for each in labels]
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, told)))


def test_what_was_fitted_is_used_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["calibrate", "--from", "labels.jsonl"]) == 0
    assert "left-out traces" in capsys.readouterr().out
    assert exit_code(["detect", "traces.jsonl", "--learned", "learned.json", "--json", "found.json"]) == 0
    claims = {each["claimed_by"] for entry in json.loads(Path("found.json").read_text()) for each in entry["findings"]}
    assert "learned:learned" in claims


def test_labels_of_traces_that_are_not_there_are_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    Path("labels.jsonl").write_text('{"trace": "elsewhere", "mode": "wrong-tool", "events": [1], "because": "So."}')
    assert exit_code(["calibrate", "--from", "labels.jsonl"]) == 64
    assert "'elsewhere'" in capsys.readouterr().err


def test_a_label_that_points_nowhere_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("labels.jsonl").open("a") as file:
        file.write('\n{"trace": "t0", "mode": "wrong-tool", "events": [99], "because": "So."}')
    assert exit_code(["calibrate", "--from", "labels.jsonl"]) == 64
    assert "event 99" in capsys.readouterr().err


@pytest.mark.parametrize("weight", [1e308, -1e7])
def test_weights_that_no_fit_gives_are_refused(weight: float) -> None:
    assert exit_code(["calibrate", "--from", "labels.jsonl"]) == 0
    learned = json.loads(Path("learned.json").read_text())
    learned["offsets"][0] = weight
    Path("learned.json").write_text(json.dumps(learned))
    with pytest.raises(FormatError, match="no fit gives"):
        load(Path("learned.json"))
