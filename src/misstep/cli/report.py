"""misstep report: a run folder → its table again, and its page."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer

from misstep.cli.exits import DONE


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run, also of one that is not finished.")],
) -> int:
    """Show a run again, and write its report.html and summary.json anew."""
    from misstep.cli.showing import show
    from misstep.store.run_folder import open_run

    show(open_run(folder))
    return DONE
