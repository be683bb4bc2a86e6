"""A file of labels → Findings."""

from pathlib import Path

import pytest

from misstep.calibration import labels_from
from misstep.calibration.labels import misplaced, strange_modes
from misstep.core.errors import FormatError, UsageError
from misstep.core.finding import Finding
from misstep.taxonomy import VERSION, modes

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


def test_a_mark_that_some_editors_put_first_is_passed_over(tmp_path: Path) -> None:
    _ = (tmp_path / "labels.jsonl").write_bytes(b"\xef\xbb\xbf" + _LINE.encode())
    assert len(labels_from(tmp_path / "labels.jsonl")) == 1


def test_a_label_of_another_version_of_the_taxonomy_is_carried_over_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    _ = file.write_text(_LINE[:-1] + ', "taxonomy": "2026.1"}')
    assert labels_from(file)[0].taxonomy == VERSION
    _ = file.write_text(_LINE[:-1] + ', "taxonomy": "2031.7"}')
    with pytest.raises(UsageError, match=r"Line 1.*Update Misstep"):
        _ = labels_from(file)


@pytest.mark.parametrize(("events", "told"), [((9,), "event 9, and there"), ((-1,), "event -1"), ((), "no event")])
def test_a_label_that_points_nowhere_is_told_of(events: tuple[int, ...], told: str) -> None:
    label = Finding(mode="wrong-tool", events=events, because="So.", trace="t")
    [sentence] = misplaced([label], {"t": 4})
    assert told in sentence


def test_a_label_that_points_somewhere_is_not() -> None:
    assert misplaced([Finding(mode="wrong-tool", events=(3,), because="So.", trace="t")], {"t": 4}) == []


def test_modes_of_ones_own_are_told_apart() -> None:
    labels = [Finding(mode=mode, events=(0,), because="So.") for mode in ("wrong-tool", "rong-tool", "ours")]
    assert strange_modes(labels, modes()) == ("ours", "rong-tool")
