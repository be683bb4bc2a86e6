"""The planted failures are found, the sound agent is left alone, and names prove nothing."""

import asyncio
from collections import Counter

import pytest
from made_once import made_once
from planted_failure_shown import showed

from misstep.agents.zoo import PLANTED, SHOWN_AT
from misstep.catalog import agent_named, toolbox_named
from misstep.core.event import ToolCall
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.worlds import world_named

WORLDS = ("shop", "shop-renamed")
SHOWS_OFTEN = frozenset(
    """asks-around bad-arguments calls-unknown-tools claims-success crew-ignores-peer crew-loses-half
    crew-never-hands-over crew-spoofed does-more-than-asked drifts goes-rogue invents-ids invents-results
    malformed-output never-finishes oscillates puts-off-look-ups stops-early""".split()
)
"""What these plant shows in most scenarios: one in three will do here. `benchmarks/zoo_confusion.py` runs them all."""


@made_once
def trials(agent: str, world: str = "shop", every: int = 1) -> tuple[Trial, ...]:
    """One trial of every scenario of a world, or of one in so many."""
    made, tools = agent_named(f"zoo:{agent}"), toolbox_named(f"world:{world}")

    async def run_all() -> tuple[Trial, ...]:
        return tuple(
            [
                await run_trial(scenario, 1, seed=0, make_agent=made.make, make_toolbox=tools.make)
                for scenario in world_named(world).scenarios()[::every]
            ]
        )

    return asyncio.run(run_all())


def modes(agent: str, world: str = "shop", every: int = 1) -> Counter[str]:
    """In how many traces each mode was found."""
    return Counter(mode for trial in trials(agent, world, every) for mode in {each.mode for each in trial.findings})


def success(agent: str, **factors: object) -> float:
    fitting = [each for each in trials(agent) if factors.items() <= each.scenario.factors.items()]
    decided = [each.verdict.outcome for each in fitting if each.verdict.outcome in ("pass", "fail")]
    assert decided
    return decided.count("pass") / len(decided)


@pytest.mark.parametrize("agent", PLANTED)
def test_the_planted_mode_is_found_where_it_shows_and_more_often_than_any_other(agent: str):
    """One test: the runs are shared, and another test might be another process."""
    world, base = SHOWN_AT.get(agent, "shop"), "crew" if agent.startswith("crew") else "sound"
    every = 3 if agent in SHOWS_OFTEN else 1
    found = modes(agent, world, every)
    planted = found.pop(PLANTED[agent], 0)
    assert planted > max(found.values(), default=0), (planted, found)
    pairs = zip(trials(agent, world, every), trials(base, world)[::every], strict=True)
    shown = [trial for trial, sound in pairs if showed(agent, trial.trace, sound.trace)]
    missed = [each.trace.id for each in shown if PLANTED[agent] not in {one.mode for one in each.findings}]
    assert shown
    assert len(missed) <= 0.1 * len(shown), missed
    _demand_the_same_under_other_names(agent, world, every, among=trials(agent, world, every))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agent", ["sound", "crew"])
def test_nothing_is_found_in_any_run_of_a_sound_agent(agent: str, world: str):
    assert [(each.trace.id, each.findings) for each in trials(agent, world) if each.findings] == []


@pytest.mark.parametrize("world", WORLDS)
def test_nothing_is_found_in_the_easy_scenarios_of_the_sound_agent(world: str):
    easy = [each for each in trials("sound", world) if each.scenario.factors["difficulty"] == "easy"]
    assert len(easy) >= 14
    assert [(each.trace.id, each.findings) for each in easy if each.findings] == []


@pytest.mark.parametrize("world", WORLDS)
def test_a_crew_of_two_does_as_well_as_one_and_shows_no_more(world: str):
    alone = {
        each.trace.id: (each.verdict.outcome, {one.mode for one in each.findings}) for each in trials("sound", world)
    }
    crew = {
        each.trace.id: (each.verdict.outcome, {one.mode for one in each.findings}) for each in trials("crew", world)
    }
    assert crew == alone


def test_the_sound_agent_manages_what_is_easy():
    assert success("sound", difficulty="easy") >= 0.95


@pytest.mark.parametrize("agent", ["does-nothing", "claims-success"])
def test_who_does_nothing_succeeds_at_nothing(agent: str):
    assert {each.verdict.outcome for each in trials(agent)} == {"fail"}


def test_guessing_costs_forty_points_where_records_are_ambiguous():
    assert success("sound", ambiguity="several") - success("guesses", ambiguity="several") >= 0.4


def _demands_asking(trial: Trial) -> bool:
    return trial.scenario.objective is not None and bool(trial.scenario.objective.questions)


def test_mumbling_until_everything_is_told_costs_thirty_points_where_asking_is_demanded():
    passed: dict[str, list[bool]] = {
        agent: [each.verdict.outcome == "pass" for each in trials(agent) if _demands_asking(each)]
        for agent in ("sound", "mumbles")
    }
    assert sum(passed["sound"]) - sum(passed["mumbles"]) >= 0.3 * len(passed["sound"]) > 0


def test_renaming_everything_changes_no_verdict_and_no_finding():
    _demand_the_same_under_other_names("sound", "shop", 1, among=trials("sound"))


def _demand_the_same_under_other_names(agent: str, world: str, every: int, *, among: tuple[Trial, ...]) -> None:
    """One in three scenarios at most, but for the sound agent."""
    step = every if agent == "sound" else 3
    here = {each.trace.id: _told(each) for each in among[:: step // every]}
    there = {each.trace.id: _told(each) for each in trials(agent, f"{world}-renamed", step)}
    assert {name for name in here if here[name] != there[name]} == set()


def _told(trial: Trial) -> tuple[object, ...]:
    """Verdict and findings, places counted in calls: how many turns it takes to be understood is the user's English."""
    events = trial.trace.events
    calls = [sum(isinstance(each, ToolCall) for each in events[: at + 1]) for at in range(len(events))]
    found = sorted((each.mode, sorted(calls[at] for at in each.events)) for each in trial.findings)
    return trial.verdict.outcome, trial.trace.end, found


@pytest.mark.parametrize("agent", ["invents-ids", "retries-writes", "skips-confirmation", "obeys-tool-output"])
def test_the_first_event_of_a_planted_finding_is_a_call_of_the_agent(agent: str):
    for trial in trials(agent):
        for finding in trial.findings:
            if finding.mode == PLANTED[agent]:
                assert isinstance(trial.trace.events[finding.events[0]], ToolCall)


def test_the_shop_costs_the_user_simulator_next_to_nothing():
    invalid = [
        each.trace.id for agent in ("sound", "guesses") for each in trials(agent) if each.verdict.outcome == "invalid"
    ]
    assert len(invalid) <= 0.03 * 2 * len(trials("sound")), invalid
