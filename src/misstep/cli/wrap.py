"""misstep wrap: a command that would use MCP servers → the same command on our gateway instead, and what it did."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer


def wrap(
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND…", help="What to start; {mcp} is the gateway's file.")
    ],
    mcp_config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The servers it would use; else what follows --mcp-config in COMMAND, or misstep.toml."
        ),
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A scenario whose faults strike the calls.")
    ] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the answers, without secrets.")] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="What simulated state is made from.")] = 0,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the session goes.")] = Path("misstep-session"),
) -> int:
    """Start an agent with its MCP servers replaced by the gateway, and show what it called.

    The file of servers is not changed. Everything is simulated until you have accepted a routing
    (misstep serve --routing). The exit code is the command's own.
    """
    from misstep.cli import gateway
    from misstep.cli.sessions import Plan
    from misstep.cli.stopping import until_stopped
    from misstep.cli.wrapping import wrapped

    def plan_for(tools: str) -> Plan:
        options = {"mcp-config": mcp_config, "scenario": scenario, "seed": seed, "out": out}
        return Plan(
            tools=tools,
            seed=seed,
            faults=gateway.faults_of(scenario),
            record=record,
            out=out,
            agent=f"cmd:{command[0]}",
            again=gateway.again("wrap", options, "--", *command),
        )

    return until_stopped(lambda: wrapped(command, mcp_config, plan_for))
