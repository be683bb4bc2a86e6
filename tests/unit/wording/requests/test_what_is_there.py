"""What exists is not called new, all of it are several, and what is to be is not said to be so yet."""

import re
from random import Random
from typing import get_args

import pytest

from misstep.core.scenario import Scalar
from misstep.wording.requests import Act, Closeness, Saying, facts_in, voices, wish_of, worded

LEVELS: tuple[Closeness, ...] = get_args(Closeness)
NEW = re.compile(r"\b(?:new|an?|some) (?:kiln|oven|lease|tenancy|slot|lathe)\b")


def said(act: Act, *, draws: int = 8) -> list[str]:
    texts: list[str] = []
    for closeness in LEVELS:
        for voice in voices():
            for seed in range(draws):
                made = worded(act, voice=voice, closeness=closeness, random=Random(seed))
                assert facts_in(made.text, act.sayings).faithful, made.text
                texts += [made.text, wish_of(act, said=made.text)]
    return texts


def content(name: str, value: Scalar) -> Saying:
    return Saying(name, value, "content", name.replace(" ", "_"))


@pytest.mark.parametrize(
    ("tool", "description"),
    [
        ("send_kiln", "Send a kiln out."),
        ("schedule_kiln", "Schedule a kiln."),
        ("extend_kiln", "Extend a kiln"),
        ("book_kiln", "Book a kiln."),
    ],
)
def test_nothing_is_called_new_that_is_there(tool: str, description: str) -> None:
    act = Act(tool, description, (content("fault", "rust"),), writes=True, there=("kiln",))
    for text in said(act):
        assert not NEW.search(text), text


def test_what_comes_into_being_is_called_new_still() -> None:
    act = Act("book_kiln", "Book a kiln.", (content("fault", "rust"),), writes=True, new=("kiln",), there=("kiln",))
    assert any(NEW.search(text) for text in said(act))


@pytest.mark.parametrize("description", ["Move a kiln to another room.", "Changes the room of a kiln."])
def test_all_of_them_are_several(description: str) -> None:
    verb = description.split(maxsplit=1)[0].lower().removesuffix("s")
    act = Act(f"{verb}_kiln", description, (content("room", "B12"),), writes=True, there=("kiln",), several=True)
    for text in said(act):
        assert not re.search(
            r"\bkiln\b|\bkilns's|(?<!of )(?<!of the )(?<!for )(?<!for the )\bkilns (?:is|isn't|has|goes|needs)\b", text
        ), text


def test_what_is_to_be_is_not_said_to_be_so() -> None:
    act = Act("change_plan", "Change the plan of a lease.", (content("plan", "basic"),), writes=True, there=("lease",))
    for text in said(act):
        assert not re.search(r"plan is basic|it's basic|basic is the right one|is basic now", text), text


def test_people_may_still_say_what_their_own_address_is_now() -> None:
    act = Act("update_email", "Update the email of a customer.", (content("email", "a@b.example"),), writes=True)
    assert any(re.search(r"(?:email|it's|is) (?:is )?a@b.example now", text) for text in said(act))


def test_what_lasts_longer_lasts_until_then() -> None:
    sayings = (Saying("lease number", "L-7", "key", "number"), content("return day", "2025-04-18"))
    act = Act("extend_lease", "Extend a lease to a later date", sayings, writes=True, there=("lease",))
    for text in said(act):
        assert not re.search(r"\b(?:on|for|at) (?:2025-04-18|18|April)", text), text
    assert any("until" in text for text in said(act))


def test_where_a_thing_is_moved_it_is_not_yet() -> None:
    sayings = (Saying("lathe number", "L-7", "key", "number"), content("room", "B12"))
    act = Act("move_lathe", "Move a lathe to another room.", sayings, writes=True, there=("lathe",))
    for text in said(act):
        assert not re.search(r"\bat B12|room is B12", text), text
