"""A number names the record that a call changes where another number makes it change another, whatever it is called."""

import asyncio
import re
from collections.abc import Callable
from functools import cache

from misstep.synthesis.synthesizing import synthesize
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def pool() -> list[Callable[..., object]]:
    people = {
        311: {"name": "Ida Holm", "phone": "555 0101", "lane": 1},
        312: {"name": "Ben Okafor", "phone": "555 0102", "lane": 2},
        313: {"name": "Mira Lang", "phone": "555 0103", "lane": 1},
        314: {"name": "Otto Brandt", "phone": "555 0104", "lane": 3},
    }
    loans = [
        {"ticket": ticket, "towel": towel, "back_by": day, "returned": False}
        for ticket, towel, day in (
            (8801, "blue", "2025-03-04"),
            (8802, "red", "2025-03-04"),
            (8803, "blue", "2025-03-09"),
            (8804, "white", "2025-03-11"),
        )
    ]

    def find_swimmer(name: str) -> list[dict[str, object]]:
        """Finds swimmers by name."""
        return [{"swimmer_id": number, **each} for number, each in people.items() if name in str(each["name"])]

    def open_loans() -> list[dict[str, object]]:
        """Lists the towels that are on loan."""
        return [each for each in loans if not each["returned"]]

    def update_phone(swimmer_id: int, phone: str) -> dict[str, object]:
        """Changes the phone number of a swimmer."""
        people[swimmer_id]["phone"] = phone
        return people[swimmer_id]

    def extend_loan(ticket: int, back_by: str) -> dict[str, object]:
        """Extend a loan to a later date, e.g. 2025-05-01."""
        found = next((each for each in loans if each["ticket"] == ticket), None)
        if found is None:
            raise LookupError(f"unknown ticket {ticket}")
        if back_by <= str(found["back_by"]):
            raise ValueError("that is no later date")
        found["back_by"] = back_by
        return found

    return [find_swimmer, open_loans, update_phone, extend_loan]


@cache
def acts(tool: str) -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(pool))).make
    assert make is not None
    made = asyncio.run(tasks_of(lambda seed: make(), count=60)).tasks
    return tuple(task for task in made if task.kind == "act" and task.tool == tool)


def roles(tool: str, argument: str) -> set[str]:
    assert acts(tool)
    return {item.role for task in acts(tool) for item in task.items if item.argument == argument}


def test_the_key_of_the_record_that_changes_is_a_key() -> None:
    assert roles("update_phone", "swimmer_id") <= {"key"}
    assert roles("update_phone", "phone") == {"content"}


def test_a_number_that_records_in_a_list_hold_is_a_key() -> None:
    assert roles("extend_loan", "ticket") <= {"key"}
    assert roles("extend_loan", "back_by") == {"content"}


def test_a_person_can_be_spoken_of_by_name_where_only_the_number_is_taken() -> None:
    assert any(item.value == "Ida Holm" for task in acts("update_phone") for item in task.items) or any(
        item.name == "name" for task in acts("update_phone") for item in task.items
    )


def test_a_request_calls_nothing_new_that_is_there_and_speaks_of_all_in_the_plural() -> None:
    make = asyncio.run(held(as_toolbox(pool))).make
    assert make is not None
    found = {"constraint": ("none", "exclusion", "limit")}
    made = asyncio.run(synthesize(lambda seed: make(), count=40, seed=3, factors=found)).scenarios
    said = [text for each in made for text in (each.user.opening or "", *(goal.ask for goal in each.user.goals))]
    assert any("loan" in text for text in said)
    for text in said:
        assert not re.search(r"\b(?:new|an?) (?:loan|swimmer)\b", text), text
        assert not re.search(
            r"\b(?:extend|prolong)\w* (?:the|my) loan\b[^.?]*[.?] .*\ball (?:the|of the) loans\b", text
        ), text
