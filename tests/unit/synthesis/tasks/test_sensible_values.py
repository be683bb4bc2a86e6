"""Where nothing declares what an argument takes: something that looks like it, a sentence, or no task at all."""

import asyncio
import re
from collections.abc import Callable
from random import Random

import pytest
from made_once import made_once

from misstep.core.tool import JSON
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.by_name import by_name
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def garage() -> list[Callable[..., object]]:
    cars = {
        f"CR-{at}": {"plate": plate, "bay": bay, "seen": seen}
        for at, plate, bay, seen in (
            (11, "KN71 RTA", "east", "2026-02-01"),
            (12, "LF20 WQB", "west", "2026-02-03"),
            (13, "MD66 TTC", "east", "2026-02-05"),
            (14, "NA18 PLD", "north", "2026-02-09"),
        )
    }

    def find(car: str) -> dict[str, object]:
        if car not in cars:
            raise LookupError(f"There is no car {car}")
        return cars[car]

    def show(car: str) -> dict[str, object]:
        """Show a car."""
        return find(car)

    def replate(car: str, letters: str) -> dict[str, object]:
        """Change what is on the plate of a car."""
        find(car)["plate"] = letters
        return find(car)

    def insure(car: str, policy_number: str) -> dict[str, object]:
        """Update the insurance of a car."""
        find(car)["policy"] = policy_number
        return find(car)

    def bill(car: str, iban: str) -> dict[str, object]:
        """Update from where the bills of a car are paid."""
        find(car)["payer"] = iban
        return find(car)

    def send_in(car: str, fault: str) -> dict[str, object]:
        """Put a car in for repair."""
        find(car)["fault"] = fault
        return find(car)

    def tune(car: str, zephyr: str) -> dict[str, object]:
        """Tune a car."""
        find(car)["zephyr"] = zephyr
        return find(car)

    def shift(car: str, gearbox: str) -> dict[str, object]:
        """Put another gearbox in a car."""
        if gearbox not in ("east", "west"):
            raise ValueError("There is no such gearbox")
        find(car)["gearbox"] = gearbox
        return find(car)

    return [show, replate, insure, bill, send_in, tune, shift]


@made_once
def made() -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(garage))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda _: make(), seed=2, count=80)).tasks


def values(tool: str, argument: str) -> list[JSON]:
    return [step.arguments[argument] for task in made() for step in task.steps if step.tool == tool]


@pytest.mark.parametrize(
    ("tool", "argument", "look"),
    [
        ("replate", "letters", r"[A-Z]{2}\d\d [A-Z]{3}"),
        ("insure", "policy_number", r"[A-Z]{2}-\d{5}"),
        ("bill", "iban", r"[A-Z]{2}\d{20}"),
        ("send_in", "fault", r"[a-z]+( [a-z]+){2,}"),
    ],
)
def test_a_value_looks_like_what_stands_where_it_goes_or_like_what_the_name_says(
    tool: str, argument: str, look: str
) -> None:
    found = values(tool, argument)
    assert found
    assert all(re.fullmatch(look, str(value)) for value in found), found


def test_what_nothing_tells_of_is_not_asked_for() -> None:
    assert not values("tune", "zephyr")


def test_what_a_tool_takes_no_nonsense_for_is_asked_for_as_it_was_found() -> None:
    assert {str(value) for value in values("shift", "gearbox")} <= {"east", "west"}


@pytest.mark.parametrize(
    ("name", "said", "look"),
    [
        ("registration", "", r"[A-Z]{2}\d\d[A-Z]{3}"),
        ("vrm", "Number plate of the new vehicle.", r"[A-Z]{2}\d\d[A-Z]{3}"),
        ("serial_no", "", r"SE-\d{5}"),
        ("settlement_account", "", r"DE\d{20}"),
        ("symptom", "", r"[a-z ]+"),
        ("contact_email", "", r"\S+@\S+"),
    ],
)
def test_a_name_tells_what_its_value_looks_like(name: str, said: str, look: str) -> None:
    for seed in range(20):
        assert re.fullmatch(look, by_name(name, said, Random(seed)) or ""), name


@pytest.mark.parametrize("name", ["zephyr", "status", "gearbox", "mode"])
def test_a_name_that_tells_nothing_has_no_value(name: str) -> None:
    assert by_name(name, "", Random(0)) is None
