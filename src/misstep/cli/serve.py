"""misstep serve: tools → an MCP server that any agent can be pointed at."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE, UNDECIDED, USAGE

if TYPE_CHECKING:
    from misstep.core.scenario import Fault


def serve(
    tools: Annotated[
        str | None,
        typer.Option(
            metavar="T", help="An mcpServers file, world:NAME, or module:name.", show_default="that of misstep.toml"
        ),
    ] = None,
    routing: Annotated[
        bool, typer.Option("--routing", help="Show who would answer each tool, and why; serve nothing.")
    ] = False,
    accept: Annotated[bool, typer.Option("--accept", help="With --routing: write it to misstep.toml.")] = False,
    http: Annotated[int | None, typer.Option(metavar="PORT", help="Serve HTTP there; stdio otherwise.")] = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback a token is demanded.")] = "127.0.0.1",
    token: Annotated[str | None, typer.Option(envvar="MISSTEP_TOKEN", help="What clients must send.")] = None,
    scenario: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A scenario whose faults strike the calls.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the answers there, without secrets.")
    ] = None,
    check_recording: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compare a recording with the tools as they are now.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="What simulated state is made from.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the session there when it ends.")] = None,
) -> int:
    """Serve tools over MCP: each call goes to the real tool, a simulated one or a recording.

    Everything is simulated until you have accepted a routing.
    """
    import asyncio

    from misstep.cli import gateway, sessions
    from misstep.cli.showing import note
    from misstep.cli.stopping import until_stopped

    tools = gateway.tools_or_settings(tools)
    if tools is None:
        note('misstep: `serve` needs to know what to serve: give --tools T, or write tools = "T" in misstep.toml.')
        return USAGE
    if routing or accept:
        return gateway.show_routing(tools, accept=accept)
    if check_recording is not None:
        return UNDECIDED if gateway.show_drift(tools, check_recording) else DONE
    faults: tuple[Fault, ...] = gateway.faults_of(scenario)
    options = {"tools": tools, "http": http, "scenario": scenario, "seed": seed, "out": out}
    plan = sessions.Plan(
        tools=tools, seed=seed, faults=faults, record=record, out=out, again=gateway.again("serve", options)
    )

    def work() -> int:
        toolbox = sessions.toolbox_of(plan)
        asyncio.run(sessions.serve(plan, toolbox, sessions.Listening(http, host, token)))
        return DONE

    return until_stopped(work)
