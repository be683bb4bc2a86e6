"""What is done to set the scene is done because something needs it, and is not what is then asked for."""

import asyncio
from collections.abc import Callable
from typing import Literal

from made_once import made_once

from misstep.core.scenario import Given
from misstep.synthesis.standing import stands
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def workshop(*, busy: bool) -> list[Callable[..., object]]:
    bikes = [{"frame": f"FR-{at}", "rider": rider} for at, rider in enumerate(("Ida", "Otto", "Una", "Vic"), 51)]
    repairs: dict[str, dict[str, object]] = {}
    if busy:
        parts = ("bell", "saddle", "brake")
        repairs |= {f"RP-{at}": {"frame": f"FR-{at}", "part": part, "done": False} for at, part in enumerate(parts, 51)}

    def list_bikes() -> list[dict[str, str]]:
        """List the bikes."""
        return bikes

    def open_repair(frame: str, part: Literal["saddle", "brake", "bell"]) -> dict[str, object]:
        """Open a repair of a bike."""
        if frame not in [bike["frame"] for bike in bikes]:
            raise ValueError("Such a bike is not known")
        repairs[f"RP-{51 + len(repairs)}"] = {"frame": frame, "part": part, "done": False}
        return {"opened": True}

    def list_repairs() -> list[dict[str, object]]:
        """List the repairs."""
        return [{"repair": key, **each} for key, each in repairs.items()]

    def show_repair(repair: str) -> dict[str, object]:
        """Show a repair."""
        return {"repair": repair, **repairs[repair]}

    def finish_repair(repair: str) -> str:
        """Finish a repair."""
        if repairs[repair]["done"]:
            raise ValueError("It has been finished already")
        repairs[repair]["done"] = True
        return "done"

    def print_label(repair: str) -> str:
        """Print the label of a repair."""
        raise RuntimeError("The printer is out of paper")

    tools = [list_bikes, open_repair, list_repairs, show_repair, finish_repair]
    return [*tools, print_label] if busy else tools


def _shop(busy: bool) -> Callable[[], list[Callable[..., object]]]:
    return lambda: workshop(busy=busy)


@made_once
def made(busy: bool) -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(_shop(busy)))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda _: make(), seed=3, count=40)).tasks


def test_nothing_is_done_beforehand_where_nothing_comes_of_it() -> None:
    assert [task for task in made(True) if task.kind == "question"]
    assert not [task for task in made(True) if task.given and task.kind != "refusal"]


def test_what_has_been_done_beforehand_is_not_asked_for_beside_it() -> None:
    make = asyncio.run(held(as_toolbox(_shop(False)))).make
    assert make is not None
    scenes = [task for task in made(False) if task.given and task.tool == "finish_repair"]
    again = [task for task in made(False) if task.kind == "act" and task.tool == "open_repair"]
    repeated = [
        (one, other)
        for one in scenes
        for other in again
        if any(Given(step.tool, step.arguments) in one.given for step in other.steps)
    ]
    assert repeated
    for one, other in repeated:
        assert not asyncio.run(stands(lambda _: make(), (one, other)))
        assert not asyncio.run(stands(lambda _: make(), (other, one)))


def test_no_task_asks_for_what_it_has_been_given() -> None:
    for task in made(False):
        for step in task.steps:
            assert task.kind != "act" or Given(step.tool, step.arguments) not in task.given, task
