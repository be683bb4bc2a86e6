"""What a tool counts is not expected: whichever of two new records comes first has the lower number."""

import asyncio
from collections.abc import Callable

import pytest

from misstep.synthesis.constraints import constrained_tasks
from misstep.synthesis.ground import ground_of
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def harbour() -> list[Callable[..., object]]:
    berths = {
        f"B-{at}": {"berth": f"B-{at}", "metres": 6 + at, "price": 10.0 + at, "taken": at == 2} for at in range(1, 7)
    }
    stays: list[dict[str, object]] = [
        {"stay": 881 + at, "berth": f"B-{at}", "boat": boat} for at, boat in enumerate(("Tern", "Wisp", "Gull"))
    ]

    def berths_in_all() -> list[dict[str, object]]:
        """List the berths."""
        return list(berths.values())

    def moor(berth: str, boat: str) -> dict[str, object]:
        """Moor a boat at a berth."""
        if berths[berth]["taken"]:
            raise ValueError(f"{berth} is taken")
        berths[berth]["taken"] = True
        stays.append({"stay": 881 + len(stays), "berth": berth, "boat": boat})
        return stays[-1]

    def winter(boat: str) -> dict[str, object]:
        """Put a boat up for the winter, ashore."""
        if any(each["boat"] == boat and each["berth"] == "ashore" for each in stays):
            raise ValueError(f"{boat} is ashore")
        stays.append({"stay": 881 + len(stays), "berth": "ashore", "boat": boat})
        return stays[-1]

    return [berths_in_all, moor, winter]


def _made() -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(harbour))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda _: make(), seed=1, count=20)).tasks


@pytest.mark.parametrize("tool", ["moor", "winter"])
def test_a_running_number_is_not_expected_though_the_same_call_does_not_work_twice(tool: str) -> None:
    acts = [task for task in _made() if task.kind == "act" and task.tool == tool]
    assert acts
    for task in acts:
        (stay,) = (change for change in task.changes if change.table == "stays")
        assert stay.fields.keys() == {"berth", "boat"}, task


def test_a_running_number_is_expected_of_none_of_several() -> None:
    make = asyncio.run(held(as_toolbox(harbour))).make
    assert make is not None
    tasks = [task for task in _made() if task.tool == "moor" and task.kind == "act"]
    ground = asyncio.run(ground_of(lambda _: make(), tasks))
    several = asyncio.run(constrained_tasks(lambda _: make(), tasks, ground))
    assert several
    assert all("stay" not in change.fields for each in several for change in each.task.changes)
