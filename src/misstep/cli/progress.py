"""How far long work has come: a bar on a terminal, else a few lines; always on stderr."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from misstep.core.progress import Stage

if TYPE_CHECKING:
    from misstep.simulation.pool import Progress  # which would bring all of simulation with it

_EVERY_S = 10.0
_FRAME_S = 0.1


class Teller:
    """Is told of progress some ten times a second, and shows what is worth showing."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Bar | None = None
        self._task = TaskID(0)
        self._spoke_at_s = time.monotonic()
        self._last: Progress | None = None
        self._said: Progress | None = None

    @property
    def told(self) -> bool:
        return self._last is not None

    def tell(self, progress: "Progress") -> None:
        first, self._last = self._last is None, progress
        if self._console.is_terminal:
            self._draw(progress)
        elif first or time.monotonic() - self._spoke_at_s > _EVERY_S:
            self._say(progress)

    def interrupted(self, command: str) -> None:
        self.close()
        kept = f" {self._last.done} of {self._last.total} trials are kept." if self._last else ""
        self._console.print(f"\nStopped.{kept} The same command goes on from here:", highlight=False)
        self._console.print(f"  {command}", highlight=False, markup=False, soft_wrap=True)

    def finish(self) -> None:
        """The last count, where lines are shown and more has happened since the last one."""
        self.close()
        if self._last is not None and self._last != self._said and not self._console.is_terminal:
            self._say(self._last)

    def _say(self, progress: "Progress") -> None:
        self._spoke_at_s = time.monotonic()
        self._said = progress
        self._console.print(_line(progress), highlight=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, progress: "Progress") -> None:
        if self._bar is None:
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
            # Without its own thread: workers are forked while it is on the screen.
            self._bar = Bar(*columns, console=self._console, auto_refresh=False, transient=True)
            self._bar.start()
            self._task = self._bar.add_task("", total=progress.total, completed=progress.done)
        self._bar.update(self._task, completed=progress.done, description=_counts(progress))
        self._bar.refresh()


def _line(progress: "Progress") -> str:
    counts = _counts(progress)
    return f"{progress.done} of {progress.total} trials{f', {counts}' if counts else ''}"


def _counts(progress: "Progress") -> str:
    said = (f"{progress.failed} failed", progress.failed), (f"{progress.invalid} invalid", progress.invalid)
    return ", ".join(text for text, count in said if count)


class StageTeller:
    """Shows how far each stage has come: a bar for each, or a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._spoke_at_s = time.monotonic()
        self._drawn_at_s = 0.0

    def tell(self, stage: Stage) -> None:
        last = stage.done == stage.total
        if self._console.is_terminal:
            if last or time.monotonic() - self._drawn_at_s > _FRAME_S:
                self._draw(stage)
        elif time.monotonic() - self._spoke_at_s > _EVERY_S:
            self._spoke_at_s = time.monotonic()
            of = f" of {stage.total}" if stage.total else ""
            self._console.print(f"{stage.done}{of} {stage.what}", highlight=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, stage: Stage) -> None:
        self._drawn_at_s = time.monotonic()
        if self._bar is None:
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self._bar = Bar(*columns, console=self._console, auto_refresh=False, transient=True)
            self._bar.start()
        if stage.what not in self._tasks:
            self._tasks[stage.what] = self._bar.add_task(stage.what, total=stage.total or None)
        self._bar.update(self._tasks[stage.what], completed=stage.done)
        self._bar.refresh()


@contextmanager
def shown_stages() -> Generator[StageTeller]:
    teller = StageTeller(Console(stderr=True))
    try:
        yield teller
    finally:
        teller.close()


@contextmanager
def shown_progress() -> Generator[Teller]:
    teller = Teller(Console(stderr=True))
    try:
        yield teller
    finally:
        teller.close()
