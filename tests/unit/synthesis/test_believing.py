"""What a person may have wrong without seeming to mean another record."""

import pytest
from msgspec import structs

from misstep.core.objective import ExpectedCall, ExpectedFact
from misstep.core.scenario import Scalar
from misstep.synthesis.abilities import consistent
from misstep.synthesis.believing import beliefs
from misstep.synthesis.composing import compose
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Control, Item, Premise, Step, Task

HELD = {
    "state": {"open": 4, "sold": 3},
    "painter": {"ada lind": 1, "bo berg": 1},
    "price": {"120": 1, "300": 1},
    "hung on": {"2026-03-01": 1, "2026-03-09": 1},
}


def painting(premise: Premise, *items: Item) -> Task:
    return Task(
        id=f"show_painting/{premise.field}",
        kind="question",
        tool="show_painting",
        steps=(Step(tool="show_painting", arguments={"painting_id": "A-17"}, role="act"),),
        items=items,
        calls=(ExpectedCall(tool="show_painting", arguments={"painting_id": "A-17"}, optional=True),),
        told=(ExpectedFact("room", ("north hall",)),),
        wants="room",
        premises=(premise,),
        touches=(("paintings", "A-17"),),
        controls=(Control(name="nothing-told", steps=()),),
    )


NUMBER = Item(name="painting id", value="A-17", role="key", argument="painting_id")
TITLE = Item(name="title", value="Still life", role="key")
YEAR = Item(name="year", value=1911, role="mark")


def believed(premise: Premise, *items: Item) -> Premise | None:
    task = painting(premise, *items)
    part = Part(
        task=task, steps=task.steps, calls=task.calls, changes=(), told=task.told, controls=(), items=items, up_front=()
    )
    return next(iter(beliefs(part, Ground(held=HELD))), None)


def test_nobody_believes_what_names_another_record() -> None:
    assert believed(Premise("painter", "Ada Lind", "Bo Berg"), NUMBER) is None
    assert believed(Premise("painter", "Ada Lind", "Bo Berg"), TITLE) is None


def test_what_many_have_may_be_believed_only_of_a_record_whose_number_is_said() -> None:
    assert believed(Premise("state", "open", "sold"), NUMBER) == Premise("state", "open", "sold")
    assert believed(Premise("state", "open", "sold"), TITLE, YEAR) is None


@pytest.mark.parametrize(("field", "true", "false"), [("price", 120, 300), ("hung on", "2026-03-01", "2026-03-09")])
def test_a_wrong_number_or_day_is_one_that_no_record_has(field: str, true: Scalar, false: Scalar) -> None:
    found = believed(Premise(field, true, false), TITLE)
    assert found is not None
    assert str(found.false) not in HELD[field]
    assert found.false != true


def test_nothing_is_believed_of_a_record_that_nothing_is_said_of() -> None:
    assert believed(Premise("price", 120, 75), structs.replace(NUMBER, role="content")) is None


def test_which_record_is_meant_is_said_with_what_is_believed_of_it() -> None:
    task = painting(Premise("price", 120, 75), TITLE, YEAR)
    for seed in range(12):
        row = {"premise": "false", "specificity": "some"}
        opening = compose([task], row, seed=seed, ground=Ground(stateful=False)).scenario.user.opening
        assert all(said in opening for said in ("75", "1911"))
        assert "still life" in opening.casefold()


def test_whoever_has_to_look_the_number_up_believes_nothing_wrong_besides() -> None:
    assert not consistent({"premise": "false", "knowledge": "looked-up"})
