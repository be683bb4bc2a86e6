"""Calls of the user's own tools are on the tape, and are nobody's but the user's."""

import asyncio

import pytest
from msgspec import structs

from misstep.catalog import agent_named
from misstep.core.event import ToolCall
from misstep.core.objective import Limits
from misstep.core.scenario import Scenario
from misstep.provenance import sources
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.worlds import world_named

OWN = [
    (world, scenario)
    for world in ("shop", "shop-renamed", "desk", "desk-renamed")
    for scenario in world_named(world).scenarios()
    if scenario.name.startswith("own-")
]


def run(world: str, scenario: Scenario, trial: int = 1) -> Trial:
    make = world_named(world).make
    return asyncio.run(run_trial(scenario, trial, seed=0, make_agent=agent_named("zoo:sound").make, make_toolbox=make))


@pytest.mark.parametrize(("world", "scenario"), OWN, ids=lambda each: getattr(each, "name", each))
@pytest.mark.parametrize("trial", [1, 2])
def test_an_agent_that_asks_gets_what_the_user_looks_up(world: str, scenario: Scenario, trial: int) -> None:
    done = run(world, scenario, trial)
    assert done.verdict.outcome == "pass", done.verdict.reasons
    assert not [finding for finding in done.findings if finding.present]
    assert any(isinstance(event, ToolCall) and event.actor == "user" for event in done.trace.events)


def test_the_users_calls_count_neither_as_the_agents_nor_as_a_source() -> None:
    [scenario] = [scenario for world, scenario in OWN if world == "shop" and scenario.name == "own-mailbox-status"]
    done = run("shop", scenario)
    calls = [event for event in done.trace.events if isinstance(event, ToolCall)]
    assert [event.actor for event in calls] == ["user", "agent"]
    assert done.trace.usage.calls == 1
    [[source]] = sources(done.trace).values()
    assert source.origin == "user"


def test_the_users_calls_do_not_use_up_the_agents_limit() -> None:
    [scenario] = [scenario for world, scenario in OWN if world == "shop" and scenario.name == "own-mailbox-status"]
    assert scenario.objective is not None
    tight = structs.replace(scenario, objective=structs.replace(scenario.objective, limits=Limits(calls=1)))
    assert run("shop", tight).verdict.outcome == "pass"


def test_a_person_with_tools_at_tools_that_give_none_makes_the_trial_invalid() -> None:
    [scenario] = [scenario for world, scenario in OWN if world == "shop" and scenario.name == "own-mailbox-status"]

    class Bare:
        async def tools(self):
            return ()

        async def call(self, tool, arguments):
            raise AssertionError(tool)

    done = asyncio.run(
        run_trial(scenario, 1, seed=0, make_agent=agent_named("zoo:sound").make, make_toolbox=lambda _: Bare())
    )
    assert (done.verdict.outcome, done.verdict.blame) == ("invalid", "scenario")
