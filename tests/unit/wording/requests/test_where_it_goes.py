"""Where a thing goes and who is put into what are said, and not lost with the words of the tool."""

import re
from random import Random
from typing import get_args

import pytest

from misstep.core.scenario import Scalar
from misstep.wording.requests import Act, Closeness, Saying, facts_in, voices, wish_of, worded
from misstep.wording.requests.deeds import deed_of

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
    ("tool", "description", "noun", "tail"),
    [
        (
            "to_foundry",
            "Send a lathe to the foundry. Lathes in use have to be stopped first.",
            "lathe",
            "to the foundry",
        ),
        ("dispatch", "Send a lathe to the foundry.", "lathe", "to the foundry"),
        ("strike_dish", "Strike a dish off the menu.", "dish", "off the menu"),
        ("move_plant", "Move a plant to another bed.", "plant", ""),
        ("send_note", "Send a note to the customer.", "note", ""),
    ],
)
def test_where_a_thing_goes_is_part_of_what_is_done(tool: str, description: str, noun: str, tail: str) -> None:
    deed = deed_of(tool, description, "", frozenset({"customer", "number", "bed"}))
    assert (deed.noun, deed.tail) == (noun, tail)


def test_where_it_goes_is_said_in_all_words() -> None:
    act = Act(
        "to_foundry",
        "Send a lathe to the foundry. Lathes in use have to be stopped first.",
        (Saying("lathe number", "L-7", "key", "number"), content("fault", "rust")),
        writes=True,
        there=("lathe",),
    )
    for text in said(act):
        assert "to the foundry" in text or "to foundry" in text, text
        assert not NEW.search(text), text


@pytest.mark.parametrize("hold", [True, False])
def test_a_flag_that_is_called_like_a_state_says_whether_it_is_so(hold: bool) -> None:
    sayings = (Saying("tenant code", "T-7", "key", "code"), content("new on hold", hold))
    act = Act("set_hold", "Put a tenancy on hold or lift the hold", sayings, writes=True)
    for text in said(act):
        assert re.search(r"\bon hold\b", text), text
        assert not re.search(r"put (?:my|the|a) hold|the hold\b|hold right", text), text


def test_who_is_enrolled_is_not_what_is_signed_up_for() -> None:
    sayings = (Saying("swimmer number", "S-7", "key", "swimmer"), Saying("course code", "C-1", "key", "course"))
    act = Act("enrol", "Enrols a swimmer in a course.", sayings, writes=True, new=("enrolment",))
    for text in said(act):
        assert not re.search(r"sign\w* (?:me )?up for (?:the )?swimmer|sign up for", text), text
