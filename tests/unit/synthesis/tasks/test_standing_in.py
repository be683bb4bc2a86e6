"""What leads from one record of a call to another says nothing where any other would do as well."""

import asyncio
from collections.abc import Callable
from functools import cache

from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held

MEMBERS = {"M-41": "Ann Lee", "M-52": "Ben Oak", "M-63": "Cat Fig", "M-74": "Dov Hall", "M-85": "Eva Lund"}
LOCKERS = {f"L-{700 + 13 * at}": member for at, member in enumerate(MEMBERS, 1)}


def club(*, own_only: bool) -> list[Callable[..., object]]:
    members = {key: {"member_id": key, "name": name} for key, name in MEMBERS.items()}
    lockers = {key: {"locker_id": key, "beside": near, "given_to": ""} for key, near in LOCKERS.items()}

    def find_member(name: str) -> dict[str, str]:
        """Find a member by name."""
        return next(each for each in members.values() if each["name"] == name)

    def lockers_beside(member_id: str) -> list[dict[str, str]]:
        """Show the lockers beside a member's."""
        return [each for each in lockers.values() if each["beside"] == member_id]

    def give_locker(member_id: str, locker_id: str) -> str:
        """Give a locker to a member."""
        if own_only and lockers[locker_id]["beside"] != members[member_id]["member_id"]:
            raise ValueError("This locker is not beside the member's")
        lockers[locker_id]["given_to"] = members[member_id]["member_id"]
        return "done"

    return [find_member, lockers_beside, give_locker]


@cache
def given(*, own_only: bool) -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(lambda: club(own_only=own_only)))).make
    assert make is not None
    made = [asyncio.run(tasks_of(lambda seed: make(), seed=seed, count=30)).tasks for seed in (1, 2, 3)]
    return tuple(task for tasks in made for task in tasks if task.kind == "act" and task.tool == "give_locker")


def says_the_locker(task: Task) -> bool:
    return any(str(item.value) in LOCKERS for item in task.items)


def is_beside_its_member(task: Task) -> bool:
    arguments = task.steps[-1].arguments
    return LOCKERS[str(arguments["locker_id"])] == arguments["member_id"]


def test_where_any_locker_would_do_the_one_beside_the_member_is_said() -> None:
    beside = list(filter(is_beside_its_member, given(own_only=False)))
    assert beside
    assert all(map(says_the_locker, beside))


def test_where_only_the_one_beside_the_member_will_do_it_may_be_looked_up() -> None:
    assert all(map(is_beside_its_member, given(own_only=True)))
    assert not all(map(says_the_locker, given(own_only=True)))
