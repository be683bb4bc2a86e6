"""Files of traces → a look at each, in their order; small ones are read by several processes side by side."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from misstep.diagnosis.examining import Examination, Examined, Means
from misstep.ingestion.losses import Loss
from misstep.ingestion.nouns import BadRecord

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor  # late: for one file they cost more than the look

_SMALL = 16_000_000
"""Bytes. All that is found in such a file may be held at once; a larger one is read trace by trace."""
_WORTH_IT = 1_000_000
"""Bytes in all, below which processes take longer to start than they save."""
_AHEAD = 3
"""So many files for each process are under way, and no more: what is found waits in memory for its turn."""

Seen = tuple[tuple[Examined | BadRecord, ...], tuple[Loss, ...]]


class Look:
    """Iterate it once; afterwards `losses` says what was lost in reading."""

    def __init__(self, file: Path, look: Callable[[], Examination] | Seen) -> None:
        self.file = file
        self.losses: tuple[Loss, ...] = ()
        self._look = look

    def __iter__(self) -> Iterator[Examined | BadRecord]:
        if callable(self._look):
            examination = self._look()
            yield from examination
            self.losses = examination.ingestion.losses
        else:
            found, self.losses = self._look
            yield from found


def looks(
    files: Iterable[Path], means_for: Callable[[Path], Means], *, dialect: str | None = None, workers: int = 1
) -> Iterator[Look]:
    """The same looks in the same order with any number of workers."""
    listed = list(files)
    if workers < 2 or not _is_worth_it(listed):
        for file in listed:
            yield Look(file, lambda file=file: Examination(file, means_for(file), dialect=dialect))
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    pool = ProcessPoolExecutor(workers, initializer=_leave_interrupts)
    try:
        yield from _shared_out(pool, listed, means_for, dialect, _AHEAD * workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_worth_it(files: list[Path]) -> bool:
    sizes = [_size(file) for file in files]
    return len(files) > 1 and sum(sizes) > _WORTH_IT and sum(size <= _SMALL for size in sizes) > 1


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # whoever reads it says what is wrong with it


def _shared_out(
    pool: "ProcessPoolExecutor", files: list[Path], means_for: Callable[[Path], Means], dialect: str | None, ahead: int
) -> Iterator[Look]:
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    waiting: deque[tuple[Path, Means, Future[Seen] | None]] = deque()
    rest = iter(files)
    while True:
        while len(waiting) < ahead and (file := next(rest, None)) is not None:
            means = means_for(file)
            # Detectors of somebody's own, and a model with its budget, stay in this process.
            shared = _size(file) <= _SMALL and means.detectors is None
            waiting.append((file, means, _submitted(pool, file, means, dialect) if shared else None))
        if not waiting:
            return
        file, means, under_way = waiting.popleft()
        try:
            found = under_way.result() if under_way is not None else None
        except BrokenProcessPool:
            found = None  # a process died: this one looks for itself
        yield Look(file, found or (lambda file=file, means=means: Examination(file, means, dialect=dialect)))


def _submitted(pool: "ProcessPoolExecutor", file: Path, means: Means, dialect: str | None) -> "Future[Seen] | None":
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    try:
        return pool.submit(_seen, file, means, dialect)
    except BrokenProcessPool:
        return None


def _seen(file: Path, means: Means, dialect: str | None) -> Seen:
    examination = Examination(file, means, dialect=dialect)
    found = tuple(examination)
    return found, examination.ingestion.losses


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that shows something; without it, this one ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def cores() -> int:
    """How many processes are of use here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
