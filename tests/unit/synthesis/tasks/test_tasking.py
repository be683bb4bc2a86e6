"""From nothing but tools come tasks that reach them all, the same ones each time."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

import pytest
from worlds_made import MANY_TASKS, SEED, tasks_in

from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.worlds import world_named


@pytest.mark.parametrize("world", ["shop", "shop-renamed"])
def test_every_tool_of_the_shop_is_reached(world: str) -> None:
    assert tasks_in(world).unreached == {}
    assert len(tasks_in(world).tasks) == MANY_TASKS


@pytest.mark.parametrize("world", ["desk", "desk-renamed"])
def test_of_the_desk_only_the_shell_is_not_reached(world: str) -> None:
    [(_, why)] = tasks_in(world).unreached.items()
    assert why == "Its calls work, but change nothing that can be seen."


def test_tasks_are_spread_over_tools_and_kinds() -> None:
    tasks = tasks_in("shop").tasks
    assert max(Counter(task.tool for task in tasks).values()) <= 12
    assert set(Counter(task.kind for task in tasks)) == {"act", "question", "refusal"}
    assert max(len(task.steps) for task in tasks) >= 5
    assert len({task.id for task in tasks}) == len(tasks)


def test_the_same_seed_gives_the_same_tasks_and_another_seed_others() -> None:
    make, first = world_named("shop").make, tasks_in("shop").tasks
    again, other = (asyncio.run(tasks_of(make, seed=seed, count=MANY_TASKS)).tasks for seed in (SEED, SEED + 1))
    assert first == again
    assert first != other


def test_what_a_rule_wants_done_afterwards_is_in_the_plan() -> None:
    refunds = [task for task in tasks_in("shop").tasks if task.tool == "refund_order" and task.kind == "act"]
    assert refunds
    for task in refunds:
        assert [step.role for step in task.steps[-2:]] == ["act", "due"]
        assert task.steps[-1].tool == "send_receipt"
        assert task.calls[-1].after == ("refund_order",)


def test_a_created_record_is_expected_under_any_key_and_without_its_own_number() -> None:
    notes = [task for task in tasks_in("shop").tasks if task.tool == "add_note" and task.kind == "act"]
    for task in notes:
        [change] = task.changes
        assert change.key is None
        assert set(change.fields) == {"customer_id", "text", "written_on"}


def test_where_something_can_do_anything_the_end_alone_counts() -> None:
    assert all(call.optional for task in tasks_in("desk").tasks for call in task.calls)


def test_a_question_changes_nothing_and_its_answer_is_not_in_it() -> None:
    for task in tasks_in("desk").tasks:
        if task.kind == "question":
            assert task.changes == ()
            assert not {str(form) for fact in task.told for form in fact.any_of} & {
                str(item.value) for item in task.items
            }


_TICKS = count(1)


class Stamped:
    """A list of names; each entry gets a token that no two toolboxes give alike."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, JSON]] = {}

    async def tools(self) -> Sequence[Tool]:
        taken: dict[str, JSON] = {"name": {"type": "string", "enum": ["Ada", "Bo", "Cy", "Di"]}}
        return [Tool("add", "", {"type": "object", "properties": taken, "required": ["name"]}, effect="writes")]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        record: dict[str, JSON] = {"name": arguments["name"], "token": f"t-{next(_TICKS)}", "colour": "blue"}
        self._names = {**self._names, f"n-{len(self._names)}": record}
        return Answer(record)

    def snapshot(self) -> State:
        return {"names": self._names}

    def restore(self, state: State) -> None:
        self._names = {key: dict(record) for key, record in state["names"].items()}


def test_what_differs_from_one_execution_to_the_next_is_not_expected() -> None:
    tasks = asyncio.run(tasks_of(lambda _: Stamped(), count=4)).tasks
    assert len(tasks) == 4
    for task in tasks:
        assert [set(change.fields) for change in task.changes] == [{"name", "colour"}]
