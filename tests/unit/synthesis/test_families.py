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
