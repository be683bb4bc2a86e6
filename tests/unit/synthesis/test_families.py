"""Which records stand side by side so that all but one of them can be meant."""

import asyncio
from collections.abc import Callable

from misstep.core.objective import ExpectedChange
from misstep.synthesis.families import Family, family_of
from misstep.synthesis.ground import ground_of
from misstep.synthesis.task import Item, Step, Task
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def clinic() -> list[Callable[..., object]]:
    doctors: dict[str, dict[str, object]] = {
        number: {"doctor_id": number, "name": name, "ward": "B", "on_call": False}
        for number, name in (("D-1", "Patel"), ("D-2", "Novak"), ("D-3", "Osei"))
    }
    bookings: dict[str, dict[str, str]] = {"B-1": {"doctor_id": "D-1", "slot": "08:00"}}

    def doctors_of(ward: str) -> list[dict[str, object]]:
        """All doctors of a ward."""
        return [each for each in doctors.values() if each["ward"] == ward]

    def book(doctor_id: str, slot: str) -> dict[str, str]:
        """Book an appointment."""
        if doctor_id not in doctors:
            raise KeyError(doctor_id)
        bookings[f"B-{len(bookings) + 1}"] = {"doctor_id": doctor_id, "slot": slot}
        return bookings[f"B-{len(bookings)}"]

    def put_on_call(doctor_id: str) -> dict[str, object]:
        """Put a doctor on call."""
        doctors[doctor_id]["on_call"] = True
        return doctors[doctor_id]

    return [doctors_of, book, put_on_call]


def family(tool: str, change: ExpectedChange, **more: str) -> Family | None:
    steps = (
        Step(tool="doctors_of", arguments={"ward": "B"}, role="look-up"),
        Step(tool=tool, arguments={"doctor_id": "D-1", **more}, role="act", after=(0,)),
    )
    items = [Item(name="ward", value="B", role="key")]
    items += [Item(name=name, value=value, role="content", argument=name) for name, value in more.items()]
    task = Task(id=tool, kind="act", tool=tool, steps=steps, items=tuple(items), changes=(change,))
    make = asyncio.run(held(as_toolbox(clinic))).make
    assert make is not None

    async def found() -> Family | None:
        return await family_of(lambda seed: make(), task, await ground_of(lambda seed: make(), [task]))

    return asyncio.run(found())


def test_records_that_the_act_changes_are_a_family() -> None:
    found = family("put_on_call", ExpectedChange(table="doctors", key="D-1", fields={"on_call": True}))
    assert found is not None
    assert len(found.members) == 3


def test_records_with_which_something_new_is_only_made_are_none() -> None:
    assert family("book", ExpectedChange(table="bookings", fields={"slot": "09:00"}), slot="09:00") is None


def marina() -> list[Callable[..., object]]:
    boats: dict[str, dict[str, object]] = {
        number: {"boat_id": number, "hull": hull, "berth": berth, "hours": hours, "year": year, "pier": "East"}
        for number, hull, berth, hours, year in (
            ("V-1", "Heron", "E1", 3, 1990),
            ("V-2", "Plover", "E2", 5, 2004),
            ("V-3", "Curlew", "E3", 9, 1987),
        )
    }
    berths: dict[str, dict[str, object]] = {name: {"power": False} for name in ("E1", "E2", "E3", "E4")}

    def boats_at(pier: str) -> list[dict[str, object]]:
        """All boats at a pier."""
        return [dict(each) for each in boats.values() if each["pier"] == pier]

    def launch(boat_id: str) -> dict[str, object]:
        """Launch a boat."""
        boats[boat_id]["afloat"] = True
        return boats[boat_id]

    def set_times(boat_id: str, hours: int, year: int) -> dict[str, object]:
        """Set hours and year of a boat."""
        boats[boat_id].update(hours=hours, year=year)
        return boats[boat_id]

    def power(berth: str) -> dict[str, object]:
        """Switch the power of a berth on."""
        berths[berth]["power"] = True
        return berths[berth]

    return [boats_at, launch, set_times, power]


def of_boats(tool: str, change: ExpectedChange, target: dict[str, str], **content: int) -> Family | None:
    steps = (
        Step(tool="boats_at", arguments={"pier": "East"}, role="look-up"),
        Step(tool=tool, arguments={**target, **content}, role="act", after=(0,)),
    )
    items = [Item(name="pier", value="East", role="key")]
    items += [Item(name=name, value=value, role="content", argument=name) for name, value in content.items()]
    task = Task(id=tool, kind="act", tool=tool, steps=steps, items=tuple(items), changes=(change,))
    make = asyncio.run(held(as_toolbox(marina))).make
    assert make is not None

    async def found() -> Family | None:
        return await family_of(lambda seed: make(), task, await ground_of(lambda seed: make(), [task]))

    return asyncio.run(found())


def test_what_is_said_once_goes_for_all_of_them_also_where_one_has_it_already() -> None:
    change = ExpectedChange(table="boats", key="V-1", fields={"hours": 3})
    found = of_boats("set_times", change, {"boat_id": "V-1"}, hours=3, year=2020)
    assert found is not None
    assert [member.acts[0].arguments["hours"] for member in found.members] == [3, 3, 3]
    assert found.writes == {"hours", "year"}


def test_records_are_called_by_what_they_are_and_not_by_what_is_done_with_them() -> None:
    found = of_boats("launch", ExpectedChange(table="boats", key="V-1"), {"boat_id": "V-1"})
    assert found is not None
    assert found.noun == "boat"


def test_what_something_else_belongs_to_is_no_family_by_that_other_thing() -> None:
    assert of_boats("power", ExpectedChange(table="berths", key="E1"), {"berth": "E1"}) is None


def test_nobody_speaks_for_all_customers() -> None:
    def members() -> list[Callable[..., object]]:
        people = {number: {"customer_id": number, "town": "Ulm", "news": False} for number in ("P-1", "P-2")}

        def customers_in(town: str) -> list[dict[str, object]]:
            """All customers of a town."""
            return [dict(each) for each in people.values() if each["town"] == town]

        def subscribe(customer_id: str) -> dict[str, object]:
            """Subscribe a customer to the news."""
            people[customer_id]["news"] = True
            return dict(people[customer_id])

        return [customers_in, subscribe]

    steps = (
        Step(tool="customers_in", arguments={"town": "Ulm"}, role="look-up"),
        Step(tool="subscribe", arguments={"customer_id": "P-1"}, role="act", after=(0,)),
    )
    change = ExpectedChange(table="people", key="P-1", fields={"news": True})
    items = (Item(name="town", value="Ulm", role="key"),)
    task = Task(id="subscribe", kind="act", tool="subscribe", steps=steps, items=items, changes=(change,))
    make = asyncio.run(held(as_toolbox(members))).make
    assert make is not None

    async def found() -> Family | None:
        return await family_of(lambda seed: make(), task, await ground_of(lambda seed: make(), [task]))

    assert asyncio.run(found()) is None
