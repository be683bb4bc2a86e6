"""A refusal is a task where a rule stands in the way, and what must be told is the value that does."""

import asyncio
from random import Random

import pytest
from worlds_made import tasks_in

from misstep.synthesis.task import Task
from misstep.synthesis.tasks.controls import told_values, unmet
from misstep.synthesis.tasks.executing import Call, bench_for
from misstep.synthesis.tasks.knowing import learn
from misstep.synthesis.tasks.refusals import reasons
from misstep.worlds import world_named


def refusals(world: str) -> tuple[Task, ...]:
    return tuple(task for task in tasks_in(world).tasks if task.kind == "refusal")


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_some_acts_are_refused_by_a_rule(world: str) -> None:
    assert len({task.tool for task in refusals(world)}) >= 4


def test_what_is_told_is_the_state_that_stands_in_the_way() -> None:
    told = {(task.tool, fact.name) for task in refusals("shop") for fact in task.told}
    assert {("cancel_order", "status"), ("refund_order", "delivered on")} <= told
    said = {str(fact.any_of[0]) for task in refusals("shop") for fact in task.told if task.tool == "cancel_order"}
    assert said <= {"shipped", "delivered", "cancelled", "closed"}


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_the_answer_is_not_given_away_by_the_request(world: str) -> None:
    for task in refusals(world):
        assert not {form for fact in task.told for form in fact.any_of} & {item.value for item in task.items}, task.id


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_nothing_may_change_and_doing_nothing_is_no_success(world: str) -> None:
    made = refusals(world)

    async def checked() -> None:
        bench = await bench_for(world_named(world).make, seed=0)
        for task in made:
            assert task.changes == ()
            assert await unmet(bench, task, (), ()), task.id
            assert not await unmet(bench, task, task.steps, told_values(task)), task.id

    asyncio.run(checked())


def test_a_field_that_is_different_everywhere_is_no_reason() -> None:
    async def found() -> set[str]:
        known = await learn(await bench_for(world_named("shop").make, seed=0), Random(0))
        trying = known.acts["cancel_order"]
        for _ in range(60):
            await trying.attempt(at_random=True)
        return {reason.path for reason in reasons(known, trying)}

    assert asyncio.run(found()) == {"status"}


def test_the_act_is_refused_when_it_is_tried() -> None:
    made = refusals("desk")

    async def checked() -> None:
        known = await learn(await bench_for(world_named("desk").make, seed=0), Random(0))
        for task in made:
            arguments = {item.argument: item.value for item in task.items if item.argument}
            needed = known.bench.tools[task.tool].input_schema["required"]
            if set(arguments) >= set(needed):  # pyright: ignore
                steps = [Call(step.tool, step.arguments) for step in (*task.given, *task.steps)]
                played = await known.bench.play(*steps, Call(task.tool, dict(arguments)))
                assert played.last.is_error, task.id

    asyncio.run(checked())
