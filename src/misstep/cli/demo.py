"""misstep demo: the whole job on the embedded world and agent."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer

from misstep.cli.exits import DONE, INTERRUPTED

_TRIALS = 3


def demo(out: Annotated[Path, typer.Option(help="Where the demo's run goes.")] = Path("misstep-demo")) -> int:
    """See what Misstep does: an embedded agent with planted failures, at the support desk of an online shop."""
    from misstep.catalog import toolbox_named
    from misstep.cli.showing import run_job, show
    from misstep.simulation.running import Job

    tools = toolbox_named("world:shop")
    scenarios = tools.scenarios() if tools.scenarios else ()
    job = Job(agent="zoo:demo", tools=tools.spec, scenarios=scenarios, trials=_TRIALS)
    # Anew each time: a demo is quick, and must not show what an older version did.
    folder = run_job(job, out, fresh=True)
    if folder is None:
        return INTERRUPTED
    show(folder)
    typer.echo(
        "\nNext, the same agent without planted failures, and then your own:\n"
        "  misstep run --agent zoo:sound --tools world:shop\n"
        "  misstep run --agent your_module:factory --tools your_module:tools"
    )
    return DONE
