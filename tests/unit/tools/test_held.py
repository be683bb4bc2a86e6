"""Functions whose data is their state, and functions that reach for more than that."""

import asyncio
import json
import os
import pathlib
import sqlite3
import subprocess
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pydantic import BaseModel

from misstep.catalog import toolbox_named
from misstep.core.roles import Toolbox
from misstep.core.state import State, difference
from misstep.core.tool import JSON
from misstep.tools.functions import Functions, as_toolbox, tool
from misstep.tools.held import Held, held
from misstep.tools.held.reaching import reach_of


@pytest.fixture
def depot(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Held]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    named = toolbox_named("held_depot:tools")
    assert named.beyond == ""

    def make() -> Held:
        made = named.make(0)
        assert isinstance(made, Held)
        return made

    return make


def made(toolbox: Toolbox) -> Callable[[], Held]:
    make = asyncio.run(held(toolbox)).make
    assert make is not None
    return make


def call(toolbox: Held, tool: str, **arguments: JSON) -> JSON:
    return asyncio.run(toolbox.call(tool, arguments)).content


def shown(state: State) -> dict[str, dict[str, dict[str, JSON]]]:
    return {table: {key: dict(record) for key, record in rows.items()} for table, rows in state.items()}


def test_collections_are_tables_and_what_is_in_them_are_records(depot: Callable[[], Held]) -> None:
    state = shown(depot().snapshot())
    assert state["parcels"]["P-1"] == {"number": "P-1", "to": "Ann Lee", "status": "waiting", "notes": []}
    assert state["runs"] == {"1": {"id": 1, "driver": "Ola", "day": "2026-01-05"}}
    assert state["drivers"] == {"Ola": {"name": "Ola", "van": "V1"}, "Pia": {"name": "Pia", "van": "V2"}}
    assert state["vans"] == {"V1": {"doors": 4}}
    assert state["stock"] == {"tape": {"stock": 5}, "boxes": {"stock": 8}}
    assert state["sent"] == {"sent": {"sent": 0}}
    assert state["depot"]["depot"]["open"] is True
    json.dumps(state)


def test_a_call_changes_what_it_changed_and_nothing_else(depot: Callable[[], Held]) -> None:
    toolbox = depot()
    before = toolbox.snapshot()
    assert call(toolbox, "send", number="P-1", driver="Pia") == {"waiting": 1, "price": 4, "sent": 1}
    changed = {(each.table, each.key) for each in difference(before, toolbox.snapshot())}
    assert ("parcels", "P-1") in changed
    assert {("runs", "2"), ("carts", "Pia"), ("seen", "P-1"), ("latest", "0"), ("calls", "Pia")} <= changed
    assert {("sent", "sent"), ("stock", "tape"), ("opened", "1")} <= changed
    assert not {("parcels", "P-2"), ("stock", "boxes"), ("drivers", "Ola"), ("vans", "V1")} & changed


def test_what_is_put_back_does_the_same_again(depot: Callable[[], Held]) -> None:
    toolbox = depot()
    before = toolbox.snapshot()
    first = call(toolbox, "send", number="P-1", driver="Pia")
    after = shown(toolbox.snapshot())
    for _ in range(2):
        toolbox.restore(before)
        assert difference(before, toolbox.snapshot()) == ()
        assert call(toolbox, "send", number="P-1", driver="Pia") == first
        assert shown(toolbox.snapshot()) == after


def test_two_toolboxes_of_the_same_functions_do_not_see_each_other(depot: Callable[[], Held]) -> None:
    one, other = depot(), depot()
    call(one, "send", number="P-1", driver="Pia")
    assert call(other, "look") == {"waiting": 2, "price": 2, "sent": 0, "drivers": 2}
    call(other, "send", number="P-2", driver="Ola")
    call(other, "send", number="P-1", driver="Ola")
    assert call(one, "look") == {"waiting": 1, "price": 4, "sent": 1, "drivers": 3}
    assert call(depot(), "look") == {"waiting": 2, "price": 2, "sent": 0, "drivers": 2}


def test_what_the_functions_refuse_is_refused(depot: Callable[[], Held]) -> None:
    toolbox = depot()
    call(toolbox, "send", number="P-1", driver="Pia")
    assert call(toolbox, "send", number="P-1", driver="Pia") == "ValueError: P-1 is sent already"


def test_only_what_a_snapshot_gave_is_put_back(depot: Callable[[], Held]) -> None:
    with pytest.raises(TypeError, match="snapshot"):
        depot().restore({"parcels": {}})


def test_closures_and_the_variables_that_they_set_are_state() -> None:
    def shop() -> list[Callable[..., object]]:
        orders, last = {"A1": {"total": 5}}, 1

        def add(total: int) -> str:
            """Add an order."""
            nonlocal last
            last += 1
            orders[f"A{last}"] = {"total": total}
            return f"A{last}"

        def list_orders() -> list[str]:
            """List the orders."""
            return list(orders)

        return [add, list_orders]

    make = made(as_toolbox(shop))
    one, other = make(), make()
    before = one.snapshot()
    assert [call(one, "add", total=7), call(one, "add", total=9), call(other, "add", total=1)] == ["A2", "A3", "A2"]
    assert {each.key for each in difference(before, one.snapshot())} == {"A2", "A3", "last"}
    one.restore(before)
    assert call(one, "add", total=3) == "A2"


def test_the_members_of_a_list_keep_their_keys_when_others_go() -> None:
    people = [{"name": "Ann", "age": 3}, {"name": "Bo", "age": 4}, {"name": "Cy", "age": 5}]

    def drop(name: str) -> None:
        """Drop somebody."""
        people[:] = [each for each in people if each["name"] != name]

    toolbox = made(Functions([drop]))()
    before = toolbox.snapshot()
    call(toolbox, "drop", name="Ann")
    assert [(each.table, each.key) for each in difference(before, toolbox.snapshot())] == [("people", "Ann")]


def test_a_number_that_a_record_is_kept_under_stays_a_number() -> None:
    members = {1: {"name": "Ada"}, 2: {"name": "Ben"}}

    def drop(member_id: int) -> None:
        """Drop a member."""
        del members[member_id]

    state = shown(made(Functions([drop]))().snapshot())
    assert state["members"] == {"1": {"member_id": 1, "name": "Ada"}, "2": {"member_id": 2, "name": "Ben"}}


def test_two_records_of_one_name_are_two() -> None:
    people = [{"name": "Ann"}]

    def add(name: str) -> None:
        """Add somebody."""
        people.append({"name": name})

    toolbox = made(Functions([add]))()
    call(toolbox, "add", name="Ann")
    assert list(toolbox.snapshot()["people"]) == ["Ann", "Ann#2"]


def test_functions_without_data_have_no_state() -> None:
    def add(one: int, other: int) -> int:
        """Add two numbers."""
        return one + other

    assert asyncio.run(held(Functions([add]))).make is None


def _harmless(name: str) -> str:
    """Greet."""
    return f"Hello, {name}"


class _Shelf:
    def __init__(self) -> None:
        self.database = sqlite3.connect(":memory:")

    def count(self) -> int:
        """Count."""
        return self.database.total_changes


def _opens(path: str) -> str:
    """Read a file."""
    with open(path) as file:
        return file.read()


def _writes(path: str) -> None:
    """Write a file."""
    pathlib.Path(path).write_text("x")


def _starts(command: str) -> None:
    """Run a command."""
    subprocess.run(command, check=False)


def _removes(path: str) -> None:
    """Remove a file."""
    os.remove(path)


def _evaluates(text: str) -> object:
    """Calculate."""
    return eval(text)


def _imports() -> None:
    """Import."""
    import shutil  # noqa: PLC0415

    shutil.rmtree("x")


def _calls_another(path: str) -> None:
    """Call another."""
    _removes(path)


def _nests(path: str) -> list[None]:
    """Nest."""
    return [_writes(each) for each in (path, path)]


def _defaults(run: Callable[..., object] = subprocess.run) -> None:
    """Run."""
    run("x")


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (_opens, "open"),
        (_writes, "pathlib"),
        (_starts, "subprocess"),
        (_removes, "os"),
        (_evaluates, "eval"),
        (_imports, "shutil"),
        (_calls_another, "os"),
        (_nests, "pathlib"),
        (_defaults, "subprocess"),
        (_Shelf().count, "sqlite3"),
    ],
)
def test_code_that_can_reach_more_than_its_data_is_named_with_what_it_reaches(
    function: Callable[..., object], what: str
) -> None:
    reach = reach_of({"it": function, "other": _harmless})
    assert list(reach.beyond) == ["it"]
    assert what in reach.beyond["it"]


def test_clocks_and_paths_that_are_only_text_are_no_reach() -> None:
    def stamp(name: str) -> str:
        """Stamp."""
        return os.path.join(name, str(time.time()))

    reach = reach_of({"stamp": stamp})
    assert (reach.bindings, reach.beyond) == ((), {})


def test_a_tool_that_reaches_further_does_not_keep_the_others_from_being_held() -> None:
    orders = {"A1": {"open": True}, "A2": {"open": True}}

    def close(number: str) -> None:
        """Close an order."""
        orders[number]["open"] = False

    def post(number: str) -> None:
        """Post an order."""
        orders[number]["open"] = False
        _removes(number)

    toolbox = made(Functions([close, post]))()
    before = toolbox.snapshot()
    call(toolbox, "close", number="A1")
    assert [each.key for each in difference(before, toolbox.snapshot())] == ["A1"]
    assert toolbox.irrevocable() == {"post": "It can reach os"}


class _Node:
    def __init__(self) -> None:
        self.next: _Node | None = None


class _Shy:
    def __getattr__(self, name: str) -> object:
        raise RuntimeError(f"no {name}")


def _chain(length: int) -> _Node:
    first = last = _Node()
    for _ in range(length):
        last.next = _Node()
        last = last.next
    return first


@pytest.mark.parametrize("data", [[_chain(3_000)], [_Shy()]], ids=["deep", "shy"])
def test_data_that_cannot_be_copied_leaves_the_tools_as_they_were(data: list[object]) -> None:
    def drop() -> int:
        """Drop something."""
        data.clear()
        return len(data)

    holding = asyncio.run(held(Functions([drop])))
    assert holding.make is None
    assert "Error" in holding.uncopied
    assert len(data) == 1


def test_what_cannot_be_copied_later_is_lost_to_its_own_toolbox_alone() -> None:
    jobs: dict[str, object] = {"a": {"state": "new"}}

    def start() -> str:
        """Start the job."""
        jobs["a"] = (each for each in "x")
        return "started"

    def look() -> list[str]:
        """Look at the jobs."""
        return [type(each).__name__ for each in jobs.values()]

    make = made(Functions([start, look]))
    one, other = make(), make()
    call(one, "start")
    with pytest.raises(TypeError, match="generator"):
        one.snapshot()
    assert call(other, "look") == ["dict"]
    assert call(one, "look") == ["dict"]


def test_what_was_seen_to_change_nothing_has_only_looked() -> None:
    cars = {"C-1": {"state": "free"}, "C-2": {"state": "rented"}}

    def car_details(car: str) -> dict[str, str]:
        """Everything about a car."""
        return cars[car]

    def rent(car: str) -> None:
        """Rent a car."""
        cars[car]["state"] = "rented"

    @tool(effect="destroys")
    def crush(car: str) -> str:
        """Crush a car."""
        return "not today"

    def post(car: str) -> str:
        """Post a car."""
        return os.getcwd() + car

    toolbox = made(Functions([car_details, rent, crush, post]))()
    for name in ("car_details", "rent", "crush", "post"):
        call(toolbox, name, car="C-1")
    call(toolbox, "car_details", car="C-9")
    assert toolbox.observed() == {"car_details": "reads"}


class _Book(BaseModel):
    isbn: str
    due: date | None = None


def test_what_a_library_keeps_in_its_objects_is_no_field() -> None:
    books = {"B-1": _Book(isbn="B-1"), "B-2": _Book(isbn="B-2")}

    def lend(isbn: str) -> None:
        """Lend a book."""
        books[isbn].due = date(2026, 1, 5)

    toolbox = made(Functions([lend]))()
    before = toolbox.snapshot()
    call(toolbox, "lend", isbn="B-1")
    (change,) = difference(before, toolbox.snapshot())
    assert (change.before, change.after) == ({"isbn": "B-1", "due": None}, {"isbn": "B-1", "due": "2026-01-05"})
    toolbox.restore(before)
    assert difference(before, toolbox.snapshot()) == ()
