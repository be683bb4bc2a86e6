"""A wish says what is wanted and of what, in the words of everyday, and nothing else."""

import pytest

from misstep.wording.requests import Act, Saying, wish_of

ORDER = Saying("order number", "W-1", "key")
CUSTOMER = Saying("customer number", "C-7", "key")
TEXT = Saying("text", "Rang twice.", "content", "text")


def act(tool: str, description: str, *sayings: Saying) -> Act:
    return Act(tool, description, sayings, writes=True)


@pytest.mark.parametrize(
    ("wanted", "wish"),
    [
        (act("refund_order", "Refund a delivered order: it goes back to the payment.", ORDER), "refund the order"),
        (act("add_note", "Add a note to an order.", ORDER, TEXT), "add a note to the order"),
        (act("add_note", "Add a note to an order's file.", ORDER, TEXT), "add a note to the order's file"),
        (act("add_note", "Add a note to a customer's account.", CUSTOMER, TEXT), "add a note to my account"),
        (act("send_mail", "Send a customer an e-mail.", CUSTOMER, TEXT), "send a mail to me"),
        (act("write_receipt", "Write a receipt.", ORDER), "write a receipt for the order"),
        (act("redirect_order", "Redirect an order to another address.", ORDER), "redirect the order"),
    ],
)
def test_a_wish_names_the_act_the_thing_and_what_it_belongs_to(wanted: Act, wish: str) -> None:
    assert wish_of(wanted) == wish


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Could you call off my order, please?", "call the order off"),
        ("I had my order scrapped.", "scrap the order"),
        ("I don't need that purchase any more.", "cancel the order"),
        ("", "cancel the order"),
    ],
)
def test_who_said_it_with_another_verb_says_it_with_that_verb_again(said: str, wish: str) -> None:
    assert wish_of(act("cancel_order", "Cancel an order.", ORDER), said=said) == wish


@pytest.mark.parametrize(
    ("wants", "wish"),
    [
        ("shipped on", "know when the order was shipped"),
        ("ordered on", "know when the order was made"),
        ("total", "know the total of the order"),
    ],
)
def test_a_question_is_something_to_know(wants: str, wish: str) -> None:
    assert wish_of(Act("show_order", "Show an order.", (ORDER,), wants, kind="question")) == wish


def test_the_speaker_joined_and_has_so_many_days_left() -> None:
    joined = Act("show_customer", "Show a customer.", (CUSTOMER,), "joined on", kind="question")
    assert wish_of(joined) == "know when I joined"
    days = Act("leave", "How many days an employee has left.", (), "days left", kind="question", counts=True)
    assert wish_of(days) == "know how many days I have left"


def test_a_receipt_is_for_the_order_and_not_for_the_phone_of_who_wants_it() -> None:
    phone = Saying("phone number", "+49 30 1", "key")
    assert wish_of(act("send_receipt", "Send a customer an e-mail.", phone)) == "send a receipt to me"
