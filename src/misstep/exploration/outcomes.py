"""A run folder → an Outcome for each of its trials, one after another, so that a run may be as long as it likes."""

from collections.abc import Iterator
from pathlib import Path

from misstep.exploration.outcome import Outcome
from misstep.store.run_folder import RunFolder, open_run
from misstep.store.trial import Trial


def outcomes_of(run: RunFolder | Path) -> Iterator[Outcome]:
    """Also those of a run that is not finished: what is there."""
    folder = run if isinstance(run, RunFolder) else open_run(run)
    return map(outcome_of, folder.trials())


def outcome_of(trial: Trial) -> Outcome:
    """An invalid trial shows no modes: what was found in it may be our own doing. Nor does a disputed one."""
    outcome = trial.verdict.outcome
    found = (
        ()
        if outcome in ("invalid", "disputed")
        else sorted({finding.mode for finding in trial.findings if finding.present})
    )
    objective = trial.scenario.objective
    return Outcome(
        scenario=trial.scenario.name,
        task=trial.scenario.task,
        trial=trial.trial,
        factors=trial.scenario.factors,
        passed={"pass": True, "fail": False}.get(outcome),
        modes=tuple(found),
        steps=len(objective.calls) if objective else 0,
        calls=trial.trace.usage.calls,
        turns=trial.trace.usage.turns,
        user=trial.trace.origin.user,
    )
