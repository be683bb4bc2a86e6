"""What changes and whose it is are not mixed up: the verb and noun of the tool decide, not the order of arguments."""

import re
from random import Random
from typing import get_args

import pytest

from misstep.wording.requests import Act, Closeness, Saying, facts_in, order_of, voices, wish_of, worded

LEVELS: tuple[Closeness, ...] = get_args(Closeness)
PHONE = Saying("new phone", "555 0199", "content", "phone")
ID_CHANGES = re.compile(
    r"swimmer(?:'s)? id (?:of|for|should|is wrong|has|isn't)|(?:update|change|correct)\w* the swimmer|phone's|id to 311"
    r"|message|id is 311 now|311 from now on"
)


def act(*sayings: Saying, description: str = "Changes the phone number of a swimmer.") -> Act:
    return Act("update_phone", description, sayings, outcome=(("phone", "555 0199"),), writes=True)


def said(act: Act) -> list[str]:
    texts: list[str] = []
    for closeness in LEVELS:
        for voice in voices():
            for seed in range(6):
                made = worded(act, voice=voice, closeness=closeness, random=Random(seed))
                assert facts_in(made.text, act.sayings).faithful, made.text
                texts += [made.text, wish_of(act, said=made.text)]
                texts.append(order_of(act, random=Random(seed)))
    return texts


@pytest.mark.parametrize("role", ["key", "content"])
@pytest.mark.parametrize("description", ["Changes the phone number of a swimmer.", ""])
def test_the_id_of_a_person_is_never_what_changes(role: str, description: str) -> None:
    if role == "content" and not description:
        return  # nothing says whose it is
    whose = Saying("swimmer id", 311, role, "swimmer_id")  # pyright: ignore[reportArgumentType]
    for text in said(act(whose, PHONE, description=description)):
        assert not ID_CHANGES.search(text.lower().replace("swimmer's phone", "")), text


def test_whose_it_is_stands_with_what_changes() -> None:
    texts = said(act(Saying("swimmer id", 311, "key", "swimmer_id"), PHONE))
    assert any("the phone of swimmer 311 to 555 0199" in text for text in texts)
    assert any(text == "update the phone of the swimmer" for text in texts)


def test_a_field_is_not_called_by_other_words_for_a_thing_of_that_name() -> None:
    email = Act(
        "update_email",
        "Changes the email address of a swimmer.",
        (Saying("swimmer id", 311, "key", "swimmer_id"), Saying("new email", "ida@mail.example", "content", "email")),
        outcome=(("email", "ida@mail.example"),),
        writes=True,
    )
    assert not [text for text in said(email) if "message" in text]
