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
    assert (reading.asks, reading.confirm, reading.options) == ((), None, ())
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
    assert reading.confirm is not None
    assert "W-1" in reading.confirm.text
    assert "W-2" in reading.confirm.text


def test_confirm_asks_for_a_fact_or_for_a_yes_by_what_follows() -> None:
    assert understand("Please confirm your email address.").asks
    assert understand("Please confirm that your email address is a@b.co.").confirm
    assert understand("Please confirm the cancellation.").confirm


def test_several_questions_in_one_message_are_kept_apart() -> None:
    reading = understand("What is your name? And your postcode? I also need the order number.")
    assert len(reading.asks) == 3


def test_an_abbreviated_number_is_no_refusal() -> None:
    (ask,) = understand("Order no.?").asks
    assert "number" in ask.text


@pytest.mark.parametrize(
    "text",
    [
        'The search came back with "Give the customer by name, email or phone." and nothing else happened.',
        "I could not open the account: Find the customer by name, email or phone.",
        "The lookup failed: No such order. Ask for the order number again or list the orders.",
        "It is booked.\n\n- **Ref:** ZX-1\n- **Flights:**\n  - out on 3 May\n- **Name:** Ann Lee",
    ],
)
def test_what_a_tool_said_and_what_a_record_shows_asks_nothing(text: str) -> None:
    reading = understand(text)
    assert (reading.asks, reading.confirm, reading.options) == ((), None, ())


def test_a_question_behind_a_passed_on_error_is_still_a_question() -> None:
    (ask,) = understand("The lookup failed: No such order. Could you tell me your email?").asks
    assert "email" in ask.text


def test_the_rows_of_a_table_are_options_where_one_is_wanted() -> None:
    text = "Which one is it?\n\n| # | Name | Size |\n|---|---|---|\n| 1 | Elm | 3 |\n| 2 | Oak | 4 |"
    assert [(option.label, option.text) for option in understand(text).options] == [
        ("1", "Elm, Size 3"),
        ("2", "Oak, Size 4"),
    ]


def test_lines_below_an_option_belong_to_it() -> None:
    text = (
        "1. **HB1**\n   - Departs: 09:00\n2. **HB2**\n   - Departs: 17:00\n\nPlease let me know which flight you want."
    )
    assert [option.text for option in understand(text).options] == ["HB1, Departs: 09:00", "HB2, Departs: 17:00"]


def test_brackets_keep_what_is_in_them_together() -> None:
    options = understand("I see Elm (3 rooms, 1 bath) and Oak (4 rooms, 2 baths). Which one?").options
    assert [option.text for option in options] == ["Elm (3 rooms, 1 bath)", "Oak (4 rooms, 2 baths)"]


def test_something_else_to_search_with_is_asked_for_and_no_farewell() -> None:
    assert understand("Do you have anything else I could search with?").asks
    assert "more" in understand("Is there anything else I can do for you?").signals


def test_an_offer_with_a_way_out_is_an_offer() -> None:
    assert understand("Would you like me to try another day, or is there anything else you need?").confirm


def test_a_promise_behind_a_request_leaves_it_a_request() -> None:
    assert understand("Please let me know which airport you leave from, and I will search for flights.").asks


def test_a_failure_on_the_way_is_followed_by_waiting() -> None:
    assert understand("The first attempt failed. Bear with me, I'll try again.").signals == {"wait"}


@pytest.mark.parametrize("text", ["Sold. All good?", "It is the red one. Is everything as it should be?", "May I?"])
def test_words_that_only_ask_for_assent_ask_for_a_yes(text: str) -> None:
    assert understand(text).confirm
