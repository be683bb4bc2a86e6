"""A path → what success is, by scenario or task: scenario files, or traces whose file holds the answers."""

from pathlib import Path

from misstep.catalog import scenarios_at
from misstep.core.errors import MisstepError, UsageError
from misstep.core.objective import Objective
from misstep.ingestion.tau_objectives import objectives_in


def objectives_at(path: Path) -> dict[str, Objective]:
    """A file that holds neither raises UsageError."""
    if not path.exists():
        raise UsageError(f"--objectives: there is no file or folder {path}.")
    try:
        scenarios = scenarios_at(path)
    except MisstepError:
        return _answers_in(path)
    return {each.name: each.objective for each in scenarios if each.objective is not None}


def _answers_in(path: Path) -> dict[str, Objective]:
    try:
        return dict(objectives_in(path))
    except (MisstepError, OSError):
        raise UsageError(
            f"--objectives {path} holds no scenario, and no answers either (a tau-bench file does)."
        ) from None
