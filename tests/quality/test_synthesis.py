"""Synthesized scenarios: is each solved by its own plan and by nothing near it, and are they as varied as promised?"""

import asyncio

import pytest
from worlds_made import MANY_SCENARIOS, synthesis_in

from misstep.catalog import agent_named
from misstep.simulation.trial import run_trial
from misstep.synthesis.tasks.checking import met
from misstep.worlds import world_named


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_every_scenario_is_solved_by_its_own_plan_and_by_no_near_miss(world: str) -> None:
    make, made = world_named(world).make, synthesis_in(world)

    async def check() -> int:
        controls = 0
        for scenario in made.scenarios:
            plan = made.plans[scenario.name]
            assert await met(make, scenario, plan.steps, plan.tells) == (), scenario.name
            for control in plan.controls:
                assert await met(make, scenario, control.steps, control.tells), (scenario.name, control.name)
                controls += 1
        return controls

    assert len(made.scenarios) == MANY_SCENARIOS
    assert asyncio.run(check()) >= 2 * MANY_SCENARIOS


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_no_two_people_put_it_alike(world: str) -> None:
    figures = synthesis_in(world).figures
    assert figures.skeletons >= 0.95 * MANY_SCENARIOS
    assert figures.likeness.median < 0.4


def test_the_whole_shop_is_reached_by_plans_of_many_lengths() -> None:
    figures = synthesis_in("shop").figures
    assert set(figures.unreached.values()) <= {
        "No task with it is among these.",
        "Only refusals of it are among these.",
    }
    assert len(figures.reached) >= 18
    assert len(figures.plan_lengths) >= 6
    assert figures.pairs >= 0.6 * figures.pairs_possible


@pytest.mark.parametrize("agent", ["zoo:does-nothing", "zoo:claims-success"])
def test_who_does_nothing_solves_nothing(agent: str) -> None:
    made, make, scenarios = agent_named(agent), world_named("shop").make, synthesis_in("shop").scenarios

    async def passed() -> list[str]:
        names: list[str] = []
        for scenario in scenarios:
            trial = await run_trial(scenario, 1, seed=0, make_agent=made.make, make_toolbox=make)
            names += [scenario.name] if trial.verdict.outcome == "pass" else []
        return names

    assert asyncio.run(passed()) == []


def test_the_embedded_agent_seldom_meets_a_user_who_does_not_understand() -> None:
    made, make, scenarios = agent_named("zoo:sound"), world_named("shop").make, synthesis_in("shop").scenarios

    async def invalid() -> list[str]:
        names: list[str] = []
        for scenario in scenarios:
            trial = await run_trial(scenario, 1, seed=0, make_agent=made.make, make_toolbox=make)
            names += [scenario.name] if trial.verdict.outcome == "invalid" else []
        return names

    assert len(asyncio.run(invalid())) <= 0.05 * MANY_SCENARIOS
