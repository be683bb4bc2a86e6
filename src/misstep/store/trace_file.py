"""Trace files, line by line: what can be read, and where something could not."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from misstep.core.errors import FormatError, UsageError
from misstep.core.trace import Trace, decode_trace

LONGEST_LINE = 256 * 1024 * 1024
"""A line is held in memory whole: one that is longer is hostile, or no line of a trace file."""


class BadLine(Struct, frozen=True):
    """A line that is no trace."""

    file: Path
    line: int
    because: str


def trace_files(path: Path) -> tuple[Path, ...]:
    """The file itself, or the trace files of a folder: those named `traces.jsonl`, or else every `.jsonl` file."""
    if path.is_dir():
        found = sorted(path.rglob("traces.jsonl")) or sorted(path.rglob("*.jsonl"))
        if not found:
            raise UsageError(f"There is no trace file in {path}: no `traces.jsonl`, nor any other `.jsonl`.")
        return tuple(found)
    if not path.is_file():
        raise UsageError(f"There is no file or folder {path}.")
    return (path,)


def traces_in(path: Path) -> Iterator[Trace | BadLine]:
    """One line in memory at a time; empty lines are passed over."""
    number = 0
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                        pass
                    yield BadLine(path, number, f"The line is longer than {LONGEST_LINE} bytes.")
                elif line.strip():
                    yield _read(path, number, line)
    except OSError as error:
        yield BadLine(path, number + 1, f"The file cannot be read: {error.strerror or error}.")


def _read(path: Path, number: int, line: bytes) -> Trace | BadLine:
    try:
        return decode_trace(line)
    except FormatError as error:
        return BadLine(path, number, str(error))
