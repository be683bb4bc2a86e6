"""Tools by name → a session for one client, over MCP; kept when it ends, however it ends."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from misstep.catalog import served_named
from misstep.cli.gateway import demand_struck
from misstep.cli.notes import note
from misstep.core.errors import UsageError
from misstep.core.roles import Toolbox
from misstep.core.scenario import Fault
from misstep.reporting.sessions import session_text
from misstep.simulation.served import Session, claimed, kept
from misstep.tools.fronting import Front, materials_of
from misstep.tools.mcp.beside import Asked
from misstep.tools.mcp_server import serve_stdio, serving_http
from misstep.tools.recorded import Recording, demand_place


class Plan(Struct, frozen=True, kw_only=True):
    """What to serve, and what to keep of it."""

    tools: str
    seed: int = 0
    faults: tuple[Fault, ...] = ()
    record: Path | None = None
    out: Path | None = None
    agent: str = "an MCP client"
    again: str = ""
    """The command that starts another session like it."""


class Listening(Struct, frozen=True):
    """Where clients come in: stdio, unless there is a port."""

    port: int | None = None
    host: str = "127.0.0.1"
    token: str | None = None


def toolbox_of(plan: Plan) -> Toolbox:
    """To be made before a loop runs: servers may be asked for their lists, and a signal must end that, too."""
    named = served_named(plan.tools)
    for why in named.missing:
        note(why)
    return named.make(plan.seed)


@asynccontextmanager
async def session_of(plan: Plan, toolbox: Toolbox) -> AsyncGenerator[Session, None]:
    """The tools of a plan, wrapped for one client; when it ends, what is to be kept is written and shown."""
    secrets = toolbox.secrets if isinstance(toolbox, Front) else frozenset[str]()
    with _claimed(plan):
        recording = Recording(toolbox, plan.record, secrets=secrets) if plan.record else None
        session = Session(recording or toolbox, faults=plan.faults, seed=plan.seed, secrets=secrets)
        begun = True
        try:
            demand_struck(plan.faults, await toolbox.tools())
            yield session
        except UsageError:  # It could not be served at all: there is nothing to keep.
            begun = False
            raise
        finally:
            try:
                # Before servers are ended, which takes its time: whoever waits for us may not wait for that.
                if begun:
                    await _keep(session, plan, recording, toolbox)
            finally:
                if isinstance(toolbox, Front) and toolbox.real is not None:
                    await toolbox.real.close()


@contextmanager
def _claimed(plan: Plan) -> Generator[None, None, None]:
    """What is to be kept in the end can be, and nothing else is lost by it."""
    if plan.record is not None:
        demand_place(plan.record)
    if plan.out is not None:
        import_module("misstep.cli.showing")  # now, not in the end, when somebody waits for us to be gone
    with claimed(plan.out) if plan.out is not None else nullcontext():
        yield


async def _keep(session: Session, plan: Plan, recording: Recording | None, toolbox: Toolbox) -> None:
    if recording is not None:
        note(
            f"Recorded to {plan.record}." if recording.keep() else f"Nothing was called: {plan.record} stays as it is."
        )
    if plan.out is not None:
        await _show(session, plan, plan.out, toolbox)


async def _show(session: Session, plan: Plan, out: Path, toolbox: Toolbox) -> None:
    from misstep.cli.showing import written  # noqa: PLC0415

    trial = await session.trial(agent=plan.agent, tools=plan.tools)
    page = written(kept(trial, out, again=plan.again))[1]
    beside = toolbox.asked if isinstance(toolbox, Front) else Asked()
    # On stdio, stdout is the client's: what is for people goes to stderr.
    Console(stderr=True).print(session_text(trial, report=str(page), beside=beside))


async def serve(plan: Plan, toolbox: Toolbox, listening: Listening) -> None:
    """Until the client leaves, or, on HTTP, until somebody stops it."""
    async with session_of(plan, toolbox) as session:
        materials = await materials_of(toolbox)
        if listening.port is None:
            await serve_stdio(session.toolbox, materials=materials)
            return
        async with serving_http(
            session.toolbox,
            host=listening.host,
            port=listening.port,
            token=listening.token,
            materials=materials,
        ) as url:
            note(f"Serving {plan.tools} at {url}; stop with Ctrl-C.")
            await asyncio.Event().wait()
