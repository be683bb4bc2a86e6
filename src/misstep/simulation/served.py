"""A session of somebody else's agent on our tools: everything it called, kept and judged like a trial."""

import math
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import msgspec

from misstep.core.errors import InvalidTrialError, MisstepError, UsageError
from misstep.core.objective import Limits
from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Fault, Scenario
from misstep.core.state import difference
from misstep.core.tape import Tape
from misstep.core.tool import Tool
from misstep.core.trace import Origin, Trace
from misstep.store.journal import Journal
from misstep.store.locking import locked
from misstep.store.manifest import Manifest, digest_of
from misstep.store.run_folder import Locked, RunFolder, holds_a_run, open_run
from misstep.store.trial import Trial
from misstep.tools.assembly import assemble
from misstep.tools.lasting import lasting
from misstep.tools.loosened import Loosened
from misstep.tools.redacting import without

NAME = "session"
_LOCK = ".lock"

_NO_LIMITS = Limits(calls=sys.maxsize, seconds=math.inf)
"""Budgets are for trials; how long somebody works is theirs to say."""


class Session:
    """Wraps a toolbox for one client; `kept` makes what it did a run of one trial."""

    def __init__(
        self,
        toolbox: Toolbox,
        *,
        faults: Sequence[Fault] = (),
        seed: int = 0,
        secrets: frozenset[str] = frozenset(),
    ) -> None:
        self.inner = toolbox
        self._seed = seed
        self._secrets = secrets
        """Kept out of the trace, whoever tells them."""
        self._tape = Tape()
        self._before = toolbox.snapshot() if isinstance(toolbox, Stateful) else None
        self._lasting = lasting(toolbox)
        assembled = assemble(self._lasting, tape=self._tape, faults=faults, seed=seed, limits=_NO_LIMITS)
        self.toolbox: Toolbox = Loosened(assembled, faults) if faults else assembled

    @property
    def calls(self) -> int:
        return self._tape.calls

    async def trial(self, *, agent: str, tools: str) -> Trial:
        """What has happened so far; where something of ours broke meanwhile, invalid, with the blame for the first."""
        broken = self._lasting.broken
        after = self.inner.snapshot() if isinstance(self.inner, Stateful) else None
        changes = difference(self._before, after) if self._before is not None and after is not None else None
        trace = Trace(
            id=f"{NAME}#1",
            events=self._tape.frozen(),
            tools=await self._shown(),
            changes=changes,
            usage=self._tape.usage,
            origin=Origin(scenario=NAME, seed=self._seed, trial=1, agent=agent, tools=tools),
            end="simulator" if broken else "finished",
            error=_told(broken) if broken else None,
        )
        if self._secrets:
            trace = msgspec.convert(without(msgspec.to_builtins(trace), self._secrets), Trace)
        blame = broken[0].blame if broken else None
        # All detectors come with it: for who keeps nothing, a long wait.
        from misstep.simulation.judging import Held, judged  # noqa: PLC0415

        scenario = Scenario(name=NAME, summary="What a client did.")
        return judged(Held(scenario=scenario, trial=1, seed=self._seed, trace=trace, blame=blame))

    async def _shown(self) -> tuple[Tool, ...]:
        try:
            return tuple(await self.toolbox.tools())
        except MisstepError:
            return ()  # That is told already: nobody can have called one.


def _told(broken: Sequence[InvalidTrialError]) -> str:
    more = f" ({len(broken) - 1} more like it followed.)" if len(broken) > 1 else ""
    return f"{broken[0].reason}{more}"


@contextmanager
def claimed(out: Path) -> Generator[None, None, None]:
    """A folder for a session, ours until the context ends; so that what would fail in the end fails before anything.

    Raises UsageError where it holds something else than an earlier session, where somebody else is at work in it, and
    where it cannot be written. A folder that was made for nothing is taken away again.
    """
    made = not out.exists()
    if holds_a_run(out) and open_run(out).manifest.scenarios != (NAME,):
        raise UsageError(f"{out} holds a run of Misstep's that is no session. Choose another folder with --out.")
    if out.is_dir() and not holds_a_run(out) and any(entry.name != _LOCK for entry in out.iterdir()):
        raise UsageError(f"{out} is not empty and holds no session of Misstep's. Choose another folder with --out.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = locked(out / _LOCK)
    except OSError as error:
        raise UsageError(
            f"The folder {out} cannot be written: {error.strerror or error}. Choose another place with --out."
        ) from None
    try:
        yield
    finally:
        lock.close()
        if made and not holds_a_run(out):
            (out / _LOCK).unlink(missing_ok=True)
            out.rmdir()


def kept(trial: Trial, out: Path, *, again: str) -> RunFolder:
    """Write a session as a run of one trial, in place of what was there; `again` is how to start another like it."""
    manifest = Manifest(
        agent=trial.trace.origin.agent or "",
        tools=trial.trace.origin.tools or "",
        seed=trial.seed,
        scenarios=(NAME,),
        digest=digest_of((trial.scenario,)),
        code="",
        version=version("misstep"),
        first=1,
        trials=1,
        again=again,
    )
    with Locked(out, manifest, (trial.scenario,), fresh=True) as writing:
        journal = Journal(writing.new_journal())
        journal.add(trial)
        journal.close()
        return writing.finish()
