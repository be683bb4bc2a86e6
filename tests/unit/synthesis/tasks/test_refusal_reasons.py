"""Why a call is refused: nothing that only says which record it is; and what is so already may be called done."""

import asyncio
from collections.abc import Callable
from functools import cache

from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def quarry() -> list[Callable[..., object]]:
    loads = {
        number: {"load": number, "buyer": buyer, "state": state, "due": due, "weighed": weighed}
        for number, buyer, state, due, weighed in (
            (700, "Brauer", "open", "2025-02-10", False),
            (701, "Nordlys", "open", "2025-02-12", False),
            (702, "Casa Verde", "gone off", "2025-01-28", True),
            (703, "Brauer", "open", "2025-02-20", True),
            (704, "Lindqvist", "open", "2025-02-24", False),
        )
    }
    gates = {
        name: {"gate": name, "side": side, "shut": shut, "height": height}
        for name, side, shut, height in (
            ("north gate", "river", True, 3.1),
            ("south gate", "road", False, 4.2),
            ("mill gate", "river", False, 3.6),
            ("barn gate", "road", True, 2.9),
            ("hill gate", "wood", False, 5.0),
        )
    }

    def loads_of(buyer: str) -> list[dict[str, object]]:
        """The loads of a buyer."""
        return [each for each in loads.values() if each["buyer"] == buyer]

    def all_gates() -> list[dict[str, object]]:
        """All the gates."""
        return list(gates.values())

    def change_due(load: int, due: str) -> dict[str, object]:
        """Change the day a load is due (YYYY-MM-DD)."""
        if load not in loads:
            raise LookupError("unknown load")
        if loads[load]["state"] == "gone off":
            raise ValueError("the lorry has left the yard")
        loads[load]["due"] = due
        return loads[load]

    def weigh(load: int) -> dict[str, object]:
        """Weigh a load."""
        if load not in loads:
            raise LookupError("unknown load")
        if loads[load]["weighed"]:
            raise ValueError("a load goes onto the scales but one time")
        loads[load]["weighed"] = True
        return loads[load]

    def shut_gate(gate: str) -> dict[str, object]:
        """Shut a gate."""
        if gate not in gates:
            raise LookupError("no such gate")
        if gates[gate]["shut"]:
            raise ValueError("only an open one can be shut")
        gates[gate]["shut"] = True
        return gates[gate]

    return [loads_of, all_gates, change_due, weigh, shut_gate]


@cache
def refusals(tool: str) -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(quarry))).make
    assert make is not None
    made = asyncio.run(tasks_of(lambda seed: make(), seed=1, count=120)).tasks
    return tuple(task for task in made if task.kind == "refusal" and task.tool == tool)


def forms(task: Task) -> set[object]:
    return {form for fact in task.told for form in fact.any_of}


def test_the_number_of_a_record_is_no_reason() -> None:
    for tool in ("change_due", "weigh"):
        assert refusals(tool), tool
        for task in refusals(tool):
            assert not forms(task) & {700, 701, 702, 703, 704}, task.told


def test_of_one_record_that_is_refused_its_fields_do_not_say_why() -> None:
    for task in refusals("change_due"):
        assert not {"gone off", "Casa Verde", "2025-01-28"} & forms(task), task.told


def test_what_the_record_is_already_may_be_said_to_be_so_whatever_the_tool_says() -> None:
    for tool in ("weigh", "shut_gate"):
        assert refusals(tool), tool
        for task in refusals(tool):
            assert not task.forbidden
            assert [each.so for each in task.impossible] == [True]


def test_a_refusal_for_another_reason_is_not_met_by_saying_that_it_is_so_already() -> None:
    for task in refusals("change_due"):
        wanted = next(item.value for item in task.items if item.argument == "due")
        if wanted != "2025-01-28":
            assert task.forbidden
