"""Data in data that functions hold, as tables: by which names, under which keys, and the same after each change."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import pytest

from misstep.core.state import difference
from misstep.core.tool import JSON
from misstep.tools.functions import Functions
from misstep.tools.held import Held, held


def _held(function: Callable[..., object]) -> Held:
    make = asyncio.run(held(Functions([function]))).make
    assert make is not None
    return make()


def _tables(data: object) -> dict[str, dict[str, dict[str, JSON]]]:
    """The state of a function that does something to this data, which it calls `stock`."""

    def drop(name: str) -> None:
        """Drop something."""
        stock.pop(name)  # pyright: ignore

    stock = data
    state = _held(drop).snapshot()
    return {table: {key: dict(record) for key, record in rows.items()} for table, rows in state.items()}


class _Site:
    def __init__(self) -> None:
        self.houses: dict[str, object] = {
            "H1": {"area": 9, "beds": {"B1": {"crop": "mint"}}},
            "H2": {"area": 4, "beds": {}},
        }


class _Person(NamedTuple):
    name: str
    town: str

    def moved(self, town: str) -> "_Person":
        return self._replace(town=town)


_PEOPLE = {"P1": _Person("Ann", "Hull"), "P2": _Person("Bo", "York")}


def _move(person: str, town: str) -> None:
    """Move somebody."""
    _PEOPLE[person] = _PEOPLE[person].moved(town)


def test_names_lead_to_tables_where_one_of_them_is_nested_deeper_or_no_table_at_all() -> None:
    vans = {"V1": {"plate": "A"}, "V2": {"plate": "B"}}
    repairs = {"V1": {"J1": {"cost": 3, "open": True}}, "V2": {"J2": {"cost": 4, "open": False}}}
    tables = _tables({"vans": vans, "repairs": repairs, "day": "Monday"})
    assert set(tables) == {"vans", "repairs", "stock"}
    assert tables["vans"] == vans
    assert tables["repairs"]["J2"] == {"repair": "V2", "cost": 4, "open": False}
    assert tables["stock"] == {"stock": {"day": "Monday"}}


def test_records_three_keys_deep_say_where_they_lie() -> None:
    tables = _tables(
        {
            "north": {"art": {"I1": {"title": "Emma"}, "I2": {"title": "Dune"}}},
            "south": {"art": {"I3": {"title": "Faust"}}},
        }
    )
    assert list(tables) == ["stock"]
    assert [(key, row["stock"], row["group"]) for key, row in tables["stock"].items()] == [
        ("I1", "north", "art"),
        ("I2", "north", "art"),
        ("I3", "south", "art"),
    ]


@pytest.mark.parametrize(
    "held", [_Site(), {"houses": _Site().houses, "crew": {"C1": {"name": "Lena"}}}], ids=["object", "names"]
)
def test_keyed_records_in_records_are_records_of_their_own_that_know_whose_they_are(held: object) -> None:
    tables = _tables(held)
    assert tables["houses"] == {"H1": {"area": 9}, "H2": {"area": 4}}
    assert tables["beds"] == {"B1": {"house": "H1", "crop": "mint"}}


def test_listed_records_with_ids_of_their_own_are_records_and_lines_without_are_not() -> None:
    orders = {
        "O1": {"total": 5, "lines": [{"item_id": "A", "count": 1}], "visits": [{"visit_id": "X1", "day": "Monday"}]},
        "O2": {"total": 6, "lines": [{"item_id": "A", "count": 2}], "visits": [{"visit_id": "X2", "day": "Friday"}]},
    }
    tables = _tables(orders)
    assert tables["stock"]["O2"] == {"total": 6, "lines": [{"item_id": "A", "count": 2}]}
    assert tables["visits"]["X2"] == {"stock": "O2", "visit_id": "X2", "day": "Friday"}


def test_what_each_record_has_under_the_same_names_stays_in_it() -> None:
    people = {name: {"age": 3, "phones": {"home": {"number": "1"}, "work": {"number": "2"}}} for name in ("ann", "bo")}
    assert list(_tables(people)) == ["stock"]


def test_what_is_emptied_and_filled_again_lies_where_it_lay() -> None:
    beds = {"B1": {"crop": "mint"}}
    houses: dict[str, dict[str, object]] = {"H1": {"area": 9, "beds": beds}}

    def plant(bed: str, crop: str) -> int:
        """Plant something instead of all that is there."""
        beds.clear()
        if crop:
            beds[bed] = {"crop": crop}
        return len(houses)

    toolbox = _held(plant)
    before = toolbox.snapshot()
    asyncio.run(toolbox.call("plant", {"bed": "B1", "crop": ""}))
    assert [(each.key, each.after) for each in difference(before, toolbox.snapshot())] == [("B1", None)]
    asyncio.run(toolbox.call("plant", {"bed": "B7", "crop": "kale"}))
    assert {each.key for each in difference(before, toolbox.snapshot())} == {"B1", "B7"}


def test_named_tuples_are_records_and_reach_nothing_beyond_themselves() -> None:
    holding = asyncio.run(held(Functions([_move])))
    assert holding.beyond == {}
    toolbox = _held(_move)
    assert dict(toolbox.snapshot()["people"]["P1"]) == {"name": "Ann", "town": "Hull"}
    before = toolbox.snapshot()
    asyncio.run(toolbox.call("_move", {"person": "P2", "town": "Goole"}))
    assert [(each.key, each.fields) for each in difference(before, toolbox.snapshot())] == [("P2", ("town",))]
