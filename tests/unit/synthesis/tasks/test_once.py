"""What may be done once is asked for a second time, and the right thing is to say that it has been done."""

import asyncio

import pytest
from worlds_made import tasks_in

from misstep.worlds import world_named


@pytest.mark.parametrize(
    ("world", "tools"), [("shop", {"refund_order", "exchange_item"}), ("desk", {"rotate_secret", "invite_contact"})]
)
def test_rules_that_allow_something_once_are_found_by_doing_it_twice(world: str, tools: set[str]) -> None:
    kind = world_named(world)
    tasks = [task for task in tasks_in(world).tasks if "-again" in task.id]
    assert {task.tool for task in tasks} >= tools
    for task in tasks:
        scene = kind.make(task.seed)
        for each in task.given:
            assert not asyncio.run(scene.call(each.tool, each.arguments)).is_error
        done = task.given[-1]
        assert done.tool == task.tool
        assert asyncio.run(scene.call(done.tool, done.arguments)).is_error
        assert task.kind == "refusal"
        assert task.so_already
