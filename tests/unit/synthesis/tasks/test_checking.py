"""A scenario is checked by executing its plan on a fresh toolbox and judging what happened."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from msgspec import structs
from worlds_made import tasks_in

from misstep.core.errors import InvalidTrialError
from misstep.core.objective import ExpectedCall, ExpectedQuestion, Objective
from misstep.core.scenario import Given, Person, Scenario
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.task import Step, Task
from misstep.synthesis.tasks.checking import met, objective_of
from misstep.worlds import world_named

MAKE = world_named("shop").make


def act(tool: str) -> Task:
    return next(task for task in tasks_in("shop").tasks if task.tool == tool and task.kind == "act")


def scenario(task: Task, **changed: object) -> Scenario:
    objective = structs.replace(objective_of(task), **changed)
    return Scenario(name="one", seed=task.seed, user=Person(opening="Hello there."), objective=objective)


def test_a_right_plan_leaves_nothing_unmet_and_half_of_it_does() -> None:
    task = act("cancel_order")
    assert asyncio.run(met(MAKE, scenario(task), task.steps)) == ()
    unmet = asyncio.run(met(MAKE, scenario(task), task.steps[:-2]))
    assert {each.check for each in unmet} == {"calls", "state"}


def test_a_yes_and_a_question_that_the_objective_wants_are_put_in() -> None:
    task = act("close_account")
    calls = tuple(structs.replace(call, confirmed=call.tool == "close_account") for call in task.calls)
    asked = (ExpectedQuestion(("postcode",), ("close_account",)),)
    assert asyncio.run(met(MAKE, scenario(task, calls=calls, questions=asked), task.steps)) == ()


def test_what_must_be_told_is_told_or_missing() -> None:
    task = next(task for task in tasks_in("shop").tasks if task.kind == "question")
    told = [fact.any_of[0] for fact in task.told]
    assert asyncio.run(met(MAKE, scenario(task), task.steps, told)) == ()
    [unmet] = asyncio.run(met(MAKE, scenario(task), task.steps))
    assert unmet.check == "facts"


def test_a_scene_is_set_before_the_plan_is_executed() -> None:
    make = world_named("desk").make
    given = (Given("add_task", {"text": "Water the ferns"}),)
    wanted = Objective(calls=(ExpectedCall(tool="complete_task", arguments={"task_id": "T-421"}),))
    plan = [Step(tool="complete_task", arguments={"task_id": "T-421"}, role="act")]
    assert asyncio.run(met(make, Scenario(name="one", given=given, objective=wanted), plan)) == ()
    assert asyncio.run(met(make, Scenario(name="one", objective=wanted), plan))


def test_a_scenario_without_an_objective_cannot_be_checked() -> None:
    with pytest.raises(InvalidTrialError, match="has no objective"):
        asyncio.run(met(MAKE, Scenario(name="one"), ()))


class Poster:
    """Has no state, and must never be written to."""

    async def tools(self) -> Sequence[Tool]:
        return [Tool("post", "", {"type": "object", "properties": {"text": {"type": "string"}}}, effect="writes")]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        raise AssertionError(f"{tool} was called with {arguments}")


def test_a_toolbox_without_a_state_is_not_written_to() -> None:
    wanted = Objective(calls=(ExpectedCall(tool="post", arguments={"text": "hello"}),))
    plan = [Step(tool="post", arguments={"text": "hello"}, role="act")]
    assert asyncio.run(met(lambda _: Poster(), Scenario(name="one", objective=wanted), plan)) == ()
