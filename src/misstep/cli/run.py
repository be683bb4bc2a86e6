"""misstep run: options and settings → a job; the run's table, its report and the exit code."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from misstep.cli.exits import DONE, FAILED, INTERRUPTED, UNDECIDED, USAGE

if TYPE_CHECKING:
    from misstep.catalog import NamedTools
    from misstep.core.scenario import Scenario
    from misstep.reporting.summary import Summary

T = TypeVar("T")

_TRIALS, _SEED, _TIMEOUT_S = 1, 0, 30.0
_MOST_ROUNDS = 100


def run(
    agent: Annotated[
        str | None, typer.Option(metavar="A", help="The agent: module:factory, cmd:…, http://…, zoo:NAME.")
    ] = None,
    tools: Annotated[
        str | None, typer.Option(metavar="T", help="Its tools: module:name, an mcpServers file, world:NAME.")
    ] = None,
    scenarios: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="A scenario file, or a folder of them.", show_default="those of the tools"),
    ] = None,
    only: Annotated[str | None, typer.Option(metavar="GLOB", help="Only scenarios with such a name.")] = None,
    trial: Annotated[int | None, typer.Option(metavar="K", min=1, help="Only trial number K of each.")] = None,
    trials: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Trials of each scenario.", show_default=str(_TRIALS))
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Same seed, same bytes.", show_default=str(_SEED))
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes.", show_default="one a core")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's folder.", show_default="one of its own in runs/"),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time for a reply.", show_default=f"{_TIMEOUT_S:g}")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over where the folder holds a run already.")] = False,
    precision: Annotated[
        float | None,
        typer.Option(metavar="P", help="Trial after trial until success is known within ±P; --trials is the limit."),
    ] = None,
    explore: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Spend N trials where failures are likely, on scenarios made for it."),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Two agents on the same scenarios and seed: what one breaks."),
    ] = None,
) -> int:
    """Take an agent through scenarios, and show what broke.

    The same command again goes on where a killed run was. Every option can stand in misstep.toml, or in pyproject.toml
    under [tool.misstep].
    """
    from misstep.catalog import agent_named, settings_in, toolbox_named
    from misstep.cli.guided import Where, run_comparing, run_exploring, run_precisely
    from misstep.cli.showing import run_job, show
    from misstep.simulation.running import Job

    settings = settings_in(Path.cwd())
    _demand_one(precision=precision, explore=explore, compare=compare)
    agent, tools = (compare[0] if compare else agent or settings.agent), tools or settings.tools
    if agent is None or tools is None:
        return _explain(agent, tools)
    agent_named(agent)  # first, so that a typo is not drowned in what is said of the scenarios
    named = toolbox_named(tools)
    at = scenarios or (Path(settings.scenarios) if settings.scenarios else None)
    job = Job(
        agent=agent,
        tools=tools,
        scenarios=_chosen(_scenarios(named, at), only),
        trials=_given(trials, settings.trials, _MOST_ROUNDS if precision is not None else _TRIALS),
        trial=trial,
        seed=_given(seed, settings.seed, _SEED),
        timeout_s=_given(timeout, settings.timeout, _TIMEOUT_S),
        scenarios_at=str(at) if at else None,
        only=only,
    )
    place = out or (Path(settings.out) if settings.out else None)
    where = Where(place, workers or settings.workers, fresh)
    if compare is not None:
        return run_comparing(job, compare, where)
    if precision is not None:
        summary = run_precisely(job, precision, where)
    elif explore is not None:
        summary = run_exploring(job, named, explore, where)
    else:
        folder = run_job(job, where.out, workers=where.workers, fresh=fresh)
        summary = None if folder is None else show(folder)
    return INTERRUPTED if summary is None else _code(summary)


def _demand_one(**ways: object) -> None:
    given = [f"--{name}" for name, way in ways.items() if way is not None]
    if len(given) > 1:
        from misstep.core.errors import UsageError

        raise UsageError(f"{' and '.join(given)} are different ways to run: give one of them.")


def _explain(agent: str | None, tools: str | None) -> int:
    missing = " and ".join(
        name for name, given in (("--agent module:factory", agent), ("--tools module:name", tools)) if given is None
    )
    typer.echo(
        f"misstep: `run` needs to know what to run: give {missing}, here or in misstep.toml. "
        "To see it at work first, try `misstep demo`.",
        err=True,
    )
    return USAGE


def _given(flag: T | None, setting: T | None, default: T) -> T:
    return flag if flag is not None else setting if setting is not None else default


def _scenarios(tools: "NamedTools", at: Path | None) -> "tuple[Scenario, ...]":
    import asyncio

    from misstep.catalog import scenarios_at
    from misstep.cli.showing import note
    from misstep.synthesis.starter import starter_scenarios

    if at is not None:
        return scenarios_at(at)
    if tools.scenarios is not None:
        return tools.scenarios()
    note(
        f"No scenarios are given, so plain requests were made for the tools of {tools.spec}. "
        "docs/scenarios.md shows how to write real ones; then add --scenarios FOLDER."
    )
    return asyncio.run(starter_scenarios(tools.make(0)))


def _chosen(scenarios: "tuple[Scenario, ...]", only: str | None) -> "tuple[Scenario, ...]":
    from fnmatch import fnmatchcase

    from misstep.core.errors import UsageError, suggestion

    if only is None:
        return scenarios
    chosen = tuple(scenario for scenario in scenarios if scenario.name == only or fnmatchcase(scenario.name, only))
    if not chosen:
        known = [scenario.name for scenario in scenarios]
        raise UsageError(f"No scenario is called {only!r}, nor like it.{suggestion(only, known)}")
    return chosen


def _code(summary: "Summary") -> int:
    """Only the agent's failures fail; what says nothing of it is neither."""
    if summary.failed:
        return FAILED
    return UNDECIDED if summary.undecided or not summary.passed else DONE
