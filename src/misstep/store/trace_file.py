"""Trace files, line by line: what can be read, and where something could not."""

import codecs
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
        found = _regular(path, "traces.jsonl") or _regular(path, "*.jsonl")
        if not found:
            raise UsageError(f"There is no trace file in {path}: no `traces.jsonl`, nor any other `.jsonl`.")
        return tuple(found)
    if not path.exists():
        raise UsageError(f"There is no file or folder {path}.")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file. Save what it gives in one, and give that.")
    return (path,)


def _regular(folder: Path, pattern: str) -> list[Path]:
    """Without what would be waited for, such as a pipe, or never ends, such as a device."""
    return sorted(each for each in folder.rglob(pattern) if each.is_file())


def traces_in(path: Path) -> Iterator[Trace | BadLine]:
    """One line in memory at a time; empty lines are passed over."""
    number = 0
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                number += 1
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)  # some editors put a mark there
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
