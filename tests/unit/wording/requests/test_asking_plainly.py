"""What a question asks for, and of what, can be understood by somebody who has never seen the tool."""

import re
from random import Random

import pytest

from misstep.wording.requests import Act, Saying, wish_of, worded


def said(act: Act, closeness: str = "close", draws: int = 30) -> list[str]:
    texts = [worded(act, closeness=closeness, random=Random(seed)).text for seed in range(draws)]  # pyright: ignore[reportArgumentType]
    return [*texts, wish_of(act)]


@pytest.mark.parametrize("closeness", ["close", "synonym"])
def test_nobody_asks_for_the_fares_of_the_fare(closeness: str) -> None:
    act = Act(
        "get_fares_for_ferries",
        "Get the fares of the given ferries.",
        (Saying("name", "Sea Queen", "key"),),
        "fares",
        kind="question",
        about="ferry",
    )
    for text in said(act, closeness):
        assert "of the fare" not in text
        assert "for the fare" not in text
        assert "ferr" in text or "fares" in text


def test_where_nothing_is_told_of_what_it_is_of_it_is_asked_for_alone() -> None:
    act = Act("get_current_tide", "Returns the current tide.", (), "current tide", kind="question")
    for text in said(act):
        assert "of the current tide" not in text
        assert "for the current tide" not in text


@pytest.mark.parametrize(
    ("tool", "description", "about", "wanted"),
    [
        ("read_scroll", "Reads the scroll at the given path.", "scroll", "content"),
        ("harbour_status", "Shows the state of the harbour.", "harbour", "state"),
    ],
)
def test_the_whole_answer_is_not_called_a_result(tool: str, description: str, about: str, wanted: str) -> None:
    act = Act(
        tool, description, (Saying("place", "willow", "key"),), "result", kind="question", about=about, whole=True
    )
    for text in said(act):
        assert "result" not in text
        assert wanted in text


@pytest.mark.parametrize("field", ["value", "result"])
def test_a_field_that_is_called_value_is_called_so(field: str) -> None:
    sayings = (Saying("sensor number", "S-7", "key"),)
    act = Act("get_reading", "Get the reading of a sensor.", sayings, field, kind="question", about="sensor")
    assert all(field in text for text in said(act))


def test_what_is_changed_is_said_to_be_of_something() -> None:
    sayings = (Saying("title", "Rent", "mark"), Saying("amount", 12.5, "content", "amount"))
    for text in said(Act("update_standing_order", "Update a standing order.", sayings)):
        assert "standing order" in text


def test_a_number_alone_is_not_what_a_field_is_of() -> None:
    sayings = (Saying("id", 7, "key", "id"), Saying("amount", 12.5, "content", "amount"))
    for text in said(Act("update_standing_order", "Update a standing order.", sayings)):
        assert "of 7" not in text


def test_somebody_who_is_named_is_not_my_account() -> None:
    sayings = (Saying("member", "Ann", "content", "member"), Saying("group", "rowers", "content", "group"))
    for text in said(Act("invite_member_to_group", "Invites a member to a group.", sayings)):
        assert "my account" not in text


@pytest.mark.parametrize("closeness", ["close", "synonym", "foreign"])
def test_to_check_in_is_not_to_check(closeness: str) -> None:
    act = Act("check_in", "Check in a guest.", (Saying("booking number", "B-17", "key", "booking_id"),))
    for text in said(act, closeness):
        assert re.search(r"\bcheck(?:ed|ing)? .*\bin\b|\bcheck(?:ed|ing)? in\b", text, re.IGNORECASE)
        assert "my account" not in text
        assert "double-check" not in text


@pytest.mark.parametrize("closeness", ["close", "synonym", "foreign"])
def test_where_something_is_sent_is_said(closeness: str) -> None:
    act = Act("send_to_repair", "Send a car to the workshop.", (Saying("car number", "C-17", "key", "car_id"),))
    for text in said(act, closeness):
        assert "to repair" in text
        assert re.search(r"\b(?:send|sent|sending)\b", text, re.IGNORECASE)


def texts_of(act: Act) -> list[str]:
    return [
        worded(act, closeness=level, random=Random(seed)).text for level in ("close", "foreign") for seed in range(60)
    ]


@pytest.mark.parametrize(
    ("act", "absurd"),
    [
        (
            Act(
                "record_weight",
                "Record the weight of a pet.",
                (Saying("pet id", "P-12", "key"), Saying("weight in kg", 1.9, "content", "weight_kg")),
                writes=True,
            ),
            r"of the pet of|with 1\.9",
        ),
        (
            Act(
                "request_leave",
                "Request leave.",
                (
                    Saying("start day", "2026-12-21", "content", "from_day"),
                    Saying("end day", "2026-12-24", "content", "to_day"),
                ),
                writes=True,
            ),
            r"with [^.]* with |with .* as the (?:start|end) day",
        ),
        (
            Act("cancel_order", "Cancel an order.", (Saying("item colour", "white", "mark"),), writes=True),
            r"white (?:order|purchase)",
        ),
        (
            Act(
                "pay_bill",
                "Pay a bill with a card.",
                (Saying("bill id", "B-1", "key"), Saying("card number", "4717", "content", "card_number")),
            ),
            r"under card|conscience with|anything with",
        ),
        (
            Act(
                "send_to_address", "Send a mail to an e-mail address.", (Saying("email", "a@b.c", "content", "email"),)
            ),
            r"to an address to",
        ),
    ],
)
def test_what_is_told_hangs_where_it_belongs(act: Act, absurd: str) -> None:
    assert [text for text in texts_of(act) if re.search(absurd, text)] == []
