"""Places of trials → worker processes, with an eye on those that hang or die."""

import multiprocessing
import os
import signal
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import cast

from msgspec import Struct

from misstep.core.blame import Blame
from misstep.core.errors import MisstepError, StoppedError
from misstep.core.finding import Outcome, Verdict
from misstep.core.trace import End, Origin, Trace
from misstep.simulation.lookout import Lookout, Opening, opening_of
from misstep.simulation.watch import AGENT, NOBODY, TOOL
from misstep.simulation.worker import (
    BUSY,
    DONE,
    FAILED,
    INVALID,
    PLACE,
    PULSE,
    SLOTS,
    STARTING,
    Assignment,
    Line,
    work,
)
from misstep.store.journal import Journal, StorageError, trials_in
from misstep.store.run_folder import Writing
from misstep.store.trial import Trial

_LARGEST_CHUNK = 32
_TICK_S = 0.1
_LONGEST_START_S = 300.0
_LIVES = 2
"""A trial that ends its process so often is not run again."""


class Progress(Struct, frozen=True):
    """How far a run has come."""

    total: int
    done: int
    failed: int = 0
    invalid: int = 0


class _Worker:
    def __init__(self, process: BaseProcess, connection: Line, journal: Path, start: int) -> None:
        self.process = process
        self.connection = connection
        self.journal = journal
        self.start = start
        self.chunk: list[int] = []
        self.pulse = -1
        self.seen_at_s = time.monotonic()
        self.killed = False
        self.retired = False


class Pool:
    """Runs what is missing of a run."""

    def __init__(self, writing: Writing, *, workers: int, timeout_s: float, tell: Callable[[Progress], None]) -> None:
        self._writing = writing
        self._timeout_s = timeout_s
        self._tell = tell
        self._pending = deque(array("q", writing.missing()))
        self._todo = len(self._pending)
        self._count = max(1, min(workers, self._todo))
        self._context = _context()
        self._board = RawArray("q", [0] * (SLOTS * self._count))
        self._workers: list[_Worker] = []
        self._deaths: Counter[int] = Counter()
        self._own: Journal | None = None
        self._lost: Counter[str] = Counter()
        self._false_starts = 0
        self._journals: list[Path] = []
        self._lookout = Lookout(trials=len(writing.plan), scenarios=len(writing.scenarios))

    def run(self) -> None:
        try:
            self._run()
        except StoppedError as stopped:
            if stopped.blame != "agent":
                for journal in self._journals:
                    journal.unlink(missing_ok=True)  # else the same command would take these trials for done
            raise
        self._tell(self._progress())

    def _run(self) -> None:
        try:
            for number in range(self._count if self._todo else 0):
                self._start_worker(number * SLOTS)
            while self._workers:
                self._step()
        finally:
            for worker in self._workers:
                worker.process.kill()
                worker.process.join()
            if self._own is not None:
                self._own.close()

    def _new_journal(self) -> Path:
        self._journals.append(self._writing.new_journal())
        return self._journals[-1]

    def _start_worker(self, start: int) -> None:
        self._board[start + PLACE] = STARTING
        self._board[start + BUSY] = NOBODY
        journal = self._new_journal()
        ours, theirs = cast("tuple[Line, Line]", self._context.Pipe())
        assignment = Assignment(self._writing.manifest, self._writing.scenarios, journal, os.getpid(), self._timeout_s)
        arguments = (assignment, theirs, self._board, start)
        process = self._context.Process(target=work, args=arguments, daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours, journal, start)
        self._workers.append(worker)
        self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        size = max(1, min(_LARGEST_CHUNK, len(self._pending) // (self._count * 4)))
        worker.chunk = [self._pending.popleft() for _ in range(min(size, len(self._pending)))]
        try:
            worker.connection.send(worker.chunk or None)
        except OSError:
            return  # it is dead: its sentinel says so in a moment
        worker.retired = not worker.chunk
        worker.seen_at_s = time.monotonic()

    def _step(self) -> None:
        objects = [worker.connection for worker in self._workers if not worker.retired]
        sentinels = {worker.process.sentinel: worker for worker in self._workers}
        ready = wait([*objects, *sentinels], timeout=_TICK_S)
        for worker in list(self._workers):
            if worker.connection in ready:
                self._hear(worker)
        for worker in list(self._workers):
            if worker.process.sentinel in ready:
                self._bury(worker)
        self._look_round()
        self._tell(self._progress())

    def _hear(self, worker: _Worker) -> None:
        try:
            message: tuple[str, str] | Opening | None = worker.connection.recv()
        except (EOFError, OSError):
            worker.retired = True
            return
        if message is None:
            worker.chunk = []
            self._feed(worker)
        elif isinstance(message, Opening):
            self._lookout.see(message)
        elif message[0] == "storage":
            raise StorageError(message[1])
        else:
            raise MisstepError(message[1])

    def _look_round(self) -> None:
        """Kill what neither timer nor alarm could end: an agent that is stuck in native code."""
        now_s = time.monotonic()
        for worker in self._workers:
            pulse = self._board[worker.start + PULSE]
            if pulse != worker.pulse or not worker.chunk:
                worker.pulse, worker.seen_at_s = pulse, now_s
            elif now_s - worker.seen_at_s > self._allowed_s(worker):
                worker.killed = True
                worker.process.kill()

    def _allowed_s(self, worker: _Worker) -> float:
        if self._board[worker.start + PLACE] == STARTING:
            return _LONGEST_START_S
        return self._timeout_s + max(2.0, self._timeout_s)

    def _bury(self, worker: _Worker) -> None:
        """A worker has ended. What it had not finished goes to others, but for a trial that keeps ending workers."""
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)
        done: set[int | None] = set()
        if worker.chunk:
            done.update(self._writing.plan.place(*place) for _, _, place in trials_in(worker.journal))
        left = [place for place in worker.chunk if place not in done]
        in_hand = self._board[worker.start + PLACE]
        if in_hand in left:
            self._deaths[in_hand] += 1
            if worker.killed or self._deaths[in_hand] >= _LIVES:
                self._record_loss(in_hand, worker)
                left.remove(in_hand)
        elif left and in_hand == STARTING:
            self._false_starts += 1
            if self._false_starts > 3 * self._count:
                raise MisstepError(
                    f"The worker processes end before they have begun (exit code {worker.process.exitcode}). "
                    "Is there enough memory?"
                )
        self._pending.extendleft(reversed(left))
        if self._pending:
            self._start_worker(worker.start)

    def _record_loss(self, place: int, worker: _Worker) -> None:
        end, error, blame = _loss(worker, self._board[worker.start + BUSY], self._timeout_s)
        index, number = self._writing.plan.trial_at(place)
        scenario, manifest = self._writing.scenarios[index], self._writing.manifest
        origin = Origin(
            scenario=scenario.name, seed=manifest.seed, trial=number, agent=manifest.agent, tools=manifest.tools
        )
        trace = Trace(id=f"{scenario.name}#{number}", origin=origin, end=end, error=error)
        # Nothing is looked for in it: what the agent did before is not known.
        outcome: Outcome = "fail" if blame == "agent" else "invalid"
        verdict = Verdict(outcome=outcome, blame=blame, reasons=(error,))
        trial = Trial(scenario=scenario, trial=number, seed=manifest.seed, trace=trace, verdict=verdict)
        if self._own is None:
            self._own = Journal(self._new_journal())
        self._own.add(trial)
        self._lost[trial.verdict.outcome] += 1
        self._lookout.see(opening_of(trial))

    def _progress(self) -> Progress:
        def total(slot: int) -> int:
            return sum(self._board[number * SLOTS + slot] for number in range(self._count))

        already = len(self._writing.plan) - self._todo
        return Progress(
            total=len(self._writing.plan),
            done=already + total(DONE) + self._lost.total(),
            # How those before had ended is not known yet: half a count would mislead.
            failed=0 if already else total(FAILED) + self._lost["fail"],
            invalid=0 if already else total(INVALID) + self._lost["invalid"],
        )


def _loss(worker: _Worker, busy: int, timeout_s: float) -> tuple[End, str, Blame]:
    """What to say of a trial that took its process with it."""
    code = worker.process.exitcode or 0
    if worker.killed:
        return _stuck(busy, timeout_s)
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    if code in (-signal.SIGKILL, -signal.SIGTERM):
        text = (
            f"The process of the trial was killed twice ({how}). Who did it cannot be seen: the system, for want of "
            "memory, a person, or the agent or a tool itself."
        )
        return "simulator", text, "infrastructure"
    if busy == AGENT:
        return "agent-raised", f"The agent ended its process ({how}).", "agent"
    if busy == TOOL:
        return "simulator", f"A tool ended the process of the trial ({how}).", "tool"
    return "simulator", f"The process of the trial ended outside the agent ({how}).", "infrastructure"


def _stuck(busy: int, timeout_s: float) -> tuple[End, str, Blame]:
    if busy == AGENT:
        return "agent-hung", f"The agent did not answer within {timeout_s:g} seconds, and had to be killed.", "agent"
    if busy == TOOL:
        return "simulator", f"A tool did not answer within {timeout_s:g} seconds, and had to be killed.", "tool"
    return "simulator", "The trial was stuck outside the agent, and had to be killed.", "infrastructure"


def _context() -> ForkContext | SpawnContext:
    # Forked workers have everything imported already.
    if "fork" in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")
