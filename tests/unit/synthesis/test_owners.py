"""Whose a record is: learnt from how records hang together, or declared; and one conversation is about one person."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import cast

import pytest
from worlds_made import MANY_SCENARIOS, synthesis_in, tasks_in

from misstep.catalog import toolbox_named
from misstep.cli.synthesize import made_for
from misstep.core.errors import UsageError
from misstep.core.roles import Stateful
from misstep.core.scenario import Scenario
from misstep.core.state import Record, State
from misstep.synthesis.ground import MakeToolbox
from misstep.synthesis.making import Synthesis, Wish
from misstep.synthesis.owners import Ownership, one_person
from misstep.synthesis.synthesizing import fulfilled, synthesize
from misstep.synthesis.tasks.executing import bench_for
from misstep.synthesis.tasks.surveying import Row, Survey, survey_of
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import Functions, as_toolbox, tool
from misstep.tools.held import held
from misstep.worlds import world_named


def library() -> list[Callable[..., object]]:
    readers = {
        "R-1": {"name": "Ana Ruiz", "email": "ana@post.example", "joined_on": "2024-03-01"},
        "R-2": {"name": "Bo Lind", "email": "bo@post.example", "joined_on": "2023-07-12"},
    }
    books = {
        "B-1": {"title": "Old Maps", "shelf": "north"},
        "B-2": {"title": "Sea Birds", "shelf": "south"},
        "B-3": {"title": "Tall Ships", "shelf": "attic"},
    }
    loans = {
        "L-1": {"reader": "R-1", "book": "B-1", "due_on": "2026-05-01"},
        "L-2": {"reader": "R-2", "book": "B-2", "due_on": "2026-05-08"},
        "L-3": {"reader": "R-1", "book": "B-3", "due_on": "2026-05-15"},
    }
    fines = {
        "F-1": {"loan": "L-1", "amount": 3, "paid": False},
        "F-2": {"loan": "L-2", "amount": 5, "paid": False},
    }

    def get_reader(reader_id: str) -> dict[str, str]:
        """One reader."""
        return readers[reader_id]

    def get_book(title: str) -> dict[str, str]:
        """A book by its title."""
        return next(each for each in books.values() if each["title"] == title)

    def get_loan(loan_id: str) -> dict[str, str]:
        """One loan."""
        return loans[loan_id]

    def renew_loan(loan_id: str, due_on: str) -> dict[str, str]:
        """Renew a loan."""
        loans[loan_id]["due_on"] = due_on
        return loans[loan_id]

    def pay_fine(fine_id: str) -> dict[str, object]:
        """Pay a fine."""
        if fines[fine_id]["paid"]:
            raise ValueError(f"{fine_id} is paid already")
        fines[fine_id]["paid"] = True
        return fines[fine_id]

    return [get_reader, get_book, get_loan, renew_loan, pay_fine]


@cache
def _library() -> MakeToolbox:
    make = asyncio.run(held(as_toolbox(library))).make
    assert make is not None
    return lambda seed: make()


def _state(make: MakeToolbox) -> State:
    return cast("Stateful", make(0)).snapshot()


def _ownership(
    tables: Mapping[str, Mapping[str, Mapping[str, object]]], declared: Sequence[str] | None = None
) -> Callable[[str, str], set[str]]:
    rows = (Row(table, key, cast("Record", row)) for table, some in tables.items() for key, row in some.items())
    survey = Survey(rows)
    owners = Ownership(survey, {}, declared)
    return lambda table, key: {each.rpartition(" ")[2] for each in owners.of_row(_row(survey, table, key))}


def _row(survey: Survey, table: str, key: str) -> Row:
    row = survey.row(table, key)
    assert row is not None
    return row


def _owners_in_shop() -> dict[str, str]:
    """Keys, mail addresses and phone numbers, and the customer whose they are."""
    state = _state(world_named("shop").make)
    owners = {key: key for key in state["customers"]}
    for table in ("addresses", "orders", "notes"):
        owners |= {key: str(row["customer_id"]) for key, row in state[table].items()}
    for table in ("payments", "refunds", "exchanges"):
        owners |= {key: owners[str(row["order_id"])] for key, row in state[table].items()}
    contacts = [(str(row[name]), key) for key, row in state["customers"].items() for name in ("email", "phone")]
    held_by = [value for value, _ in contacts]
    return owners | {value: key for value, key in contacts if held_by.count(value) == 1}


def _said_in(made: Synthesis, scenario: Scenario) -> list[str]:
    calls = [value for step in made.plans[scenario.name].steps for value in step.arguments.values()]
    facts = [fact.value for fact in scenario.user.facts]
    return [str(each) for each in (*calls, *facts, *(goal.ask for goal in scenario.user.goals))]


def test_no_conversation_in_the_shop_touches_records_of_two_customers() -> None:
    made, owners = synthesis_in("shop"), _owners_in_shop()
    assert len(made.scenarios) == MANY_SCENARIOS
    several = 0
    for scenario in made.scenarios:
        said = _said_in(made, scenario)
        words = {*said, *(word for each in said for word in re.findall(r"[\w-]+", each))}
        found = {owners[word] for word in words if word in owners}
        several += len(scenario.user.goals) > 1 and bool(found)
        assert len(found) <= 1, (scenario.name, found)
    assert several >= 20


def test_nobody_asks_for_their_own_name() -> None:
    state = _state(world_named("shop").make)
    known = {str(row[name]) for row in state["customers"].values() for name in ("name", "email", "phone")}
    for scenario in synthesis_in("shop").scenarios:
        assert scenario.objective is not None
        told = {str(form) for fact in scenario.objective.facts for form in fact.any_of}
        assert known.isdisjoint(told), scenario.name


def test_all_tools_of_the_shop_are_still_reached() -> None:
    assert len(synthesis_in("shop").figures.reached) == 24
    assert not synthesis_in("shop").figures.unreached


def test_functions_with_two_persons_records_make_conversations_about_one_of_them() -> None:
    made = asyncio.run(synthesize(_library(), count=60))
    owners = {"R-1": 1, "L-1": 1, "L-3": 1, "F-1": 1, "R-2": 2, "L-2": 2, "F-2": 2}
    several = 0
    for scenario in made.scenarios:
        found = {owners[each] for each in _said_in(made, scenario) if each in owners}
        several += len(scenario.user.goals) > 1
        assert len(found) <= 1, (scenario.name, scenario.user)
    assert several >= 5


def test_a_look_up_of_a_person_is_not_asked_for_the_name() -> None:
    tasks = asyncio.run(tasks_of(_library(), count=80)).tasks
    assert "joined on" in {task.wants for task in tasks}
    assert not {"name", "email"} & {task.wants for task in tasks if task.tool == "get_reader"}


def test_persons_are_found_where_no_word_says_that_they_are() -> None:
    tasks = tasks_in("shop-renamed").tasks
    assert all(one_person([task.owners]) for task in tasks)
    assert sum(bool(task.owners) for task in tasks) > 80


def test_what_a_look_up_by_a_person_s_key_shows_is_theirs_where_no_state_is_seen() -> None:
    members = {f"M-{at}": {"member_id": f"M-{at}", "email": f"m{at}@post.example"} for at in range(3)}
    parcels = {f"M-{at}": [{"parcel_id": f"X-{at}{part}", "grams": f"{at}{part}0"} for part in "12"] for at in range(3)}

    def list_members() -> list[dict[str, str]]:
        """All members."""
        return list(members.values())

    def list_parcels(member_id: str) -> list[dict[str, str]]:
        """The parcels of a member."""
        return parcels[member_id]

    async def surveyed() -> Survey:
        bench = await bench_for(lambda _: as_toolbox([list_members, list_parcels]), seed=0)
        return await survey_of(bench, Random(0))

    survey = asyncio.run(surveyed())
    owners = Ownership(survey, {})
    found = {row.key: owners.of_row(row) for row in survey.tables["list_parcels"]}
    assert found["X-11"] == found["X-12"] == {"list_members M-1"}


SHELF = {"B-1": {"title": "Old Maps"}, "B-2": {"title": "Sea Birds"}}


def test_what_a_person_refers_to_and_nobody_else_is_theirs() -> None:
    whose = _ownership(
        {
            "members": {"M-1": {"orders": ["O-1", "O-2"], "plan": "P-1"}, "M-2": {"orders": ["O-3"], "plan": "P-1"}},
            "orders": {"O-1": {"total": 3}, "O-2": {"total": 4}, "O-3": {"total": 5}},
            "plans": {"P-1": {"fee": 9}},
        }
    )
    assert whose("orders", "O-2") == {"M-1"}
    assert not whose("plans", "P-1")


def test_a_field_with_a_word_for_who_speaks_says_whose_it_is_where_persons_have_no_records() -> None:
    whose = _ownership({"visits": {"V-1": {"patient": "Ana Ruiz"}, "V-2": {"patient": "Bo Lind"}}, "books": SHELF})
    assert whose("visits", "V-1") == {"ruiz"}
    assert not whose("books", "B-1")


def test_a_doctor_is_not_whose_a_visit_is_where_patients_have_records_too() -> None:
    def person(at: int) -> dict[str, str]:
        return {"name": f"N {at}", "email": f"n{at}@post.example"}

    whose = _ownership(
        {
            "patients": {"P-1": person(1), "P-2": person(2)},
            "doctors": {"D-1": person(3), "D-2": person(4)},
            "visits": {
                "V-1": {"patient_id": "P-1", "doctor_id": "D-1"},
                "V-2": {"patient_id": "P-2", "doctor_id": "D-2"},
            },
        }
    )
    assert whose("visits", "V-1") == {"P-1"}
    assert not whose("doctors", "D-1")


TICKETS = {
    "staff": {"S-1": {"email": "a@post.example"}, "S-2": {"email": "b@post.example"}},
    "tickets": {"T-1": {"by": "S-1", "to": "S-2", "for": "Ana"}, "T-2": {"by": "S-2", "to": "S-1", "for": "Bo"}},
}


def test_records_that_two_persons_share_are_either_s() -> None:
    assert _ownership(TICKETS)("tickets", "T-1") == {"S-1", "S-2"}


@pytest.mark.parametrize(
    ("declared", "owner"),
    [(["tickets.by"], {"S-1"}), (["*.to"], {"S-2"}), (["tickets.for"], {"ana"}), ([], set[str]())],
)
def test_what_is_declared_counts_in_place_of_what_is_learnt(declared: list[str], owner: set[str]) -> None:
    assert _ownership(TICKETS, declared)("tickets", "T-1") == owner


def test_a_declared_table_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"'reader', but .*Did you mean 'readers'\?.*books, fines, loans, readers"):
        asyncio.run(fulfilled(Wish(owners=("reader",)), _library(), count=2))


def test_an_argument_that_a_function_is_marked_with_names_the_person() -> None:
    @tool(owner="holder")
    def get_card(holder: str) -> dict[str, str]:
        """A card."""
        return {"card": holder}

    toolbox = as_toolbox([get_card])
    assert isinstance(toolbox, Functions)
    cards = {"C-1": {"holder": "H-1"}, "C-2": {"holder": "H-2"}}
    whose = _ownership({"holders": {"H-1": {"born": "1990"}, "H-2": {"born": "1991"}}, "cards": cards}, toolbox.owners)
    assert whose("cards", "C-1") == whose("holders", "H-1") == {"H-1"}


def test_a_mark_for_an_argument_that_is_not_there_is_told() -> None:
    @tool(owner="holdr")
    def get_card(holder: str) -> str:
        """A card."""
        return holder

    with pytest.raises(UsageError, match=r"no argument 'holdr'.*Did you mean 'holder'"):
        as_toolbox([get_card])


def test_what_the_settings_declare_wins_over_what_functions_are_marked_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cards.py").write_text(CARDS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    named = toolbox_named("cards:tools")
    assert named.owners == ("*.holder",)
    made_for(named, Wish(), count=2, seed=0)
    (tmp_path / "misstep.toml").write_text('owners = ["holders"]')
    with pytest.raises(UsageError, match="'holders', but these tools hold no records of that name"):
        made_for(named, Wish(), count=2, seed=0)


CARDS = '''
from misstep import tool

cards = {"C-1": {"holder": "Ana", "limit": 100}, "C-2": {"holder": "Bo", "limit": 200}}


@tool(owner="holder")
def get_card(holder: str) -> dict:
    """The card of a person."""
    return next(each for each in cards.values() if each["holder"] == holder)


tools = [get_card]
'''
