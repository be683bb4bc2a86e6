"""Plain functions, whose names and descriptions do not say what they do: tasks are found by executing them."""

import asyncio
import os
from collections.abc import Callable
from functools import cache

from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.synthesis.tool_findings import tool_findings
from misstep.tools.functions import as_toolbox, tool
from misstep.tools.held import held


def depot() -> list[Callable[..., object]]:
    parcels = {
        f"P-{number}": {"parcel_id": f"P-{number}", "recipient": who, "city": city, "status": status}
        for number, who, city, status in (
            (100, "Ana Ruiz", "Leeds", "waiting"),
            (101, "Bo Lind", "Hull", "waiting"),
            (102, "Cy Dune", "York", "delivered"),
            (103, "Di Marsh", "Leeds", "waiting"),
        )
    }
    drivers = [
        {"name": name, "free": free} for name, free in (("Ola Berg", True), ("Pia Holm", True), ("Q Roe", False))
    ]
    accounts = {
        number: {"number": number, "owner": owner, "balance": balance}
        for number, owner, balance in (("AC-11", "Ann Lee", 900), ("AC-12", "Ben Oak", 800), ("AC-13", "Cat Fig", 700))
    }

    def parcel(parcel_id: str) -> dict[str, str]:
        """One parcel."""
        return parcels[parcel_id]

    def crew() -> list[dict[str, object]]:
        """All drivers."""
        return drivers

    def dispatch(parcel_id: str, driver: str) -> dict[str, str]:
        """Give a parcel to a driver."""
        if driver not in [each["name"] for each in drivers if each["free"]]:
            raise ValueError(f"{driver} is not here")
        if parcels[parcel_id]["status"] != "waiting":
            raise ValueError(f"{parcel_id} is {parcels[parcel_id]['status']}, and cannot be sent out")
        parcels[parcel_id].update(status="on the road", driver=driver)
        return parcels[parcel_id]

    def account_of(owner: str) -> dict[str, object]:
        """The account of a person."""
        return next(each for each in accounts.values() if each["owner"] == owner)

    def transfer(source: str, target: str, amount: int) -> str:
        """Transfer money between two accounts."""
        if not 0 < amount <= accounts[source]["balance"]:
            raise ValueError("There is not enough on it")
        accounts[source]["balance"] -= amount
        accounts[target]["balance"] += amount
        return "done"

    def wipe(path: str) -> None:
        """Wipe the disk."""
        os.remove(path)

    return [parcel, crew, dispatch, account_of, transfer, wipe]


@cache
def _tasks() -> Tasks:
    make = asyncio.run(held(as_toolbox(depot))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda seed: make(), count=60))


def test_acts_of_functions_end_in_what_they_changed() -> None:
    acts = [task for task in _tasks().tasks if task.kind == "act" and task.tool == "dispatch"]
    assert acts
    assert all(task.changes for task in acts)
    assert {change.fields.get("status") for task in acts for change in task.changes} == {"on the road"}


def test_nobody_asks_for_what_the_function_refuses() -> None:
    for task in _tasks().tasks:
        for step in task.steps:
            if task.kind == "act" and step.tool == "dispatch":
                assert step.arguments["parcel_id"] != "P-102"
                assert step.arguments["driver"] != "Q Roe"


def test_what_a_function_refuses_becomes_a_task_of_saying_no() -> None:
    refused = [task for task in _tasks().tasks if task.kind == "refusal" and task.tool == "dispatch"]
    assert refused


def test_an_argument_that_no_name_explains_takes_the_key_of_what_the_tool_speaks_of() -> None:
    transfers = [task for task in _tasks().tasks if task.kind == "act" and task.tool == "transfer"]
    assert transfers
    assert {change.table for task in transfers for change in task.changes} == {"accounts"}


def test_two_records_of_one_kind_are_spoken_of_by_their_parts_in_the_call() -> None:
    transfers = [task for task in _tasks().tasks if task.kind == "act" and task.tool == "transfer"]
    for task in transfers:
        said = [item.name for item in task.items if item.role in ("key", "mark")]
        assert any("source" in name for name in said), said
        assert any("target" in name for name in said), said


def test_a_list_without_arguments_shows_what_it_shows_at_once() -> None:
    assert "crew" not in {tool for tool, why in _tasks().unreached.items() if "change nothing" in why}


def test_what_can_reach_further_is_not_tried_and_says_so() -> None:
    assert _tasks().unreached["wipe"] == "It can reach os, and what cannot be taken back is not tried out."


_TOUCHED = "MISSTEP_TOUCHED"
"""What was called is told in the environment: whatever the functions hold themselves is put back."""


def _traps() -> list[Callable[..., object]]:
    leads = {
        name: {"lead_id": name, "company": company, "stage": stage, "owes": owes}
        for name, company, stage, owes in (
            ("L-1", "Teklab", "talking", 0),
            ("L-2", "Oyster Bay", "talking", 120),
            ("L-3", "Fernhill", "new", 0),
            ("L-4", "Marsh & Co", "new", 80),
        )
    }

    def show_lead(lead_id: str) -> dict[str, object]:
        """Show a lead."""
        return leads[lead_id]

    def get_news(company: str) -> str:
        """Get the latest news of a company."""
        os.environ[_TOUCHED] = os.environ.get(_TOUCHED, "") + " undeclared"
        return company

    @tool(effect="reads")
    def get_share(company: str) -> str:
        """Get the price of a company's shares."""
        os.environ[_TOUCHED] = os.environ.get(_TOUCHED, "") + " declared"
        return company

    def win_lead(lead_id: str) -> dict[str, object]:
        """Win a lead."""
        lead = leads[lead_id]
        if lead["owes"]:
            return {"error": f"{lead['company']} owes {lead['owes']}: settle that first"}
        lead["stage"] = "won"
        return lead

    return [show_lead, get_news, get_share, win_lead]


@cache
def _trapped() -> tuple[Tasks, frozenset[str]]:
    make = asyncio.run(held(as_toolbox(_traps))).make
    assert make is not None
    found = asyncio.run(tasks_of(lambda seed: make(), count=40))
    asyncio.run(tool_findings(lambda seed: make()))
    return found, frozenset(os.environ.pop(_TOUCHED, "").split())


def test_what_reaches_outside_is_not_called_unless_somebody_declared_that_it_reads() -> None:
    assert _trapped()[1] == {"declared"}


def test_a_returned_error_is_a_refusal() -> None:
    acts = [task for task in _trapped()[0].tasks if task.tool == "win_lead" and task.kind == "act"]
    assert acts
    assert {step.arguments["lead_id"] for task in acts for step in task.steps if step.tool == "win_lead"} <= {
        "L-1",
        "L-3",
    }


def test_a_name_is_no_reason_to_refuse() -> None:
    refused = [task for task in _trapped()[0].tasks if task.kind == "refusal"]
    assert {fact.name for task in refused for fact in task.told} <= {"owes"}


def test_nested_records_are_reached_by_their_keys_and_a_tool_with_two_possible_calls_is_seen_to_look() -> None:
    rooms = {
        "blue": {
            "size": 40,
            "sessions": {"S-11": {"band": "Larks", "paid": False}, "S-12": {"band": "Nova", "paid": False}},
        },
        "attic": {
            "size": 25,
            "sessions": {"S-13": {"band": "Ida", "paid": False}, "S-14": {"band": "Brass", "paid": True}},
        },
    }

    def in_room(room):  # pyright: ignore
        """The sessions in a room."""
        return [{"code": code, **each} for code, each in rooms[room]["sessions"].items()]  # pyright: ignore

    def pay(room, code):  # pyright: ignore
        """Pay a session in a room."""
        session = rooms[room]["sessions"][code]  # pyright: ignore
        if session["paid"]:
            raise ValueError("It is paid already")
        session["paid"] = True

    make = asyncio.run(held(as_toolbox([in_room, pay]))).make
    assert make is not None
    found = asyncio.run(tasks_of(lambda _: make(), seed=2, count=12))
    assert found.unreached == {}
    paid = [task.steps[-1].arguments for task in found.tasks if task.tool == "pay" and task.kind == "act"]
    assert paid
    assert all(str(each["code"]) in rooms[str(each["room"])]["sessions"] for each in paid)  # pyright: ignore


def _rooms() -> list[Callable[..., object]]:
    rooms = [{"room": f"R-{at}", "taken": taken} for at, taken in enumerate((False, True, False, True))]

    def free_rooms(fewest_seats: float = 0) -> list[dict[str, object]]:
        """Lists rooms that nobody has, with so many seats at least as asked."""
        return [{"room": room["room"]} for room in rooms if room["taken"] is None and fewest_seats < 50]

    def take_room(room: str) -> str:
        """Take a room."""
        next(each for each in rooms if each["room"] == room)["taken"] = True
        return "done"

    return [free_rooms, take_room]


def test_what_answers_with_a_list_is_not_said_to_change_nothing() -> None:
    make = asyncio.run(held(as_toolbox(_rooms))).make
    assert make is not None
    found = asyncio.run(tasks_of(lambda seed: make(), count=10))
    assert found.unreached["free_rooms"] == "Its calls work, but what they show is empty."


def test_what_changes_something_is_never_said_to_read() -> None:
    sent: list[tuple[str, str]] = []

    def send_word(to: str, body: str) -> str:
        """Send word to somebody."""
        sent.append((to, body))
        return "sent"

    make = asyncio.run(held(as_toolbox([send_word]))).make
    assert make is not None
    told = asyncio.run(tasks_of(lambda _: make(), count=4)).unreached["send_word"]
    assert told.startswith("Its calls work and change something")
