"""What one process of a run does: take places of trials, run them one after another, and write each in its journal."""

import asyncio
import gc
import os
import random
import signal
from collections.abc import Coroutine, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from msgspec import Struct, structs

from misstep.catalog import agent_named, model_in, toolbox_named
from misstep.core.errors import FormatError, MisstepError
from misstep.core.finding import Verdict
from misstep.core.scenario import Scenario
from misstep.core.trace import Origin, Trace
from misstep.simulation.lookout import opening_of
from misstep.simulation.trial import run_trial, trial_seed
from misstep.simulation.watch import DEFAULT_S, NOBODY, Hung, Watch
from misstep.store.journal import Journal, StorageError
from misstep.store.manifest import Manifest, Plan
from misstep.store.trial import Trial
from misstep.tools.plain import clean

PULSE, PLACE, BUSY, DONE, FAILED, INVALID = range(6)
"""What a worker tells its parent without a message: a sign of life, the trial in hand, who is at work, counts."""
SLOTS = 6

STARTING, BETWEEN = -1, -2
"""In place of a trial in hand: nothing has begun yet, or the last one is being cleared away."""

_SWEEP_S = 1.0
_seed = random.seed  # an agent may put something else in its place

Line = Connection
"""Down it go lists of places, up it comes None for each, how the first trials ended, or what went wrong."""


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
        worker = _Worker(assignment, connection, board, start)
        gc.freeze()  # what is there now stays: no need to look at it again and again
        while (places := _next_places(connection, parent)) is not None:
            _complete(loop, worker.run(places, parent))
            connection.send(None)
    except (MisstepError, OSError) as error:
        kind = "storage" if isinstance(error, (StorageError, OSError)) else "other"
        connection.send((kind, str(error)))
    finally:
        # An agent may have left threads behind that would never let this process end.
        os._exit(0)


def _complete(loop: asyncio.AbstractEventLoop, work: Coroutine[object, object, None]) -> None:
    """What an agent's own tasks may do to a loop (stop it, raise KeyboardInterrupt through it) does not end a trial."""
    task = loop.create_task(work)
    while not task.done():
        try:
            loop.run_until_complete(task)
        except BaseException:  # noqa: BLE001 - whatever it is, it is not ours
            if task.done() or loop.is_closed():
                break
    task.result()


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
    def __init__(self, assignment: Assignment, connection: Line, board: Board, start: int) -> None:
        manifest = assignment.manifest
        self._manifest = manifest
        self._scenarios = assignment.scenarios
        self._plan = Plan(manifest)
        self._agent = agent_named(manifest.agent)
        self._tools = toolbox_named(manifest.tools)
        self._user_model = model_in(Path.cwd(), "users") if manifest.user_model else None
        self._journal = Journal(assignment.journal)
        self._connection = connection
        self._under_way = False
        self._board = board
        self._start = start
        alarm = hasattr(signal, "setitimer")
        self._process = os.getpid()
        self._watch = Watch(assignment.timeout_s, alarm=alarm, alone=True, tell=self._tell)

    async def run(self, places: Sequence[int], parent: int) -> None:
        board, start = self._board, self._start
        for place in places:
            if os.getppid() != parent:
                return  # the run was killed: whoever continues it does this trial
            board[start + PLACE] = place
            trial = await self._tried(place)
            if os.getpid() != self._process:
                os._exit(0)  # the agent has forked: one of the two goes on, and it is not the child
            self._keep(trial)
            if not self._under_way:
                opening = opening_of(trial)
                self._under_way = opening.blame is None
                self._connection.send(opening)
            board[start + PLACE] = BETWEEN
            board[start + DONE] += 1
            board[start + FAILED] += trial.verdict.outcome == "fail"
            board[start + INVALID] += trial.verdict.outcome == "invalid"
            board[start + PULSE] += 1
            if not await _swept(self._watch):
                os._exit(0)  # what is left running must not reach into the next trial: the rest is another's

    async def _tried(self, place: int) -> Trial:
        index, number = self._plan.trial_at(place)
        scenario = self._scenarios[index]
        # For agents that use the global generator: with a seed of their own they are as repeatable as others.
        _seed(trial_seed(self._manifest.seed, scenario.name, number))
        return await run_trial(
            scenario,
            number,
            seed=self._manifest.seed,
            make_agent=self._agent.make,
            make_toolbox=self._tools.make,
            origin=Origin(agent=self._manifest.agent, tools=self._manifest.tools),
            user_model=self._user_model,
            watch=self._watch,
        )

    def _keep(self, trial: Trial) -> None:
        try:
            self._journal.add(trial)
        except FormatError as error:
            trace = Trace(id=trial.trace.id, origin=trial.trace.origin, end="simulator", error=clean(str(error)))
            verdict = Verdict(outcome="invalid", blame="infrastructure", reasons=(clean(str(error)),))
            self._journal.add(structs.replace(trial, trace=trace, findings=(), verdict=verdict, errors=()))

    def _tell(self, who: int) -> None:
        board, at = self._board, self._start + BUSY
        # Calls of tools are no sign of life: an agent that shrugs off its end may make them for ever.
        if NOBODY in (who, board[at]):
            board[self._start + PULSE] += 1
        board[at] = who


async def _swept(watch: Watch) -> bool:
    """End what an agent left running, so that it does not reach into the next trial. Did all of it end?"""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if not left:
        return True
    for task in left:
        task.cancel()
    patience, watch.timeout_s = watch.timeout_s, _SWEEP_S
    try:
        with watch:
            await asyncio.wait(left)
    except (Hung, asyncio.CancelledError):
        return False
    finally:
        watch.timeout_s = patience
    return True
