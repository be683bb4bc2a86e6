"""What could not be read, told on stderr: the first few of a file and of all, and then how many more."""

from collections import Counter
from pathlib import Path

import typer

from misstep.detectors import DetectorError
from misstep.ingestion.nouns import BadRecord
from misstep.reporting.figures import counted
from misstep.reporting.visible import one_line

_OF_A_FILE = 5
_OF_ALL = 20


class Complaints:
    """A file that is no trace file, and a folder of such files, would fill the screen."""

    def __init__(self) -> None:
        self.count = 0
        self._told = 0
        self._in_file = 0
        self._quiet = 0
        self._broken: Counter[str] = Counter()

    def add(self, bad: BadRecord) -> None:
        self.count += 1
        self._in_file += 1
        if self._in_file <= _OF_A_FILE and self._told < _OF_ALL:
            self._told += 1
            place = f", {bad.place}" if bad.place else ""
            typer.echo(one_line(f"{bad.file}{place}: {bad.because}", 600), err=True)
        else:
            self._quiet += 1

    def finish(self, file: Path, *, traces: int) -> None:
        """A file is through, and held so many traces."""
        if not traces and not self._in_file:
            self.add(BadRecord(file, "", "There is nothing in it."))
        more = self._in_file - _OF_A_FILE
        if more > 0 and self._told < _OF_ALL:
            typer.echo(one_line(f"{file}: {more} more records could not be read. Is it a trace file?", 600), err=True)
            self._quiet -= more
        self._in_file = 0

    def broke(self, file: Path, error: DetectorError) -> None:
        """A detector that breaks on one trace is likely to break on many."""
        self._broken[error.mode] += 1
        if self._broken[error.mode] == 1:
            told = f"{file}: the detector of {error.mode} broke on {error.trace}: {error.error}"
            typer.echo(one_line(told, 600), err=True)

    def end(self) -> None:
        """All files are through."""
        for mode, times in self._broken.items():
            if times > 1:
                typer.echo(f"The detector of {mode} broke on {times:,} traces.", err=True)
        if self._quiet > 0:
            typer.echo(f"{counted(self._quiet, 'more record')} could not be read.", err=True)
