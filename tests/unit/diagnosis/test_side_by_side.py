"""Many files looked at by several processes: the same looks in the same order, whatever becomes of a process."""

import json
import os
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.diagnosis.examining import Examined, Means
from misstep.diagnosis.side_by_side import looks
from misstep.ingestion.nouns import BadRecord


def _files(folder: Path, count: int) -> list[Path]:
    """Conversations, one in five of them broken, and large enough to be worth several processes."""
    made: list[Path] = []
    beside = "There is nothing of note in what follows. " * 4000
    for number in range(count):
        path = folder / f"{number:02}.json"
        said = [{"role": "user", "content": f"Cancel B-{number}."}, {"role": "tool", "content": beside}]
        path.write_text("{broken" if number % 5 == 4 else json.dumps({"messages": said}))
        made.append(path)
    return made


def _seen(files: list[Path], means: Means, workers: int) -> list[tuple[str, list[str]]]:
    def told(each: Examined | BadRecord) -> str:
        return each.because if isinstance(each, BadRecord) else f"{each.trace.events} {each.findings}"

    return [(look.file.name, [told(each) for each in look]) for look in looks(files, lambda _: means, workers=workers)]


def test_any_number_of_workers_sees_the_same(tmp_path: Path) -> None:
    files = _files(tmp_path, 12)
    alone = _seen(files, Means(), 1)
    assert [name for name, _ in alone] == [file.name for file in files]
    assert _seen(files, Means(), 2) == alone


class _Deadly:
    """Ends every process but the first that it looks at a certain trace in."""

    modes = ("looked-at",)

    def __init__(self) -> None:
        self._home = os.getpid()

    def findings(self, trace: Trace, rules: Sequence[Finding] | None = None) -> Iterable[Finding]:
        if os.getpid() != self._home and "B-3." in str(trace.events):
            os.kill(os.getpid(), signal.SIGKILL)
        return [Finding(mode="looked-at", events=(0,), because="It was looked at.")]


def test_a_process_that_dies_costs_no_file(tmp_path: Path) -> None:
    files = _files(tmp_path, 9)
    means = Means(fitted=(_Deadly(),))
    assert _seen(files, means, 2) == _seen(files, means, 1)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        _ = _seen([tmp_path / "gone.json", *_files(tmp_path, 9)], Means(), 2)
