"""misstep synthesize: tools → scenarios with known right answers, as files; or what is wrong with the tools."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

import time
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE, FAILED, UNDECIDED
from misstep.core.errors import UsageError
from misstep.core.player import Player

_NEVER = "No call of it worked"

if TYPE_CHECKING:
    from misstep.catalog import NamedTools
    from misstep.core.scenario import Scalar
    from misstep.core.trace import Trace
    from misstep.llm import Model
    from misstep.synthesis.ground import MakeToolbox
    from misstep.synthesis.making import Synthesis, Wish
    from misstep.synthesis.mining import Profile


_Tools = Annotated[
    str | None,
    typer.Option(metavar="T", help="world:NAME, module:name, an mcpServers file.", show_default="that of misstep.toml"),
]
_Count = Annotated[int, typer.Option(metavar="N", min=1, help="How many scenarios.")]
_Seed = Annotated[int, typer.Option(metavar="S", help="Same seed, same scenarios.")]
_Factor = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=LEVEL,…", help="Vary only this factor, and others that are named so."),
]
_Persona = Annotated[str | None, typer.Option(metavar="NAME", help="Only people like this one.")]
_Like = Annotated[Path | None, typer.Option(metavar="PATH", help="People as they are in these traces.")]
_Strength = Annotated[int, typer.Option(metavar="T", min=1, max=3, help="Every T levels of different factors meet.")]
_Out = Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")]
_User = Annotated[
    Player | None,
    typer.Option(metavar="WHO", help="Whose words: plain, or modelled.", show_default="the model's, if one is named"),
]
_CheckTools = Annotated[bool, typer.Option("--check-tools", help="Only show what is wrong with the tools.")]


def synthesize(
    tools: _Tools = None,
    count: _Count = 100,
    seed: _Seed = 0,
    factor: _Factor = None,
    persona: _Persona = None,
    like: _Like = None,
    strength: _Strength = 2,
    out: _Out = Path("scenarios"),
    user: _User = None,
    check_tools: _CheckTools = False,
) -> int:
    """Make scenarios with known right answers from nothing but the tools.

    Each is solved by executing its own right plan, and failed by plans that nearly do. Files in the folder that were
    synthesized before make room for the new ones, unless somebody has changed them.
    """
    from rich.console import Console

    from misstep.catalog import settings_in, toolbox_named
    from misstep.cli.notes import note
    from misstep.reporting.synthesized import figures_text, shortfall
    from misstep.store.scenario_file import write_scenarios
    from misstep.synthesis.making import Wish
    from misstep.synthesis.personas import persona_named

    spec = tools or settings_in(Path.cwd()).tools
    if spec is None:
        raise UsageError("`synthesize` needs tools: give --tools module:name, here or in misstep.toml.")
    named = toolbox_named(spec)
    for why in named.missing:
        note(why)
    _demand_working(named, seed)
    if check_tools:
        return _check_tools(named, seed, out)
    _demand_room(out)
    wish = Wish(
        factors=dict(_levels(factor or ())),
        persona=persona_named(persona) if persona is not None else None,
        like=_profile(like) if like is not None else None,
        strength=strength,
        model=_rewording_model(user),
    )
    typer.echo(f"Looking at the tools of {spec} …", err=True)
    started_s = time.monotonic()
    made = made_for(named, wish, count=count, seed=seed)
    took_s = time.monotonic() - started_s
    if not made.scenarios:
        Console().print(figures_text(made.figures, seconds=took_s))
        raise UsageError(f"There is no scenario for the tools of {spec}. {shortfall(made.figures, count)}")
    write_scenarios(made.scenarios, out)
    Console().print(figures_text(made.figures, seconds=took_s))
    if short := shortfall(made.figures, count):
        typer.echo(short, err=True)
    typer.echo(f"Written to {out}. Next: misstep run --agent A --tools {spec} --scenarios {out}")
    return DONE


def _rewording_model(user: Player | None) -> "Model | None":
    from misstep.catalog import users_model_in
    from misstep.cli.notes import note
    from misstep.llm import model_named

    settings = users_model_in(Path.cwd(), user)
    if settings is None:
        return None
    note(f"{settings.name} puts openings in other words; --user plain does without it.")
    return model_named(settings, folder=Path.cwd())


def made_for(named: "NamedTools", wish: "Wish", *, count: int, seed: int) -> "Synthesis":
    """Scenarios for named tools, with the progress shown; a call of theirs that hangs is not waited for."""
    from msgspec import structs

    from misstep.catalog import settings_in
    from misstep.cli.progress import shown_stages
    from misstep.core.waiting import awaited
    from misstep.proving.proof import Proof
    from misstep.simulation.running import cores
    from misstep.synthesis.synthesizing import fulfilled

    declared = settings_in(Path.cwd()).owners
    wish = structs.replace(wish, owners=named.owners if declared is None else declared)
    tell_beyond(named)
    make = timely(named)
    with shown_stages() as teller, redirect_stdout(StringIO()):  # what tools print is no answer of ours
        proof = Proof(make_toolbox=make, seed=seed, workers=cores(), tell=teller.tell)
        wish = structs.replace(wish, prove=proof)
        return awaited(fulfilled(wish, make, count=count, seed=seed, tell=teller.tell))


def tell_beyond(named: "NamedTools") -> None:
    """Somebody who expects more of the scenarios must learn what stands in the way."""
    from misstep.cli.notes import note

    if named.beyond:
        note(
            f"Not tried out while scenarios are made: {named.beyond}. "
            "docs/tools.md, 'The data that functions hold', says what helps."
        )


def timely(named: "NamedTools") -> "MakeToolbox":
    """Our own worlds do not hang; what others wrote may."""
    from misstep.synthesis.timely import TimelyMaker

    return named.make if named.spec.startswith("world:") else TimelyMaker(named.make)


def _check_tools(named: "NamedTools", seed: int, out: Path) -> int:
    """Where the folder holds scenarios, the findings are left beside them, for the reports of runs."""
    from rich.console import Console

    from misstep.core.waiting import awaited
    from misstep.reporting.synthesized import tool_findings_text
    from misstep.synthesis.flaws import FLAWS_FILE, Flaws, flaws_json
    from misstep.synthesis.tasks.tasking import tasks_of
    from misstep.synthesis.tool_findings import tool_findings

    make = timely(named)
    found = awaited(tasks_of(make, seed=seed))
    known = [step for task in found.tasks for step in task.steps]
    idle = {tool: why for tool, why in found.unreached.items() if why.startswith(_NEVER)}
    findings = awaited(tool_findings(make, seed=seed, known=known, idle=idle, by_the_by=found.by_the_by))
    tools = awaited(_listed(make, seed))
    Console().print(tool_findings_text(findings, tools=len(tools)))
    if out.is_dir() and _are_for(out, tools):
        flaws = Flaws(tools=named.spec, checked=len(tools), seed=seed, findings=tuple(findings))
        (out / FLAWS_FILE).write_bytes(flaws_json(flaws))
        typer.echo(f"Kept in {out / FLAWS_FILE}: reports of runs on the scenarios there tell of it.", err=True)
    if not tools:
        return UNDECIDED
    return FAILED if findings else DONE


async def _listed(make: "MakeToolbox", seed: int) -> frozenset[str]:
    return frozenset(tool.name for tool in await make(seed).tools())


def _are_for(folder: Path, tools: frozenset[str]) -> bool:
    """Whether scenarios lie there that none but these tools are needed for."""
    from misstep.catalog import scenarios_at
    from misstep.core.errors import MisstepError

    try:
        objectives = [scenario.objective for scenario in scenarios_at(folder)]
    except MisstepError:  # Nothing there that could be run.
        return False
    called = [{call.tool for call in objective.calls} for objective in objectives if objective is not None]
    return any(each and each <= tools for each in called)


def _levels(given: Iterable[str]) -> "Iterator[tuple[str, list[Scalar]]]":
    for each in given:
        name, equals, levels = each.partition("=")
        if not equals or not levels:
            raise UsageError(f"--factor {each!r} names no levels: write it as --factor goals=1,3.")
        yield name.strip(), [_level(level.strip()) for level in levels.split(",")]


def _level(text: str) -> "Scalar":
    return int(text) if text.isdecimal() else text


def _profile(path: Path) -> "Profile":
    from misstep.synthesis.mining import profile_of

    traces = list(_traces(path))
    if not traces:
        raise UsageError(f"{path} holds no trace that can be read, so that nobody can be made like the people in it.")
    return profile_of(traces)


def _demand_working(named: "NamedTools", seed: int) -> None:
    """Somebody else's toolbox may break in any way: that is told in a sentence, and is no error of ours."""
    from misstep.core.errors import MisstepError
    from misstep.core.roles import Stateful
    from misstep.core.waiting import awaited

    make = timely(named)

    async def looked_at() -> None:
        toolbox = make(seed)
        await toolbox.tools()
        if isinstance(toolbox, Stateful):
            toolbox.restore(toolbox.snapshot())

    try:
        awaited(looked_at())
    except MisstepError:
        raise
    except Exception as error:
        raise UsageError(
            f"The tools of {named.spec} break when they are looked at: {type(error).__name__}: {error}."
        ) from error


def _traces(path: Path) -> "Iterator[Trace]":
    from misstep.core.trace import Trace
    from misstep.store.trace_file import trace_files, traces_in

    for file in trace_files(path):
        for each in traces_in(file):
            if isinstance(each, Trace):
                yield each
            else:
                typer.echo(f"{each.file}, line {each.line}: {each.because}", err=True)


def _demand_room(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; --out names a folder.")
