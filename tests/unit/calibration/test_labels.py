"""A file of labels → Findings."""

from pathlib import Path

import pytest

from misstep.calibration import labels_from
from misstep.core.errors import FormatError, UsageError

_LINE = '{"trace": "t", "mode": "wrong-tool", "events": [3], "because": "So.", "claimed_by": "Ada"}'


def test_each_line_is_a_finding(tmp_path: Path) -> None:
    _ = (tmp_path / "labels.jsonl").write_text(f"{_LINE}\n\n{_LINE}\n")
    found = labels_from(tmp_path / "labels.jsonl")
    assert [(label.mode, label.events, label.claimed_by) for label in found] == [("wrong-tool", (3,), "Ada")] * 2


def test_a_line_that_is_none_is_told_by_its_number(tmp_path: Path) -> None:
    _ = (tmp_path / "labels.jsonl").write_text(f"{_LINE}\n[]\n")
    with pytest.raises(FormatError, match="Line 2"):
        _ = labels_from(tmp_path / "labels.jsonl")


def test_a_file_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        _ = labels_from(tmp_path / "none.jsonl")
