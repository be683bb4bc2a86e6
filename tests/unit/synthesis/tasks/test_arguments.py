"""A task takes no argument that nobody would say: none that changes nothing, is made up, or hides in another record."""

import asyncio
from collections.abc import Callable
from random import Random

from made_once import made_once

from misstep.synthesis.ground import ground_of
from misstep.synthesis.parts import part_of
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held

GENRES = {"opera", "mime", "puppetry"}


def theatre() -> list[Callable[..., object]]:
    halls = {"H1": {"seats": 300}, "H2": {"seats": 90}, "H3": {"seats": 40}}
    shows = [
        {"number": number, "title": title, "genre": genre, "hall": hall, "day": day, "minutes": minutes}
        for number, title, genre, hall, day, minutes in (
            (501, "Tosca", "opera", "H1", "2026-04-01", 150),
            (502, "Silence", "mime", "H2", "2026-04-02", 60),
            (503, "Strings", "puppetry", "H2", "2026-04-03", 45),
            (504, "Fidelio", "opera", "H1", "2026-04-04", 140),
        )
    ]
    guests = {
        f"G-{n}": {"guest_id": f"G-{n}", "name": name, "debt": debt}
        for n, name, debt in ((1, "Ann Lee", 40.0), (2, "Ben Oak", 25.0), (3, "Cat Fig", 0.0))
    }

    def show(number: int) -> dict[str, object]:
        """One show."""
        return next(each for each in shows if each["number"] == number)

    def shows_of(genre: str) -> list[dict[str, object]]:
        """The shows of a genre."""
        return [each for each in shows if each["genre"] == genre]

    def minutes_in_all(genre: str | None = None) -> dict[str, object]:
        """How long all shows take together."""
        return {"minutes": sum(each["minutes"] for each in shows if genre in (None, each["genre"]))}  # pyright: ignore

    def count_shows(hall: str, day: str) -> dict[str, int]:
        """How many shows there are in a hall on a day."""
        return {"count": sum(each["hall"] == hall and each["day"] == day for each in shows)}

    def plan_show(title: str, genre: str, hall: str, day: str, minutes: int = 90) -> dict[str, object]:
        """Put a new show on the plan."""
        if hall not in halls:
            raise ValueError("no such hall")
        made = {"number": 501 + len(shows), "title": title, "genre": genre, "hall": hall, "day": day}
        return shows.append({**made, "minutes": minutes}) or shows[-1]  # pyright: ignore

    def change_show(number: int, day: str | None = None, hall: str | None = None, minutes: int | None = None) -> str:
        """Change the day, the hall or the length of a show."""
        each = show(number)
        if hall not in (None, *halls):
            raise ValueError("no such hall")
        said = {"day": day, "hall": hall, "minutes": minutes}
        each.update({name: value for name, value in said.items() if value is not None})
        return "changed"

    def guest(name: str) -> dict[str, object]:
        """A guest, by name."""
        return next(each for each in guests.values() if each["name"] == name)

    def pay(guest_id: str, amount: float) -> dict[str, object]:
        """Book a payment."""
        if not 0 < amount <= guests[guest_id]["debt"]:  # pyright: ignore
            raise ValueError("not that much")
        guests[guest_id]["debt"] -= amount  # pyright: ignore
        return guests[guest_id]

    return [show, shows_of, minutes_in_all, count_shows, plan_show, change_show, guest, pay]


@made_once
def made() -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(theatre))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda seed: make(), seed=2, count=150)).tasks


def tasks(tool: str, kind: str) -> tuple[Task, ...]:
    return tuple(task for task in made() if task.tool == tool and task.kind == kind)


def test_an_optional_argument_that_changes_nothing_is_not_demanded() -> None:
    assert tasks("change_show", "act")
    for task in tasks("change_show", "act"):
        call = task.calls[-1].arguments
        written = {name for change in task.changes for name in change.fields}
        assert set(call) - {"number"} == written, task


def test_what_goes_into_optional_arguments_is_always_said() -> None:
    for tool in ("change_show", "plan_show"):
        for task in tasks(tool, "act"):
            optional = {"day", "hall", "minutes"} if tool == "change_show" else {"minutes"}
            for item in task.items:
                assert item.unasked == (item.argument in optional), item


def test_an_amount_that_leaves_something_to_pay_is_always_said() -> None:
    assert tasks("pay", "act")
    for task in tasks("pay", "act"):
        left = [change.fields.get("debt") for change in task.changes]
        assert all(item.unasked for item in task.items if item.argument == "amount" and left != [0.0]), task


def test_what_a_new_record_takes_is_not_looked_up_in_another_of_its_kind() -> None:
    assert tasks("plan_show", "act")
    for task in tasks("plan_show", "act"):
        assert not {"show", "shows_of"} & {step.tool for step in task.steps}, task
        assert any(item.argument == "hall" for item in task.items), task


def test_a_tool_that_reads_is_not_asked_with_a_word_that_stands_nowhere() -> None:
    assert tasks("minutes_in_all", "question")
    for task in tasks("minutes_in_all", "question"):
        assert {item.value for item in task.items} <= GENRES, task


def test_what_there_is_none_of_is_named_with_the_fact() -> None:
    for task in tasks("count_shows", "question"):
        for fact in task.told:
            assert fact.any_of != (0,) or "shows" in fact.name, task


def test_what_nobody_would_ask_for_is_said_with_the_request_however_little_else_is() -> None:
    make = asyncio.run(held(as_toolbox(theatre))).make
    assert make is not None
    made = tasks("change_show", "act")
    ground = asyncio.run(ground_of(lambda seed: make(), made))
    for task in made:
        part = part_of(task, ground, specificity="none", random=Random(0))
        assert set(part.up_front) == {item.name for item in task.items if item.unasked}
