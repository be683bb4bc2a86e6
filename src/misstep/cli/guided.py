"""`run --precision`, `--explore` and `--compare`: jobs that decide as they go, or are held against each other."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, structs
from rich.console import Console

from misstep.catalog import NamedTools
from misstep.cli.exits import DONE, FAILED, INTERRUPTED
from misstep.cli.notes import note
from misstep.cli.progress import Teller, shown_progress
from misstep.cli.showing import run_job, show
from misstep.cli.synthesize import tell_beyond, timely
from misstep.core.errors import UsageError
from misstep.core.scenario import Scalar, Scenario
from misstep.core.waiting import awaited
from misstep.exploration.comparing import compare
from misstep.exploration.exploring import Explorer
from misstep.exploration.guided import Doing, explore, run_until_known
from misstep.exploration.outcomes import outcome_of
from misstep.reporting.explored import comparison_text, explored_text, precision_text
from misstep.reporting.summary import Summary
from misstep.simulation.running import Job
from misstep.store.disputes import DISPUTES_FILE, read_disputes, set_aside
from misstep.store.run_folder import RunFolder
from misstep.synthesis.synthesizing import maker_of


class Where(Struct, frozen=True):
    """Where a run goes, and on how many processes."""

    out: Path | None
    workers: int | None
    fresh: bool


def run_as_asked(
    job: Job, tools: NamedTools, where: Where, *, precision: float | None, explore: int | None
) -> Summary | None:
    """A plain run, or one that decides as it goes; None where it was interrupted."""
    if precision is not None:
        return run_precisely(job, precision, where)
    if explore is not None:
        return run_exploring(job, tools, explore, where)
    folder = run_job(job, where.out, workers=where.workers, fresh=where.fresh)
    return None if folder is None else show(folder)


def run_precisely(job: Job, precision: float, where: Where) -> Summary | None:
    """None where it was interrupted."""
    if not 0 < precision < 1:
        raise UsageError(f"--precision is a share of trials between 0 and 1, such as 0.05; got {precision:g}.")
    with shown_progress() as teller:
        try:
            folder, stopper = run_until_known(job, precision, _doing(where, teller))
        except KeyboardInterrupt:
            return _interrupted(teller)
        teller.finish()
    summary = show(folder)
    Console().print(precision_text(stopper, trials=folder.manifest.trials, most=job.trials))
    return summary


def run_exploring(job: Job, tools: NamedTools, budget: int, where: Where) -> Summary | None:
    """Along the factors of scenarios that are made on the way; None where it was interrupted."""
    tell_beyond(tools)
    maker = awaited(maker_of(timely(tools), seed=job.seed))

    def made(row: Mapping[str, Scalar], seed: int) -> Scenario | None:
        composition = awaited(maker.make(dict(row)))
        return composition.scenario if composition else None

    if maker.candidates:
        explorer = Explorer(maker.varied, made, possible=maker.possible, pool=job.scenarios, seed=job.seed)
    else:
        note(f"No scenario can be made for the tools of {tools.spec}: only those that are there are explored.")
        explorer = Explorer(pool=job.scenarios, seed=job.seed)
    with shown_progress() as teller:
        try:
            folder, explored = explore(job, explorer, budget, _doing(where, teller))
        except KeyboardInterrupt:
            return _interrupted(teller)
        teller.finish()
    summary = show(folder)
    Console().print(explored_text(explored))
    return summary


def run_comparing(job: Job, agents: tuple[str, str], where: Where) -> int:
    """The same scenarios, trials and seed for both; exits with 1 where the second is shown to be worse."""
    folders: list[RunFolder] = []
    for agent in agents:
        note(f"{agent}:")
        out = where.out / _folder_name(agent) if where.out else None
        folder = run_job(structs.replace(job, agent=agent), out, workers=where.workers, fresh=where.fresh)
        if folder is None:
            return INTERRUPTED
        folders.append(folder)
    first, second = folders
    disputes = read_disputes(Path(DISPUTES_FILE))
    compared = compare(*(map(outcome_of, set_aside(folder.trials(), disputes)) for folder in (first, second)))
    Console().print(comparison_text(compared, names=agents))
    return FAILED if compared.better == "a" else DONE


def _folder_name(agent: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in agent).strip("-") or "agent"


def _doing(where: Where, teller: Teller) -> Doing:
    return Doing(out=where.out, workers=where.workers, fresh=where.fresh, tell=teller.tell)


def _interrupted(teller: Teller) -> None:
    teller.interrupted(shlex.join(["misstep", *sys.argv[1:]]))
