"""Runs that decide as they go: until a rate is known closely enough, or where failures are likely."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, structs

from misstep.core.scenario import Scenario
from misstep.exploration.exploring import Explorer, Pick
from misstep.exploration.novelty import Explored
from misstep.exploration.outcomes import outcome_of
from misstep.exploration.stopping import Stopper
from misstep.simulation.pool import Progress
from misstep.simulation.running import Job, More, run_growing
from misstep.store.run_folder import RunFolder

_BATCH = 12
_AGAIN = "~"
"""Between a scenario's name and the number of a further trial of it."""


class Doing(Struct, frozen=True, kw_only=True):
    """How a run is done, whatever it is of."""

    out: Path | None = None
    workers: int | None = None
    fresh: bool = False
    tell: Callable[[Progress], None]


def run_until_known(job: Job, precision: float, doing: Doing) -> tuple[RunFolder, Stopper]:
    """A round of trials after another, until success is known within the precision; at most `job.trials` of each."""
    stopper = Stopper(precision, scenarios=len(job.scenarios))

    def more(folder: RunFolder) -> More | None:
        nonlocal stopper
        done = folder.manifest.trials
        stopper = _told(precision, folder, done)
        return None if stopper.known or done >= job.trials else More(trials=done + 1)

    first = structs.replace(job, trials=1)
    folder = run_growing(first, more, doing.out, workers=doing.workers, fresh=doing.fresh, tell=doing.tell)
    return folder, stopper


def _told(precision: float, folder: RunFolder, rounds: int) -> Stopper:
    """Round by round: what ran first says nothing of how it ends."""
    stopper = Stopper(precision, scenarios=len(folder.scenarios))
    outcomes = sorted((outcome_of(trial) for trial in folder.trials()), key=lambda each: each.trial)
    for outcome in outcomes:
        if outcome.trial <= rounds:
            stopper.tell(outcome)
    return stopper


def explore(job: Job, explorer: Explorer, budget: int, doing: Doing) -> tuple[RunFolder, Explored]:
    """Spend a budget of trials a batch at a time, each chosen in the light of all before."""
    left = budget
    waiting: dict[str, Pick] = {}

    def proposed() -> tuple[Scenario, ...]:
        nonlocal left
        picks = explorer.propose(min(_BATCH, left))
        left -= len(picks)
        named = {_named(pick): pick for pick in picks}
        waiting.update(named)
        return tuple(structs.replace(pick.scenario, name=name, task=_task(pick)) for name, pick in named.items())

    def more(folder: RunFolder) -> More | None:
        for trial in folder.trials():
            pick = waiting.pop(trial.scenario.name, None)
            if pick is not None:
                outcome = structs.replace(outcome_of(trial), scenario=pick.scenario.name, trial=pick.trial)
                explorer.tell(outcome, trial.trace)
        scenarios = proposed() if left > 0 else ()
        return More(scenarios) if scenarios else None

    first = structs.replace(job, scenarios=proposed(), trials=1)
    folder = run_growing(first, more, doing.out, workers=doing.workers, fresh=doing.fresh, tell=doing.tell)
    return folder, explorer.explored()


def _named(pick: Pick) -> str:
    """A further trial of a scenario is one of a scenario of its own: a run has as many of one as of another."""
    return pick.scenario.name if pick.trial == 1 else f"{pick.scenario.name}{_AGAIN}{pick.trial}"


def _task(pick: Pick) -> str:
    return pick.scenario.task or pick.scenario.name
