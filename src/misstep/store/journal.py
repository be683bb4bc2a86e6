"""The journals of a run: each process adds whole lines to a file of its own, so that a kill loses nothing finished."""

import os
from array import array
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import MisstepError
from misstep.store.manifest import Plan
from misstep.store.trial import Entry, Trial, decode_entry, encode_trial, place_of


class StorageError(MisstepError):
    """The disk did not take what it was given."""


class Journal:
    """The writing end of one file. One write a trial: a line is there whole, or torn at the very end."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)

    def add(self, trial: Trial) -> None:
        line = encode_trial(trial)
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise StorageError(f"{error.strerror or error}") from None
        if written != len(line):
            raise StorageError("the disk is full")

    def close(self) -> None:
        os.close(self._file)


def trials_in(path: Path) -> Iterator[tuple[int, int, tuple[str, int]]]:
    """Offset, length and place of every whole line; torn ones are passed over."""
    at = 0
    with path.open("rb") as file:
        for line in file:
            place = place_of(line) if line.endswith(b"\n") else None
            if place is not None:
                yield at, len(line), place
            at += len(line)


class Index:
    """Where each trial of a plan lies in the journals: three numbers a trial, however large the traces are."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._paths: list[Path] = []
        self._file = array("l", [-1]) * len(plan)
        self._offset = array("q", [0]) * len(plan)
        self._length = array("q", [0]) * len(plan)

    def read(self, path: Path) -> None:
        """Take in a journal. The first to hold a trial is believed."""
        file = len(self._paths)
        self._paths.append(path)
        for offset, length, (scenario, trial) in trials_in(path):
            place = self._plan.place(scenario, trial)
            if place is not None and self._file[place] < 0:
                self._file[place], self._offset[place], self._length[place] = file, offset, length

    def __contains__(self, place: int) -> bool:
        return self._file[place] >= 0

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The trials that are there, in the plan's order."""
        files = [os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)) for path in self._paths]
        try:
            for place, file in enumerate(self._file):
                if file >= 0:
                    os.lseek(files[file], self._offset[place], os.SEEK_SET)
                    yield place, decode_entry(os.read(files[file], self._length[place]))
        finally:
            for file in files:
                os.close(file)
