"""run: an agent, tools and scenarios by name → a run folder with a trial of every kind in it."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from misstep.catalog import NamedAgent, NamedTools, agent_named, code_digest, toolbox_named
from misstep.core.errors import UsageError, suggestion
from misstep.core.roles import Governed
from misstep.core.scenario import Scenario
from misstep.core.tape import Tape
from misstep.simulation.pen import Pen
from misstep.simulation.pool import Pool, Progress
from misstep.simulation.trial import told
from misstep.simulation.watch import DEFAULT_S
from misstep.store.journal import StorageError
from misstep.store.manifest import Manifest, digest_of
from misstep.store.run_folder import Locked, RunFolder

T = TypeVar("T")


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
    scenarios_at: str | None = None
    only: str | None = None


def _silent(progress: Progress) -> None:
    """Nobody wants to know."""


def run(
    job: Job,
    out: Path,
    *,
    workers: int | None = None,
    fresh: bool = False,
    tell: Callable[[Progress], None] = _silent,
) -> RunFolder:
    """Run what is missing in the folder, and merge it. The same job in the same folder goes on where it was."""
    manifest = checked(job)
    with Locked(out, manifest, job.scenarios, fresh=fresh) as writing:
        if writing.manifest.phase != "finished":
            try:
                Pool(writing, workers=workers or cores(), timeout_s=job.timeout_s, tell=tell).run()
            except StorageError as error:
                raise StorageError(
                    f"{out} cannot be written: {error}. Make room and run the same command again: "
                    "every finished trial is kept."
                ) from None
        return writing.finish()


def checked(job: Job) -> Manifest:
    """Everything that can be known to go wrong before the first trial, as a UsageError; else what will be run."""
    if job.trials < 1 or (job.trial is not None and job.trial < 1):
        raise UsageError("Trials are counted from 1: give --trials and --trial a number of 1 or more.")
    if not job.scenarios:
        raise UsageError("There is no scenario to run.")
    if not job.timeout_s > 0:
        raise UsageError("An agent needs some time to answer: give --timeout more than 0 seconds.")
    _awaited(_check_parts(agent_named(job.agent), toolbox_named(job.tools), job.scenarios))
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
    )


def own_version() -> str:
    try:
        return version("misstep")
    except PackageNotFoundError:
        return "unknown"


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def _check_parts(agent: NamedAgent, tools: NamedTools, scenarios: Sequence[Scenario]) -> None:
    toolbox = tools.make(scenarios[0].seed)
    known = [tool.name for tool in await toolbox.tools()]
    for scenario in scenarios:
        for name in _named_tools(scenario):
            if name not in known:
                raise UsageError(
                    f"Scenario {scenario.name!r} names a tool {name!r} that {tools.spec} does not have."
                    f"{suggestion(name, known)}"
                )
    policy = scenarios[0].policy or (toolbox.policy if isinstance(toolbox, Governed) else None)
    try:
        agent.make(policy=policy, tape=Pen(Tape()), seed=0)
    except UsageError as error:
        raise UsageError(f"{agent.spec} makes no agent: {error}.") from None
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{agent.spec} raised when it was called to make an agent: {told(error)}. "
            "Call it alone to see where, and run again."
        ) from error


def _named_tools(scenario: Scenario) -> set[str]:
    """The tools that must be there for the scenario to make sense; a fault's pattern may fit none."""
    named = set(scenario.tools)
    named |= {fault.tool for fault in scenario.faults if fault.target == "tool" and not set("*?[") & set(fault.tool)}
    if scenario.objective is not None:
        named |= {call.tool for call in scenario.objective.calls}
        named |= {tool for question in scenario.objective.questions for tool in question.before}
        named |= {each.tool for each in scenario.objective.forbidden if each.tool is not None}
    return named


def _awaited(work: Coroutine[object, object, T]) -> T:
    """The result of async work, also where this thread has a loop at work, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    result: list[T] = []
    errors: list[BaseException] = []

    def elsewhere() -> None:
        try:
            result.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits
            errors.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return result[0]
