"""What a message is heard to do, with nobody's ledger at hand."""

import pytest

from misstep.wording.understanding import understand


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Your parcel has been sent.", "done"),
        ("Unfortunately that is not possible.", "refusal"),
        ("Just a second, I'm looking into it.", "wait"),
        ("Anything else?", "more"),
        ("How may I be of service?", "greeting"),
        ("The shop opens at nine.", "statement"),
        ("name: Ann; city: Rome; status: active.", "statement"),
    ],
)
def test_a_message_that_asks_nothing_is_a_signal(text: str, signal: str) -> None:
    reading = understand(text)
    assert (reading.asks, reading.confirms, reading.options) == ((), (), ())
    assert signal in reading.signals


def test_a_list_of_things_to_provide_is_as_many_questions() -> None:
    reading = understand("Please send me:\n1. your name\n2. the order number")
    assert [ask.text for ask in reading.asks][:2] == ["your name", "the order number"]
    assert reading.options == ()


@pytest.mark.parametrize(
    "text",
    [
        "I found 2:\n1. red, W-1\n2. blue, W-2\nWhich one do you mean?",
        "I found 2:\n- red, W-1\n- blue, W-2\nWhich would you like?",
        "Please choose: a) red, W-1 b) blue, W-2",
        "There are red W-1 and blue W-2. Which one?",
    ],
)
def test_options_are_heard_in_any_layout(text: str) -> None:
    options = understand(text).options
    assert [("W-1" in option.text, "W-2" in option.text) for option in options] == [(True, False), (False, True)]


def test_a_list_before_a_bare_question_is_what_is_to_be_confirmed() -> None:
    reading = understand("I'll cancel:\n- order W-1\n- order W-2\nShall I go ahead?")
    assert reading.options == ()
    assert "W-1" in reading.confirms[-1].text
    assert "W-2" in reading.confirms[-1].text


def test_confirm_asks_for_a_fact_or_for_a_yes_by_what_follows() -> None:
    assert understand("Please confirm your email address.").asks
    assert understand("Please confirm that your email address is a@b.co.").confirms
    assert understand("Please confirm the cancellation.").confirms


def test_several_questions_in_one_message_are_kept_apart() -> None:
    reading = understand("What is your name? And your postcode? I also need the order number.")
    assert len(reading.asks) == 3


def test_an_abbreviated_number_is_no_refusal() -> None:
    (ask,) = understand("Order no.?").asks
    assert "number" in ask.text
