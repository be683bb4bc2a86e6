"""A run's manifest → the command line that runs it, or one trial of it, again; or that starts such a session."""

import shlex

from misstep.store.manifest import Manifest

_USUAL_TIMEOUT_S = 30.0


def command(manifest: Manifest, scenario: str | None = None, trial: int | None = None) -> str:
    """All of a run, or one scenario of it, or one trial of that; quoted for a shell."""
    if manifest.again is not None and (scenario is None or not manifest.grows):
        return manifest.again
    words = ["misstep", "run", "--agent", manifest.agent, "--tools", manifest.tools]
    if manifest.scenarios_at is not None:
        words += ["--scenarios", manifest.scenarios_at]
    only = scenario if scenario is not None else manifest.only
    if only is not None:
        words += ["--only", only]
    if trial is None and manifest.first != 1:
        trial = manifest.first
    words += ["--trials", str(manifest.trials)] if trial is None else ["--trial", str(trial)]
    words += ["--seed", str(manifest.seed)]
    if manifest.user is not None:
        words += ["--user", manifest.user]
    # An agent that hung must have as long again.
    if manifest.timeout_s != _USUAL_TIMEOUT_S:
        words += ["--timeout", f"{manifest.timeout_s:g}"]
    return shlex.join(words)


def dispute_command(folder: str, scenario: str, trial: int) -> str:
    """Sets the verdict of a trial aside; why is for a person to fill in."""
    return f'{shlex.join(["misstep", "dispute", folder, f"{scenario}#{trial}"])} --because "…"'
