"""What a function refuses for what a record is becomes a task, however it says no; what is nobody's does not."""

import asyncio
from collections.abc import Callable

from made_once import made_once

from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def stable() -> list[Callable[..., object]]:
    horses = {
        name: {"horse": name, "breed": breed, "box": box, "lame": lame, "rides": rides}
        for name, breed, box, lame, rides in (
            ("Argo", "Arab", "W1", False, 0),
            ("Bella", "Arab", "W2", False, 3),
            ("Cosmo", "Pinto", "W1", False, 1),
            ("Dolly", "Shire", "E1", True, 0),
            ("Ember", "Pinto", "E1", False, 3),
        )
    }
    riders = [
        {"id": number, "rider": name, "paid": paid}
        for number, name, paid in ((1, "Ann Lee", True), (2, "Ben Oak", False), (3, "Cat Fig", True))
    ]

    def horse(horse: str) -> dict[str, object]:
        """All about a horse."""
        return horses[horse]

    def horses_in(box: str) -> list[dict[str, object]]:
        """The horses in a box."""
        return [each for each in horses.values() if each["box"] == box]

    def saddle(horse: str, rider: str) -> dict[str, object]:
        """Saddle a horse for a rider."""
        if horse not in horses:
            return {"error": "no such horse"}
        known = [each for each in riders if each["rider"] == rider]
        if not known:
            return {"error": "nobody of that name"}
        if not known[0]["paid"]:
            return {"error": "the fee is open"}
        if horses[horse]["rides"] == 3:  # pyright: ignore
            return {"error": "exhausted"}
        horses[horse]["rides"] += 1  # pyright: ignore
        horses[horse]["rider"] = rider
        return horses[horse]

    def shoe(horse: str, day: str) -> bool:
        """Note that a horse was shod on a day (YYYY-MM-DD). Lame horses are not shod."""
        if horse not in horses or horses[horse]["lame"]:
            return False
        horses[horse]["shod"] = day
        return True

    def move(horse: str, box: str) -> dict[str, object]:
        """Move a horse to another box."""
        if horse not in horses or box not in ("W1", "W2", "E1", "E2"):
            raise LookupError("there is no such thing")
        if horses[horse]["box"] == box:
            raise ValueError("it stands there already")
        horses[horse]["box"] = box
        return horses[horse]

    return [horse, horses_in, saddle, shoe, move]


@made_once
def made() -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(stable))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda seed: make(), seed=1, count=120)).tasks


def refusals(tool: str) -> tuple[Task, ...]:
    return tuple(task for task in made() if task.kind == "refusal" and task.tool == tool)


def test_what_is_refused_for_who_it_is_for_is_a_task_though_no_field_of_a_key_says_why() -> None:
    riders = {item.value for task in refusals("saddle") for item in task.items if item.name == "rider"}
    horses = {key for task in refusals("saddle") for table, key in task.touches if table == "horses"}
    assert "Ben Oak" in riders
    assert horses & {"Bella", "Ember"}


def test_a_no_without_a_word_is_a_refusal_too() -> None:
    assert refusals("shoe")
    for task in refusals("shoe"):
        assert ("horses", "Dolly") in task.touches
        assert [each.so for each in task.impossible] == [False]


def test_what_is_nobodys_is_no_rule() -> None:
    for tool in ("saddle", "shoe", "move"):
        for task in refusals(tool):
            assert not {item.value for item in task.items} & {"", "nobody"}, task


def test_what_is_so_already_may_be_called_so() -> None:
    assert refusals("move")
    for task in refusals("move"):
        assert [each.so for each in task.impossible] == [True]
        assert not task.forbidden
        assert any(item.argument == "box" for item in task.items), "where to is said, though a look shows it"
