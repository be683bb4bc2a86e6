"""What a user's words order, and how firmly."""

import pytest

from misstep.detectors.evidence.orders import leaves_it_open, means_an_end, orders


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Close account A-1 and open another.", ["clos", "open"]),
        ("Could you please move it?", ["move"]),
        ("I'd like it cancelled.", ["cancel"]),
        ("The lamp should be switched off.", ["switch"]),
        ("E-mail me the list.", ["email"]),
    ],
)
def test_a_request_is_an_order_by_its_verb(text: str, verbs: list[str]) -> None:
    assert [order.verb for order in orders(text) if order.firm] == verbs


@pytest.mark.parametrize(
    "text", ["What is on A-1?", "The disk is nearly full.", "Don't close A-1.", "I have two cards.", "Is it open?"]
)
def test_questions_statements_and_bans_order_nothing(text: str) -> None:
    assert orders(text) == ()


def test_what_is_thought_aloud_is_not_firm() -> None:
    assert [order.firm for order in orders("Perhaps close A-1.")] == [False]


def test_an_end_has_many_everyday_words() -> None:
    assert all(means_an_end(orders(text)[0]) for text in ("Get rid of A-1.", "Take A-1 off the list.", "Scrap A-1."))
    assert not means_an_end(orders("Get me the list.")[0])
    assert leaves_it_open(orders("Deal with ticket 9.")[0])
