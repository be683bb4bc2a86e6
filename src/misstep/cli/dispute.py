"""misstep dispute: a trial's failure and why it is unfair → a label in disputes.toml, which sets the verdict aside."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

import datetime
import getpass
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from misstep.cli.exits import DONE


def dispute(
    folder: Annotated[Path | None, typer.Argument(metavar="RUN", help="The folder of a run.")] = None,
    trial: Annotated[str | None, typer.Argument(metavar="TRIAL", help="Which of its trials: scenario#n.")] = None,
    because: Annotated[str | None, typer.Option(metavar="TEXT", help="Why the verdict is unfair.")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who says so.", show_default="git's user.name, or your login")
    ] = None,
    withdraw: Annotated[
        str | None, typer.Option(metavar="TRIAL", help="Take back what was said of a trial, scenario#n.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show what is disputed, and what of RUN has lapsed.")] = False,
) -> int:
    """Say that a failure was unfair: it is set aside, in this run and in every other that fails there for the same.

    Disputes are kept in disputes.toml, in the folder where you are. Put it under version control.
    """
    from misstep.cli.showing import written
    from misstep.core.errors import UsageError
    from misstep.reporting.disputed import aside_text, disputes_text
    from misstep.store import disputes as kept
    from misstep.store.run_folder import open_run

    file = Path(kept.DISPUTES_FILE)
    run = open_run(folder) if folder is not None else None
    there = kept.read_disputes(file)
    if listed:
        typer.echo(disputes_text(there, kept.lapsed(there, run.scenarios) if run else ()))
        return DONE
    if withdraw is not None:
        kept.write_disputes(file, kept.without_dispute(there, withdraw))
        typer.echo(f"Withdrawn: {withdraw} counts again.")
    elif run is None or trial is None or because is None:
        raise UsageError(
            "A dispute names a run, a trial of it and why its verdict is unfair: "
            'misstep dispute RUN SCENARIO#1 --because "…". The report has the command beside each conversation.'
        )
    else:
        today = datetime.datetime.now().astimezone().date().isoformat()
        new = kept.dispute(kept.trial_named(run, trial), because=because, by=by or _whoever(), on=today)
        kept.write_disputes(file, kept.with_dispute(there, new))
        typer.echo(f"Set aside: {trial}, by {new.label.claimed_by}. It is kept in {file}, to be put under git.")
    if run is not None:
        summary, page = written(run)
        typer.echo(aside_text(summary))
        typer.echo(f"Report  {page}")
    return DONE


def _whoever() -> str:
    try:
        asked = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=False)
        return asked.stdout.strip() or getpass.getuser()
    except OSError:  # no git
        return getpass.getuser()
