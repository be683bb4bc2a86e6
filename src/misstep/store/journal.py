"""The journals of a run: each process adds whole lines to a file of its own, so that a kill loses nothing finished."""

import os
from array import array
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import FormatError, MisstepError
from misstep.store.manifest import Plan
from misstep.store.trial import Entry, Trial, decode_entry, demand_trial, encode_trial, place_of

_MOST_OPEN = 32
"""Journals that are open at once in a merge: every worker that died has left one, and there may be hundreds."""


class StorageError(MisstepError):
    """The disk did not take what it was given."""


class Journal:
    """The writing end of one file. One write a trial: a line is there whole, or torn at the very end."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        self._process = os.getpid()
        self._identity = _identity(self._file)

    def add(self, trial: Trial) -> None:
        line = encode_trial(trial)
        if os.getpid() != self._process:
            raise StorageError("a process that forked off a trial may not write its journal")
        try:
            if _identity(self._file) != self._identity:
                raise StorageError("something in the trial has closed the file that it is written to")
            written = os.write(self._file, line)
        except OSError as error:
            raise StorageError(f"{error.strerror or error}") from None
        if written != len(line):
            raise StorageError("the disk is full")

    def close(self) -> None:
        os.close(self._file)


def _identity(file: int) -> tuple[int, int]:
    status = os.fstat(file)
    return status.st_dev, status.st_ino


def trials_in(path: Path, *, thorough: bool = False) -> Iterator[tuple[int, int, tuple[str, int]]]:
    """Offset, length and place of every whole line; torn ones are passed over. What is not there is empty.

    Thorough: also lines that are whole, but no trial, are passed over.
    """
    at = 0
    try:
        with path.open("rb") as file:
            for line in file:
                place = place_of(line) if line.endswith(b"\n") else None
                if place is not None and (not thorough or _is_trial(line)):
                    yield at, len(line), place
                at += len(line)
    except FileNotFoundError:
        return  # its process was killed before it began


def _is_trial(line: bytes) -> bool:
    try:
        demand_trial(decode_entry(line))
    except FormatError:
        return False
    return True


class Index:
    """Where each trial of a plan lies in the journals: three numbers a trial, however large the traces are."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._paths: list[Path] = []
        self._file = array("l", [-1]) * len(plan)
        self._offset = array("q", [0]) * len(plan)
        self._length = array("q", [0]) * len(plan)

    def read(self, path: Path, *, thorough: bool = False) -> None:
        """Take in a journal. The last to hold a trial is believed: it was run again where the first was damaged."""
        file = len(self._paths)
        self._paths.append(path)
        for offset, length, (scenario, trial) in trials_in(path, thorough=thorough):
            place = self._plan.place(scenario, trial)
            if place is not None:
                self._file[place], self._offset[place], self._length[place] = file, offset, length

    def __contains__(self, place: int) -> bool:
        return self._file[place] >= 0

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The trials that are there, in the plan's order."""
        opened: dict[int, int] = {}
        try:
            for place, file in enumerate(self._file):
                if file >= 0:
                    if file not in opened:
                        if len(opened) == _MOST_OPEN:
                            os.close(opened.pop(next(iter(opened))))
                        opened[file] = os.open(self._paths[file], os.O_RDONLY | getattr(os, "O_BINARY", 0))
                    os.lseek(opened[file], self._offset[place], os.SEEK_SET)
                    yield place, decode_entry(os.read(opened[file], self._length[place]))
        finally:
            for file in opened.values():
                os.close(file)
