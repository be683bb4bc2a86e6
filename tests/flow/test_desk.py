"""The embedded agent on the second world, which nothing in it was written for."""

import asyncio

import pytest
from made_once import made_once

from misstep.catalog import agent_named, toolbox_named
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.worlds import world_named


@made_once
def trials(agent: str) -> tuple[Trial, ...]:
    """One trial of every scenario of the desk."""
    made, tools = agent_named(f"zoo:{agent}"), toolbox_named("world:desk")

    async def run_all() -> tuple[Trial, ...]:
        return tuple(
            [
                await run_trial(scenario, 1, seed=0, make_agent=made.make, make_toolbox=tools.make)
                for scenario in world_named("desk").scenarios()
            ]
        )

    return asyncio.run(run_all())


def test_the_sound_agent_manages_most_of_what_is_easy_on_the_desk() -> None:
    easy = [each for each in trials("sound") if each.scenario.factors["difficulty"] == "easy"]
    assert len(easy) >= 8
    assert sum(each.verdict.outcome == "pass" for each in easy) / len(easy) >= 0.9


def test_no_trial_on_the_desk_is_invalid() -> None:
    assert [each.trace.id for each in trials("sound") if each.verdict.outcome == "invalid"] == []


@pytest.mark.parametrize("agent", ["does-nothing", "claims-success"])
def test_who_does_nothing_on_the_desk_succeeds_at_nothing(agent: str) -> None:
    assert {each.trace.id for each in trials(agent) if each.verdict.outcome == "pass"} == set()
