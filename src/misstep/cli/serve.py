"""misstep serve: tools → an MCP server that any agent can be pointed at."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE, UNDECIDED, USAGE

if TYPE_CHECKING:
    from misstep.core.scenario import Fault


_Tools = Annotated[
    str | None,
    typer.Option(
        metavar="T", help="An mcpServers file, world:NAME, or module:name.", show_default="that of misstep.toml"
    ),
]
_Routing = Annotated[bool, typer.Option("--routing", help="Show who would answer each tool, and why; serve nothing.")]
_Accept = Annotated[
    bool, typer.Option("--accept", help="With --routing: write to the settings what is not decided there.")
]
_Http = Annotated[int | None, typer.Option(metavar="PORT", help="Serve HTTP there; stdio otherwise.")]
_Host = Annotated[
    str | None,
    typer.Option(help="With --http: where to listen; beyond loopback a token is demanded.", show_default="127.0.0.1"),
]
_Token = Annotated[str | None, typer.Option(envvar="MISSTEP_TOKEN", help="What clients must send.")]
_Scenario = Annotated[Path | None, typer.Option(metavar="FILE", help="A scenario whose faults strike the calls.")]
_Record = Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the answers there, without secrets.")]
_Check = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Compare a recording with the tools as they are now.")
]
_Seed = Annotated[int, typer.Option(metavar="S", help="What simulated state is made from.")]
_Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Write the session there when it ends.")]


def serve(
    tools: _Tools = None,
    routing: _Routing = False,
    accept: _Accept = False,
    http: _Http = None,
    host: _Host = None,
    token: _Token = None,
    scenario: _Scenario = None,
    record: _Record = None,
    check_recording: _Check = None,
    seed: _Seed = 0,
    out: _Out = None,
) -> int:
    """Serve tools over MCP: each call goes to the real tool, a simulated one or a recording.

    Everything is simulated until you have accepted a routing.
    """
    import asyncio

    from misstep.cli import gateway, sessions
    from misstep.cli.notes import note
    from misstep.cli.routes import show_routing
    from misstep.cli.stopping import until_stopped
    from misstep.core.errors import UsageError

    tools = gateway.tools_or_settings(tools)
    if tools is None:
        note('misstep: `serve` needs to know what to serve: give --tools T, or write tools = "T" in misstep.toml.')
        return USAGE
    if accept and not routing:
        raise UsageError("--accept writes what --routing shows: give both, `misstep serve --routing --accept`.")
    if routing:
        show_routing(tools, accept=accept)
        return DONE
    if host is not None and http is None:
        raise UsageError("--host says where HTTP is served: give --http PORT as well, or leave it out for stdio.")
    if check_recording is not None:
        return UNDECIDED if gateway.show_drift(tools, check_recording) else DONE
    faults: tuple[Fault, ...] = gateway.faults_of(scenario)
    options = {"tools": tools, "http": http, "scenario": scenario, "seed": seed, "out": out}
    plan = sessions.Plan(
        tools=tools, seed=seed, faults=faults, record=record, out=out, again=gateway.again("serve", options)
    )

    def work() -> int:
        toolbox = sessions.toolbox_of(plan)
        asyncio.run(sessions.serve(plan, toolbox, sessions.Listening(http, host or "127.0.0.1", token)))
        return DONE

    return until_stopped(work)
