"""An answer that is several records is told by naming each of them, and by nothing less."""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import cast

import pytest

from misstep.core.event import Message
from misstep.objectives.facts import told
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.checking import trace_of
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held

PILOTS = {
    "ines": ("Ines Vaz", 310, ("oslo-bodo", "bodo-alta")),
    "odd": ("Odd Lier", 280, ("oslo-bodo", "alta-oslo")),
    "rhea": ("Rhea Stone", 310, ("bodo-alta", "alta-oslo")),
    "maxim": ("Maxim Petit", 450, ("alta-oslo",)),
}
TRIPS = (("T-1", "oslo", "bodo"), ("T-2", "bodo", "alta"), ("T-3", "alta", "oslo"), ("T-4", "oslo", "bodo"))


def airfield() -> list[Callable[..., object]]:
    pilots = {key: {"name": name, "fee": fee, "ways": list(ways)} for key, (name, fee, ways) in PILOTS.items()}
    trips = {trip: {"trip": trip, "start": start, "end": end, "seats": 4} for trip, start, end in TRIPS}

    def all_trips() -> list[dict[str, object]]:
        """All trips."""
        return [dict(each) for each in trips.values()]

    def who_flies(start: str, end: str) -> list[dict[str, object]]:
        """Find pilots who fly a way, by its start and end."""
        return [
            {"pilot_id": key, "name": each["name"], "fee": each["fee"]}
            for key, each in pilots.items()
            if f"{start}-{end}" in cast("list[str]", each["ways"])
        ]

    def crews(start: str, end: str) -> dict[str, object]:
        """Find crews for a way, by its start and end."""
        return {"season": "summer", "crews": who_flies(start, end)}

    def set_seats(trip: str, seats: int) -> str:
        """Set the seats of a trip."""
        trips[trip]["seats"] = seats
        return "done"

    return [all_trips, who_flies, crews, set_seats]


@cache
def questions(tool: str) -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(airfield))).make
    assert make is not None
    made = [asyncio.run(tasks_of(lambda seed: make(), seed=seed, count=30)).tasks for seed in (1, 2)]
    return tuple(task for tasks in made for task in tasks if task.kind == "question" and task.tool == tool)


def meets(task: Task, said: str) -> bool:
    trace = trace_of((), [Message(actor="agent", role="agent", text=said)], (), (), None)
    return all(told(trace, fact) for fact in task.told)


def asked_of(task: Task) -> list[tuple[str, str, int]]:
    arguments = task.steps[-1].arguments
    way = f"{arguments['start']}-{arguments['end']}"
    return [(key, name, fee) for key, (name, fee, ways) in PILOTS.items() if way in ways]


TOOLS = ("who_flies", "crews")


def of_persons(tool: str) -> list[Task]:
    """Questions for those who fly, and not for their fees or the season."""
    return [task for task in questions(tool) if any(name in str(task.told) for name, _, _ in PILOTS.values())]


@pytest.mark.parametrize("tool", TOOLS)
def test_one_of_several_is_not_enough(tool: str) -> None:
    assert of_persons(tool)
    for task in of_persons(tool):
        for key, name, fee in asked_of(task):
            assert not meets(task, f"There is {name}."), task.told
            assert not meets(task, f"There is {key}, for {fee}."), task.told


@pytest.mark.parametrize("tool", TOOLS)
def test_the_names_of_all_are_enough(tool: str) -> None:
    for task in of_persons(tool):
        assert meets(task, f"There are {' and '.join(name for _, name, _ in asked_of(task))}."), task.told


def test_what_several_have_in_common_or_what_each_costs_names_none_of_them() -> None:
    for task in of_persons("who_flies"):
        assert not meets(task, " and ".join(str(fee) for _, _, fee in asked_of(task))), task.told


@pytest.mark.parametrize("tool", TOOLS)
def test_among_the_near_misses_one_is_told_alone(tool: str) -> None:
    for task in of_persons(tool):
        assert any(control.name == "one-of-several" for control in task.controls)
