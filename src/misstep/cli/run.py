"""misstep run: options and settings → a job; the run's table, its report and the exit code."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from misstep.cli.exits import DONE, FAILED, INTERRUPTED, UNDECIDED, USAGE
from misstep.core.player import Player

if TYPE_CHECKING:
    from misstep.catalog import NamedTools
    from misstep.core.scenario import Scenario
    from misstep.reporting.summary import Summary

T = TypeVar("T")

_TRIALS, _SEED, _TIMEOUT_S = 1, 0, 30.0
_MOST_ROUNDS = 100
_SYNTHESIZED = 40
"""Scenarios that are made where there are none."""


_Agent = Annotated[str | None, typer.Option(metavar="A", help="The agent: module:factory, cmd:…, http://…, zoo:NAME.")]
_Tools = Annotated[
    str | None, typer.Option(metavar="T", help="Its tools: module:name, an mcpServers file, world:NAME.")
]
_Scenarios = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="A scenario file, or a folder of them.", show_default="those of the tools"),
]
_Only = Annotated[str | None, typer.Option(metavar="GLOB", help="Only scenarios with such a name.")]
_Trial = Annotated[int | None, typer.Option(metavar="K", min=1, help="Only trial number K of each.")]
_Trials = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Trials of each scenario.", show_default=str(_TRIALS))
]
_Seed = Annotated[int | None, typer.Option(metavar="S", help="Same seed, same bytes.", show_default=str(_SEED))]
_Workers = Annotated[int | None, typer.Option(metavar="N", min=1, help="Processes.", show_default="one a core")]
_Out = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The run's folder.", show_default="one of its own in runs/")
]
_Timeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Time for a reply.", show_default=f"{_TIMEOUT_S:g}")
]
_User = Annotated[
    Player | None,
    typer.Option(
        metavar="WHO", help="Who plays the users: plain, or modelled.", show_default="the model, if one is named"
    ),
]
_Fresh = Annotated[bool, typer.Option("--fresh", help="Start over where the folder holds a run already.")]
_Precision = Annotated[
    float | None,
    typer.Option(metavar="P", help="Trial after trial until success is known within ±P; --trials is the limit."),
]
_Explore = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Spend N trials where failures are likely, on scenarios made for it."),
]
_Compare = Annotated[
    tuple[str, str] | None, typer.Option(metavar="A B", help="Two agents on the same scenarios: what only one breaks.")
]


def run(
    agent: _Agent = None,
    tools: _Tools = None,
    scenarios: _Scenarios = None,
    only: _Only = None,
    trial: _Trial = None,
    trials: _Trials = None,
    seed: _Seed = None,
    workers: _Workers = None,
    out: _Out = None,
    timeout: _Timeout = None,
    user: _User = None,
    fresh: _Fresh = False,
    precision: _Precision = None,
    explore: _Explore = None,
    compare: _Compare = None,
) -> int:
    """Take an agent through scenarios, and show what broke.

    The same command again goes on where a killed run was. Every option can stand in misstep.toml, or in pyproject.toml
    under [tool.misstep].
    """
    from misstep.catalog import agent_named, settings_in, toolbox_named
    from misstep.cli.guided import Where, run_as_asked, run_comparing
    from misstep.cli.notes import note
    from misstep.simulation.preflight import try_names
    from misstep.simulation.running import Job

    settings = settings_in(Path.cwd())
    _demand_one(precision=precision, explore=explore, compare=compare)
    agent, tools = (compare[0] if compare else agent or settings.agent), tools or settings.tools
    if agent is None or tools is None:
        return _explain(agent, tools)
    timeout_s = _given(timeout, settings.timeout, _TIMEOUT_S)
    try_names((agent, agent_named), (tools, toolbox_named), timeout_s=timeout_s)
    for each in compare or (agent,):  # first, so that a typo is not drowned in what is said of the scenarios
        agent_named(each)
    named = toolbox_named(tools)
    for why in named.missing:
        note(why)
    at = scenarios or (Path(settings.scenarios) if settings.scenarios else None)
    job = Job(
        agent=agent,
        tools=tools,
        scenarios=_chosen(_scenarios(named, at, _given(seed, settings.seed, _SEED)), only),
        trials=_given(trials, settings.trials, _MOST_ROUNDS if precision is not None else _TRIALS),
        trial=trial,
        seed=_given(seed, settings.seed, _SEED),
        timeout_s=timeout_s,
        user=user or settings.user,
        user_model=_demand_users_model(user),
        scenarios_at=str(at) if at else None,
        only=only,
        again=_again() if precision is not None or explore is not None else None,
    )
    where = Where(out or (Path(settings.out) if settings.out else None), workers or settings.workers, fresh)
    if compare is not None:
        return run_comparing(job, compare, where)
    summary = run_as_asked(job, named, where, precision=precision, explore=explore)
    return INTERRUPTED if summary is None else _code(summary)


def _demand_users_model(user: Player | None) -> str | None:
    """The name of the model that plays the users, if one does: it has to be there before the first trial."""
    from misstep.catalog import users_model_in
    from misstep.cli.notes import note
    from misstep.core.errors import MisstepError
    from misstep.core.waiting import awaited
    from misstep.llm import ModelError, demand_answer

    model = users_model_in(Path.cwd(), user)
    if model is None:
        return None
    note(f"{model.name} plays the users; --user plain does without it.")
    try:
        awaited(demand_answer(model))
    except ModelError as error:
        raise MisstepError(
            f"The model that is to play the users does not answer. {error} Or take --user plain."
        ) from None
    return model.name


def _again() -> str:
    """A run that grows as it goes is told by its command alone."""
    import shlex
    import sys

    return shlex.join(["misstep", *sys.argv[1:]])


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


def _scenarios(tools: "NamedTools", at: Path | None, seed: int) -> "tuple[Scenario, ...]":
    from misstep.catalog import scenarios_at
    from misstep.cli.notes import note
    from misstep.cli.synthesize import made_for
    from misstep.core.errors import UsageError
    from misstep.synthesis.making import Wish

    if at is not None:
        return scenarios_at(at)
    if tools.scenarios is not None:
        return tools.scenarios()
    made = made_for(tools, Wish(), count=_SYNTHESIZED, seed=seed).scenarios
    if not made:
        raise UsageError(
            f"No scenarios are given, and none could be made from the tools of {tools.spec}. "
            "docs/scenarios.md shows how to write some; then add --scenarios FOLDER."
        )
    note(
        f"No scenarios are given, so {len(made)} were synthesized from the tools of {tools.spec}. "
        "`misstep synthesize` writes such ones to files, to be kept and changed."
    )
    return made


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
    """Only the agent's failures fail; what says nothing of it is neither. With too much set aside, nothing is said."""
    if not summary.decided:
        return UNDECIDED
    if summary.failed:
        return FAILED
    return UNDECIDED if summary.undecided or not summary.passed else DONE
