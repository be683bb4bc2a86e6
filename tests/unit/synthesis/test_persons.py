"""What a person calls the things that they know: by what they are about, so that none answers for another."""

from random import Random

import pytest

from misstep.core.scenario import Fact, Scalar
from misstep.core.tool import Tool
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part, part_of
from misstep.synthesis.persons import facts_of
from misstep.synthesis.task import Item, Task

GROUND = Ground(
    nouns={
        ("name", "dr kato"): "doctor",
        ("name", "ines ferro"): "patient",
        ("title", "old maps"): "post",
    }
)


def known(*items: Item, ground: Ground = GROUND) -> dict[str, Fact]:
    task = Task(id="t", kind="act", tool="book_visit", steps=(), items=items)
    part = part_of(task, ground, specificity="none", random=Random(1))
    return {str(fact.value): fact for fact in facts_of([part], [part], ground)}


def test_the_name_of_a_doctor_is_no_answer_to_who_asks_for_the_speakers() -> None:
    facts = known(Item(name="name", value="Dr Kato", role="key"), Item(name="day", value="Monday", role="content"))
    assert facts["Dr Kato"].name == "name of the doctor"
    assert "name" in facts["Dr Kato"].words


def test_the_speakers_own_name_is_just_a_name() -> None:
    assert known(Item(name="name", value="Ines Ferro", role="key"))["Ines Ferro"].name == "name"


def test_what_a_record_is_to_get_is_not_called_after_another_that_has_it() -> None:
    facts = known(Item(name="title", value="Old maps", role="content", argument="title"))
    assert facts["Old maps"].name == "title"


SHOP = Ground(
    tools={
        "show_order": Tool(
            "show_order", "Show an order with the items of a customer.", {"properties": {"id": "The order number."}}
        )
    },
    nouns={("joined on", "2021-03-04"): "customer", ("shipped on", "2021-03-05"): "order", ("title", "mug"): "item"},
)


@pytest.mark.parametrize(
    ("name", "value", "called"),
    [
        ("order id", "W-1", "order number"),
        ("item id", "I-1", "item id"),
        ("order status", "open", "status of the order"),
        ("new order status", "open", "status of the new order"),
        ("joined on", "2021-03-04", "date I joined"),
        ("shipped on", "2021-03-05", "date the order was shipped"),
        ("changed on", "2021-03-06", "date it was changed"),
        ("minutes", 30, "number of minutes"),
        ("weight in kg", 4, "weight in kg"),
    ],
)
def test_nothing_is_called_as_its_field_is(name: str, value: Scalar, called: str) -> None:
    fact = known(Item(name=name, value=value, role="key"), ground=SHOP)[str(value)]
    assert fact.name == called
    assert name in (fact.name, *fact.words)


def item_of(title: str, colour: str, ground: Ground, *, wants: str = "") -> Part:
    items = (Item(name="item title", value=title, role="key"), Item(name="item colour", value=colour, role="key"))
    task = Task(id=title, kind="question" if wants else "act", tool="order_item", steps=(), items=items, wants=wants)
    return part_of(task, ground, specificity="none", random=Random(1))


def test_all_that_is_known_of_one_of_two_things_is_told_apart_alike() -> None:
    shop = Ground(nouns={("title", "jug"): "item"})
    parts = [item_of("mug", "red", shop), item_of("cup", "red", shop)]
    names = [fact.name for fact in facts_of(parts, parts, shop)]
    assert names == [
        "title of the first item",
        "colour of the first item",
        "title of the second item",
        "colour of the second item",
    ]


def test_one_of_two_things_is_the_one_that_something_is_asked_of() -> None:
    shop = Ground(nouns={("title", "jug"): "item"})
    parts = [item_of("mug", "red", shop, wants="price"), item_of("cup", "red", shop, wants="weight")]
    assert "title of the item I want the price of" in [fact.name for fact in facts_of(parts, parts, shop)]
