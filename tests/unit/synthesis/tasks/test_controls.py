"""A task is met by its own plan and by none of its near misses."""

import asyncio

import pytest
from worlds_made import SEED, tasks_in

from misstep.synthesis.task import Step, Task
from misstep.synthesis.tasks.controls import told_values, unmet, without
from misstep.synthesis.tasks.executing import bench_for
from misstep.worlds import world_named

WORLDS = ("shop", "desk", "desk-renamed")


def tasks(world: str) -> tuple[Task, ...]:
    return tasks_in(world).tasks[:80]


@pytest.mark.parametrize("world", WORLDS)
def test_each_task_is_met_by_its_own_plan_on_a_fresh_toolbox(world: str) -> None:
    made = tasks(world)

    async def checked() -> None:
        bench = await bench_for(world_named(world).make, seed=SEED)
        for task in made:
            assert not await unmet(bench, task, task.steps, told_values(task)), task.id

    asyncio.run(checked())


@pytest.mark.parametrize("world", WORLDS)
def test_each_control_misses_and_every_task_has_one(world: str) -> None:
    made = tasks(world)

    async def checked() -> None:
        bench = await bench_for(world_named(world).make, seed=SEED)
        for task in made:
            assert task.controls, task.id
            for control in task.controls:
                assert await unmet(bench, task, control.steps, control.tells), (task.id, control.name)

    asyncio.run(checked())


def test_an_act_is_controlled_by_another_record_a_missing_step_and_one_write_too_many() -> None:
    for task in tasks("shop"):
        if task.kind == "act":
            assert {"wrong-record", "missing-step", "one-write-too-many"} <= {each.name for each in task.controls}


def test_a_question_is_controlled_by_the_same_field_of_another_record() -> None:
    asked = [task for task in tasks("shop") if task.kind == "question"]
    assert asked
    for task in asked:
        assert "another-record's" in {control.name for control in task.controls}


def test_places_move_up_when_a_step_is_taken_out() -> None:
    steps = [Step(tool=name, arguments={}, role="look-up", after=after) for name, after in _PLAN]
    assert [step.after for step in without(steps, 1)] == [(), (0,), (1,)]


_PLAN: tuple[tuple[str, tuple[int, ...]], ...] = (("a", ()), ("b", (0,)), ("c", (0, 1)), ("d", (2,)))
