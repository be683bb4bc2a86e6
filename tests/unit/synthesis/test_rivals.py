"""Which goals of a conversation could be taken to be about each other's records, and what is done about it."""

import asyncio
from random import Random

import pytest
from msgspec import structs

from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact
from misstep.synthesis.abilities import Candidate
from misstep.synthesis.composing import compose
from misstep.synthesis.constraints import Constraint
from misstep.synthesis.ground import Ground
from misstep.synthesis.partnering import together
from misstep.synthesis.rivals import rivals
from misstep.synthesis.task import Control, Item, Step, Task


def about(key: str, wants: str, *, name: str = "kite id") -> Task:
    arguments = {"kite_id": key}
    return Task(
        id=f"show_kite/{key}/{wants}",
        kind="question",
        tool="show_kite",
        steps=(Step(tool="show_kite", arguments=dict(arguments), role="act"),),
        items=(Item(name=name, value=key, role="key", argument="kite_id"),),
        calls=(ExpectedCall(tool="show_kite", arguments=dict(arguments), optional=True),),
        told=(ExpectedFact(wants, (f"{wants} of {key}",)),),
        wants=wants,
        touches=(("kites", key),),
        controls=(Control(name="nothing-told", steps=()),),
    )


def act(tool: str, key: str | None, table: str = "kites") -> Task:
    arguments = {"kite_id": key} if key else {"colour": "red"}
    items = (
        Item(name="kite id", value=key, role="key", argument="kite_id")
        if key
        else Item(name="colour", value="red", role="content", argument="colour"),
    )
    return Task(
        id=f"{tool}/{key}",
        kind="act",
        tool=tool,
        steps=(Step(tool=tool, arguments=dict(arguments), role="act"),),
        items=items,
        calls=(ExpectedCall(tool=tool, arguments=dict(arguments)),),
        changes=(ExpectedChange(table=table, key=key),),
        touches=((table, key),) if key else (),
        controls=(Control(name="nothing-done", steps=()),),
    )


def test_two_records_of_one_table_are_rivals_and_one_record_is_its_own() -> None:
    assert rivals(about("K-1", "colour"), about("K-2", "length"))
    assert not rivals(about("K-1", "colour"), about("K-1", "length"))


def test_what_is_made_is_a_rival_of_what_is_there() -> None:
    assert rivals(act("sew_kite", None), act("fly_kite", "K-1"))
    assert not rivals(act("sew_flag", None, "flags"), act("fly_kite", "K-1"))


@pytest.mark.parametrize("specificity", ["all", "some", "none"])
def test_a_goal_about_another_record_names_it_in_its_own_words(specificity: str) -> None:
    tasks = [about("K-1", "colour"), about("K-2", "length"), about("K-3", "maker"), about("K-1", "price")]
    for seed in range(12):
        row = {"goals": 4, "specificity": specificity}
        person = compose(tasks, row, seed=seed, ground=Ground(stateful=False)).scenario.user
        later = [goal.ask for goal in person.goals if goal.after]
        said = " ".join((person.opening, *later))
        assert "K-2" in said
        assert "K-3" in said
        if later and specificity == "all":
            assert any("K-1" in text for text in later[-1:])


def test_who_keeps_back_which_one_is_meant_speaks_of_no_other_in_the_same_breath() -> None:
    for seed in range(12):
        row = {"goals": 2, "specificity": "none", "patience": 6}
        made = compose([about("K-1", "colour"), about("K-2", "length")], row, seed=seed, ground=Ground(stateful=False))
        assert "K-2" not in made.scenario.user.opening


def test_no_order_is_wanted_of_acts_on_two_things_of_one_kind() -> None:
    row = {"constraint": "order", "goals": 2}
    made = compose([act("fly_kite", "K-1"), act("sew_kite", None)], row, seed=1, ground=Ground(stateful=False))
    assert "constraint" in made.missed
    other = compose([act("fly_kite", "K-1"), act("fold_flag", None, "flags")], row, seed=1, ground=Ground())
    assert other.scenario.factors["constraint"] == "order"


def test_what_is_to_be_left_alone_is_nothing_that_another_goal_is_about(shop) -> None:
    constraint = Constraint(kind="exclusion", field="maker", value="Ada", noun="kite", left=("K-2",))
    main = structs.replace(act("fly_kite", "K-1"), stateful=False)
    partners = (act("mend_kite", "K-2"), act("mend_kite", "K-3"), act("fold_flag", "Ada", "flags"))
    partners = tuple(structs.replace(each, stateful=False) for each in partners)
    chosen = Candidate(task=main, constraint=constraint, partners=partners)

    async def kept() -> list[str]:
        found = await together(shop, chosen, {"goals": 3, "constraint": "exclusion"}, Random(1), among=())
        return [each.id for each in found if isinstance(each, Task)]

    assert asyncio.run(kept()) == ["mend_kite/K-3"]


def test_turns_later_a_record_is_named_again_also_where_it_is_the_same() -> None:
    tasks = [about("K-1", "colour"), about("K-1", "length")]
    for seed in range(12):
        person = compose(tasks, {"goals": 2}, seed=seed, ground=Ground(stateful=False)).scenario.user
        later = [goal.ask for goal in person.goals if goal.after]
        assert all("K-1" in text for text in later)
        assert later or person.opening.count("K-1") == 1


def test_the_number_of_what_an_act_is_done_to_says_which_one_is_meant() -> None:
    filing = structs.replace(act("accept_filing", None), items=(), touches=())
    tasks = [
        structs.replace(
            filing,
            id=f"accept_filing/{number}",
            items=(Item(name="filing no", value=number, role="content", argument="filing_no"),),
        )
        for number in (9002, 9003)
    ]
    assert rivals(*tasks)
    for seed in range(8):
        row = {"goals": 2, "specificity": "none"}
        person = compose(tasks, row, seed=seed, ground=Ground(stateful=False)).scenario.user
        assert "9003" in person.goals[1].ask


def test_what_tools_call_alike_is_of_one_kind_also_where_they_show_different_tables() -> None:
    beds = structs.replace(about("P1", "height", name="bed"), tool="plants_in_bed", touches=(("plants", "G-7"),))
    climate = structs.replace(about("N1", "zone", name="code"), tool="bed_climate", touches=(("beds", "N1"),))
    shown = structs.replace(about("K-9", "maker", name="maker"), tool="show_maker", touches=(("makers", "K-9"),))
    assert rivals(beds, climate)
    assert not rivals(shown, structs.replace(about("K-1", "colour"), tool="show_kite"))


def test_what_alone_says_which_record_is_changed_is_said() -> None:
    item = Item(name="band", value="Mother Static", role="content", argument="band")
    confirm = structs.replace(act("confirm_act", "3", "acts"), items=(item,))
    for seed in range(8):
        row = {"goals": 2, "specificity": "none"}
        person = compose([about("K-1", "colour"), confirm], row, seed=seed, ground=Ground(stateful=False)).scenario.user
        assert "Mother Static" in " ".join((person.opening, *(goal.ask for goal in person.goals)))
