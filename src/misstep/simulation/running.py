"""run: an agent, tools and scenarios by name → a run folder with a trial of every kind in it."""

import hashlib
import math
import os
import re
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct, structs

from misstep.catalog import agent_named, toolbox_named
from misstep.catalog.modules import code_digest
from misstep.core.errors import UsageError
from misstep.core.player import Player
from misstep.core.scenario import Scenario
from misstep.simulation.pool import Pool, Progress
from misstep.simulation.preflight import try_parts
from misstep.simulation.watch import DEFAULT_S
from misstep.store.journal import StorageError
from misstep.store.manifest import Manifest, digest_of, encode_manifest
from misstep.store.run_folder import Locked, RunFolder, Writing


class Job(Struct, frozen=True, kw_only=True):
    """What to run. Agent and tools are names, so that each process can make its own."""

    agent: str
    tools: str
    scenarios: tuple[Scenario, ...]
    trials: int = 1
    trial: int | None = None
    """Only this one, from 1."""
    seed: int = 0
    timeout_s: float = DEFAULT_S
    """Seconds on the wall that an agent has for a reply."""
    user: Player | None = None
    user_model: str | None = None
    """The model of the settings that plays the persons; no model does where this is none."""
    scenarios_at: str | None = None
    only: str | None = None
    again: str | None = None
    """The command that runs it again, where these do not tell."""


def _silent(progress: Progress) -> None:
    """Nobody wants to know."""


def run(
    job: Job,
    out: Path | None = None,
    *,
    workers: int | None = None,
    fresh: bool = False,
    tell: Callable[[Progress], None] = _silent,
) -> RunFolder:
    """Run what is missing in the folder, and merge it. The same job in the same folder goes on where it was."""
    manifest = checked(job)
    out = out or own_folder(manifest)
    with Locked(out, manifest, job.scenarios, fresh=fresh) as writing:
        _fill(writing, job, workers, tell)
        return writing.finish()


class More(Struct, frozen=True):
    """What a run that grows is to hold next: these scenarios besides those it has, so many trials of each."""

    scenarios: tuple[Scenario, ...] = ()
    trials: int = 1


def run_growing(
    job: Job,
    more: Callable[[RunFolder], More | None],
    out: Path | None = None,
    *,
    workers: int | None = None,
    fresh: bool = False,
    tell: Callable[[Progress], None] = _silent,
) -> RunFolder:
    """Run a job, then what `more` asks for on seeing it, until that is nothing. Killed, it goes on where it was.

    `more` is asked again about what was there already, and must ask for the same again.
    """
    manifest = structs.replace(checked(job), grows=True)
    out = out or own_folder(manifest)
    # What is made on the way is nowhere else.
    manifest = structs.replace(manifest, scenarios_at=str(out))
    with Locked(out, manifest, job.scenarios, fresh=fresh) as writing:
        wanted: More | None = More(job.scenarios, manifest.trials)
        while wanted is not None:
            writing.grow(wanted.scenarios, trials=wanted.trials)
            _fill(writing, job, workers, tell)
            wanted = more(writing.so_far())
        return writing.finish()


def _fill(writing: Writing, job: Job, workers: int | None, tell: Callable[[Progress], None]) -> None:
    if writing.manifest.phase == "finished":
        return
    try:
        Pool(writing, workers=workers or cores(), timeout_s=job.timeout_s, tell=tell).run()
    except StorageError as error:
        raise StorageError(
            f"{writing.path} cannot be written: {error}. Make room and run the same command again: "
            "every finished trial is kept."
        ) from None


def checked(job: Job) -> Manifest:
    """Everything that can be known to go wrong before the first trial, as a UsageError; else what will be run."""
    if job.trials < 1 or (job.trial is not None and job.trial < 1):
        raise UsageError("Trials are counted from 1: give --trials and --trial a number of 1 or more.")
    if not job.scenarios:
        raise UsageError("There is no scenario to run.")
    if not 0 < job.timeout_s < math.inf:
        raise UsageError("An agent needs some time to answer: give --timeout more than 0 seconds.")
    try_parts(agent_named(job.agent), toolbox_named(job.tools), job.scenarios, timeout_s=job.timeout_s)
    return Manifest(
        agent=job.agent,
        tools=job.tools,
        seed=job.seed,
        scenarios=tuple(scenario.name for scenario in job.scenarios),
        digest=digest_of(job.scenarios),
        code=code_digest(job.agent, job.tools),
        version=own_version(),
        first=job.trial or 1,
        trials=1 if job.trial is not None else job.trials,
        scenarios_at=job.scenarios_at,
        only=job.only,
        timeout_s=job.timeout_s,
        user=job.user,
        user_model=job.user_model,
        again=job.again,
    )


def own_folder(manifest: Manifest) -> Path:
    """Where a run goes that was given no place: the same for the same run, another for any other."""
    identity = structs.replace(manifest, trials=1, scenarios_at=None, only=None, timeout_s=0.0, user=None, again=None)
    if manifest.grows:
        identity = structs.replace(identity, scenarios=manifest.scenarios[:1], digest="")
    digest = hashlib.blake2b(encode_manifest(identity), digest_size=3).hexdigest()
    words = f"{manifest.agent} on {manifest.tools} seed {manifest.seed}"
    return Path("runs") / f"{re.sub(r'[^A-Za-z0-9]+', '-', words).strip('-').lower()}-{digest}"


def own_version() -> str:
    try:
        return version("misstep")
    except PackageNotFoundError:
        return "unknown"


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
