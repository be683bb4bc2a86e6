"""misstep synthesize: tools → scenarios with known right answers, as files; or what is wrong with the tools."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE, FAILED, UNDECIDED
from misstep.core.errors import UsageError

if TYPE_CHECKING:
    from misstep.catalog import NamedTools
    from misstep.core.scenario import Scalar, Scenario
    from misstep.core.trace import Trace

_OURS = "synthesized"


def synthesize(
    tools: Annotated[
        str | None,
        typer.Option(
            metavar="T", help="world:NAME, module:name, an mcpServers file.", show_default="that of misstep.toml"
        ),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many scenarios.")] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="Same seed, same scenarios.")] = 0,
    factor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=LEVEL,…", help="Vary only this factor, and others that are named so."),
    ] = None,
    persona: Annotated[str | None, typer.Option(metavar="NAME", help="Only people like this one.")] = None,
    like: Annotated[Path | None, typer.Option(metavar="PATH", help="People as they are in these traces.")] = None,
    strength: Annotated[
        int, typer.Option(metavar="T", min=1, max=3, help="Every T levels of different factors meet.")
    ] = 2,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("scenarios"),
    check_tools: Annotated[
        bool, typer.Option("--check-tools", help="Show what is wrong with the tools; write nothing.")
    ] = False,
) -> int:
    """Make scenarios with known right answers from nothing but the tools.

    Each is solved by executing its own right plan, and failed by plans that nearly do. Files in the folder that were
    synthesized before make room for the new ones; others stay.
    """
    from rich.console import Console

    from misstep.catalog import settings_in, toolbox_named
    from misstep.cli.showing import note
    from misstep.core.waiting import awaited
    from misstep.reporting.synthesized import figures_text
    from misstep.store.scenario_file import write_scenarios
    from misstep.synthesis.mining import profile_of
    from misstep.synthesis.synthesizing import synthesize as made_from

    spec = tools or settings_in(Path.cwd()).tools
    if spec is None:
        raise UsageError("`synthesize` needs tools: give --tools module:name, here or in misstep.toml.")
    named = toolbox_named(spec)
    for why in named.missing:
        note(why)
    if check_tools:
        return _check_tools(named, seed)
    levels = dict(_levels(factor or ()))
    _demand_room(out)
    profile = profile_of(_traces(like)) if like is not None else None
    started_s = time.monotonic()
    made = awaited(
        made_from(named.make, count=count, seed=seed, factors=levels, persona=persona, like=profile, strength=strength)
    )
    took_s = time.monotonic() - started_s
    if not made.scenarios:
        Console().print(figures_text(made.figures, seconds=took_s))
        raise UsageError(f"Nothing could be made for the tools of {spec}: no plan was found that holds.")
    _make_room(out)
    write_scenarios(made.scenarios, out)
    Console().print(figures_text(made.figures, seconds=took_s))
    typer.echo(f"Written to {out}. Next: misstep run --agent A --tools {spec} --scenarios {out}")
    return DONE


def _check_tools(named: "NamedTools", seed: int) -> int:
    from rich.console import Console

    from misstep.core.waiting import awaited
    from misstep.reporting.synthesized import tool_findings_text
    from misstep.synthesis.tasks.tasking import tasks_of
    from misstep.synthesis.tool_findings import tool_findings

    found = awaited(tasks_of(named.make, seed=seed))
    known = [step for task in found.tasks for step in task.steps]
    findings = awaited(tool_findings(named.make, seed=seed, known=known))
    tools = awaited(_listed(named, seed))
    Console().print(tool_findings_text(findings, tools=tools))
    if not tools:
        return UNDECIDED
    return FAILED if findings else DONE


async def _listed(named: "NamedTools", seed: int) -> int:
    return len(await named.make(seed).tools())


def _levels(given: Iterable[str]) -> "Iterator[tuple[str, list[Scalar]]]":
    for each in given:
        name, equals, levels = each.partition("=")
        if not equals or not levels:
            raise UsageError(f"--factor {each!r} names no levels: write it as --factor goals=1,3.")
        yield name.strip(), [_level(level.strip()) for level in levels.split(",")]


def _level(text: str) -> "Scalar":
    return int(text) if text.isdecimal() else text


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


def _make_room(out: Path) -> None:
    """What was synthesized before goes; what somebody wrote stays."""
    for file in sorted(out.glob("*.toml")) if out.is_dir() else ():
        scenario = _scenario_in(file)
        if scenario is not None and scenario.origin.startswith(_OURS):
            file.unlink()


def _scenario_in(file: Path) -> "Scenario | None":
    from misstep.catalog import scenarios_at

    try:
        return scenarios_at(file)[0]
    except UsageError:
        return None
