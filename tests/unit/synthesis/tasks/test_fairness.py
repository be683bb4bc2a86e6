"""What a task asks for can be known by whoever reads the request: nothing hangs on equal numbers, or on a guess."""

import asyncio
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

from made_once import made_once

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of

Table = dict[str, dict[str, Any]]


def _tool(name: str, description: str, effect: Effect, /, **arguments: str) -> Tool:
    properties = {each: {"type": kind} for each, kind in arguments.items()}
    schema = {"type": "object", "properties": properties, "required": list(arguments)}
    return Tool(name, description, cast("dict[str, JSON]", schema), effect=effect)


class Office:
    """Letters and boxes that are numbered alike, payments, guests, and a map with people's addresses for names."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {
            "letters": {
                str(n): {"number": str(n), "subject": f"{word} news", "read_by": {f"{word}@office.example": "yes"}}
                for n, word in enumerate(("spring", "summer", "autumn", "winter", "harvest", "solstice"), 1)
            },
            "boxes": {
                str(n): {"number": str(n), "label": f"{word} tools", "open": False}
                for n, word in enumerate(("garden", "kitchen", "workshop", "attic", "cellar", "garage"), 1)
            },
            "payments": {
                f"P-{n}": {
                    "id": f"P-{n}",
                    "payee": f"CH93{n}0076{n}",
                    "payer": f"DE89{n}7040{n}",
                    "title": f"{word} bill",
                }
                for n, word in enumerate(("water", "gas", "light", "phone", "coal", "heat"), 1)
            },
            "guests": {
                name: {"name": name, "room": n}
                for n, name in enumerate(("Ann Lee", "Ben Kay", "Cleo May", "Dirk Orr"), 1)
            },
            "friendships": {},
        }

    async def tools(self) -> Sequence[Tool]:
        return (
            _tool("list_letters", "List all letters.", "reads"),
            _tool("list_boxes", "List all boxes.", "reads"),
            _tool("list_payments", "List all payments.", "reads"),
            _tool("list_guests", "List all guests.", "reads"),
            _tool("open_box", "Open a box.", "writes", number="string"),
            _tool("pay", "Pay an amount to a payee.", "writes", payee="string", title="string", amount="number"),
            _tool("befriend", "Make two guests friends.", "writes", host_name="string", visitor_name="string"),
            _tool("check_in", "Check a new guest in.", "writes", name="string", room="integer"),
            _tool("check_out", "Check a guest out.", "destroys", name="string"),
        )

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool.startswith("list_"):
            return Answer(cast("JSON", list(self.tables[tool.removeprefix("list_")].values())), served_by="simulated")
        made = getattr(self, f"_{tool}", None)
        if made is None:
            raise UnknownToolError(tool, [])
        said = made(**arguments)
        return Answer(said or "done", is_error=bool(said), served_by="simulated")

    def _open_box(self, number: str) -> str:
        if number not in self.tables["boxes"]:
            return "There is no such box."
        self.tables["boxes"][number]["open"] = True
        return ""

    def _pay(self, payee: str, title: str, amount: float) -> str:
        key = f"P-{len(self.tables['payments']) + 1}"
        self.tables["payments"][key] = {"id": key, "payee": payee, "payer": "me", "title": title, "amount": amount}
        return ""

    def _befriend(self, host_name: str, visitor_name: str) -> str:
        if host_name == visitor_name or not {host_name, visitor_name} <= self.tables["guests"].keys():
            return "Both must be guests."
        self.tables["friendships"][f"{host_name}-{visitor_name}"] = {"host": host_name, "visitor": visitor_name}
        return ""

    def _check_in(self, name: str, room: int) -> str:
        if name in self.tables["guests"]:
            return f"{name} is here already."
        self.tables["guests"][name] = {"name": name, "room": room}
        return ""

    def _check_out(self, name: str) -> str:
        return "" if self.tables["guests"].pop(name, None) else "There is no such guest."

    def snapshot(self) -> State:
        return deepcopy(self.tables)

    def restore(self, state: State) -> None:
        self.tables = cast("dict[str, Table]", deepcopy(dict(state)))


@made_once
def made() -> tuple[Task, ...]:
    return asyncio.run(tasks_of(lambda seed: Office(), seed=3, count=160)).tasks


def tasks(tool: str = "") -> tuple[Task, ...]:
    return tuple(task for task in made() if tool in ("", task.tool))


def test_a_letter_is_no_way_to_speak_of_the_box_that_has_its_number() -> None:
    assert tasks("open_box")
    for task in tasks("open_box"):
        assert "list_letters" not in [step.tool for step in task.steps], task.items


def test_who_is_paid_is_said_and_not_to_be_found_in_another_payment() -> None:
    assert tasks("pay")
    for task in tasks("pay"):
        assert any(item.argument == "payee" for item in task.items), task.items


def test_of_two_guests_it_is_said_which_is_which() -> None:
    assert tasks("befriend")
    for task in tasks("befriend"):
        names = [item.name for item in task.items]
        assert all("host" in name or "visitor" in name for name in names), names
        assert {word for name in names for word in ("host", "visitor") if word in name} == {"host", "visitor"}, names


def test_nobody_is_checked_out_to_be_checked_in() -> None:
    assert tasks("check_in")
    for task in tasks("check_in"):
        assert "check_out" not in [step.tool for step in task.steps]


def test_what_stands_under_a_persons_address_is_no_field_to_ask_for() -> None:
    for task in tasks("list_letters"):
        assert "office" not in task.wants
        assert "example" not in task.wants
