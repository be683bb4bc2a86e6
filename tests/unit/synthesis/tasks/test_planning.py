"""A plan takes every value from what the person says or from what an earlier step has shown."""

import asyncio
from collections.abc import Iterator

import pytest
from worlds_made import SEED, tasks_in

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.executing import Bench, Call, bench_for
from misstep.synthesis.tasks.surveying import leaves, text
from misstep.worlds import world_named

WORLDS = ("shop", "desk", "shop-renamed")


def tasks(world: str) -> tuple[Task, ...]:
    return tasks_in(world).tasks


def answers(bench: Bench, task: Task) -> list[JSON]:
    async def played() -> list[JSON]:
        done = await bench.play(*(Call(step.tool, step.arguments) for step in task.steps))
        return [answer.content for answer in done.answers]

    return asyncio.run(played())


def bench(world: str) -> Bench:
    return asyncio.run(bench_for(world_named(world).make, seed=SEED))


def values(content: JSON) -> Iterator[Scalar]:
    return (value for _, value in leaves(content))


@pytest.mark.parametrize("world", WORLDS)
def test_every_argument_was_said_or_shown_before(world: str) -> None:
    box = bench(world)
    for task in tasks(world):
        known = {text(item.value) for item in task.items}
        for step, shown in zip(task.steps, answers(box, task), strict=True):
            assert {text(value) for value in values(step.arguments)} <= known, task.id
            known |= {text(value) for value in values(shown)}


@pytest.mark.parametrize("world", WORLDS)
def test_what_tells_records_apart_can_be_seen(world: str) -> None:
    box = bench(world)
    marked = [task for task in tasks(world) if task.marks]
    assert marked
    for task in marked:
        shown = {text(value) for content in answers(box, task) for value in values(content)}
        assert {text(item.value) for item in task.items if item.role == "mark"} <= shown, task.id


@pytest.mark.parametrize("world", WORLDS)
def test_a_step_comes_after_those_that_it_needs(world: str) -> None:
    for task in tasks(world):
        for at, step in enumerate(task.steps):
            assert all(place < at for place in step.after), task.id
        assert all(set(call.after) <= {other.name for other in task.calls} for call in task.calls)
        assert len({call.name for call in task.calls}) == len(task.calls)


@pytest.mark.parametrize("world", WORLDS)
def test_names_of_items_are_unique_and_fill_the_arguments_that_they_name(world: str) -> None:
    for task in tasks(world):
        assert len({item.name for item in task.items}) == len(task.items), task.id
        act = next((step for step in task.steps if step.role == "act"), None)
        for item in task.items:
            if item.argument and act is not None:
                assert act.arguments[item.argument] == item.value, task.id


@pytest.mark.parametrize("world", WORLDS)
def test_a_stranger_is_looked_up_and_not_found(world: str) -> None:
    box = bench(world)
    strangers = 0
    for task in tasks(world):
        for name, stranger in task.strangers.items():
            own = next(item.value for item in task.items if item.name == name)
            assert text(stranger) != text(own)
            strangers += 1
            step = next(step for step in task.steps if own in step.arguments.values())
            arguments = {key: stranger if value == own else value for key, value in step.arguments.items()}
            played = asyncio.run(box.play(Call(step.tool, arguments)))
            found = {text(value) for value in values(played.last.content)}
            assert played.last.is_error or not found - {text(stranger)}, (task.id, name)
    assert strangers > 10


@pytest.mark.parametrize("world", WORLDS)
def test_a_premise_is_true_of_the_record_and_false_otherwise(world: str) -> None:
    box = bench(world)
    for task in tasks(world):
        shown = {text(value) for content in answers(box, task) for value in values(content)}
        for premise in task.premises:
            assert text(premise.true) in shown
            assert text(premise.true) != text(premise.false)
