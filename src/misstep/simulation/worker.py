"""What one process of a run does: take places of trials, run them one after another, and write each in its journal."""

import asyncio
import gc
import os
import random
import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from misstep.catalog import agent_named, toolbox_named
from misstep.core.errors import MisstepError
from misstep.core.scenario import Scenario
from misstep.simulation.trial import run_trial, trial_seed
from misstep.simulation.watch import DEFAULT_S, Watch
from misstep.store.journal import Journal, StorageError
from misstep.store.manifest import Manifest, Plan

PULSE, PLACE, BUSY, DONE, FAILED, INVALID = range(6)
"""What a worker tells its parent without a message: a sign of life, the trial in hand, is the agent at work, counts."""
SLOTS = 6


Line = Connection
"""Down it go lists of places, up it comes None for each, or what went wrong."""


class Assignment(Struct, frozen=True):
    """All that a worker needs to know. It makes agent and tools from their names by itself."""

    manifest: Manifest
    scenarios: tuple[Scenario, ...]
    journal: Path
    parent: int
    """The process that gave it; a worker does nothing for a run whose parent is gone."""
    timeout_s: float = DEFAULT_S


class Board(Protocol):
    """Numbers that parent and workers share."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...


def work(assignment: Assignment, connection: Line, board: Board, start: int) -> None:
    """The main function of a worker process: answers each list of places with None when it is done."""
    parent = assignment.parent
    _settle_in()
    try:
        loop = asyncio.new_event_loop()
        worker = _Worker(assignment, board, start)
        gc.freeze()  # what is there now stays: no need to look at it again and again
        while (places := _next_places(connection, parent)) is not None:
            loop.run_until_complete(worker.run(places, parent))
            connection.send(None)
    except (MisstepError, OSError) as error:
        kind = "storage" if isinstance(error, (StorageError, OSError)) else "other"
        connection.send((kind, str(error)))
    finally:
        # An agent may have left threads behind that would never let this process end.
        os._exit(0)


def _settle_in() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides
    os.dup2(2, 1)  # stdout is the parent's data; what an agent prints is none
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)


def _next_places(connection: Line, parent: int) -> Sequence[int] | None:
    try:
        # Not a plain recv: a sibling may hold the other end open after the parent's death.
        while not connection.poll(1.0):
            if os.getppid() != parent:
                return None
        return connection.recv()
    except EOFError:
        return None


class _Worker:
    def __init__(self, assignment: Assignment, board: Board, start: int) -> None:
        manifest = assignment.manifest
        self._manifest = manifest
        self._scenarios = assignment.scenarios
        self._plan = Plan(manifest)
        self._agent = agent_named(manifest.agent)
        self._tools = toolbox_named(manifest.tools)
        self._journal = Journal(assignment.journal)
        self._board = board
        self._start = start
        alarm = hasattr(signal, "setitimer")
        self._watch = Watch(assignment.timeout_s, alarm=alarm, tell=self._tell)

    async def run(self, places: Sequence[int], parent: int) -> None:
        board, start = self._board, self._start
        for place in places:
            if os.getppid() != parent:
                return  # the run was killed: whoever continues it does this trial
            board[start + PLACE] = place
            index, number = self._plan.trial_at(place)
            scenario = self._scenarios[index]
            # For agents that use the global generator: with a seed of their own they are as repeatable as others.
            random.seed(trial_seed(self._manifest.seed, scenario.name, number))
            trial = await run_trial(
                scenario,
                number,
                seed=self._manifest.seed,
                make_agent=self._agent.make,
                make_toolbox=self._tools.make,
                agent=self._manifest.agent,
                tools=self._manifest.tools,
                watch=self._watch,
            )
            self._journal.add(trial)
            board[start + PLACE] = -1
            board[start + DONE] += 1
            board[start + FAILED] += trial.verdict.outcome == "fail"
            board[start + INVALID] += trial.verdict.outcome == "invalid"
            board[start + PULSE] += 1
            await _sweep()

    def _tell(self, busy: bool) -> None:
        self._board[self._start + BUSY] = busy
        self._board[self._start + PULSE] += 1


async def _sweep() -> None:
    """End what an agent left running, so that it does not reach into the next trial."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=1.0)
