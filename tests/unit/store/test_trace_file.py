"""Trace files give what can be read, and name the rest with its place."""

from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.core.trace import Trace, encode_trace
from misstep.store.trace_file import BadLine, trace_files, traces_in


def test_a_bad_line_is_named_and_the_next_is_read(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    good = encode_trace(Trace(id="a"))
    file.write_bytes(good + b"\n{nonsense\n\n\xff\xfe\n" + good)
    found = list(traces_in(file))
    assert [each.line for each in found if isinstance(each, BadLine)] == [2, 4]
    assert [each.id for each in found if isinstance(each, Trace)] == ["a", "a"]


def test_a_folder_gives_its_trace_files_and_not_its_findings(tmp_path: Path) -> None:
    for name in ("b/traces.jsonl", "a/traces.jsonl", "a/findings.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert trace_files(tmp_path) == (tmp_path / "a/traces.jsonl", tmp_path / "b/traces.jsonl")


def test_what_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        trace_files(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="no trace file"):
        trace_files(tmp_path)
