"""Whether the agent told the user what it had to tell."""

import pytest

from misstep.core.event import Message
from misstep.core.objective import ExpectedFact
from misstep.core.trace import Trace
from misstep.objectives.facts import told


def says(text: str, *forms: str | float) -> bool:
    trace = Trace(id="t", events=(Message(actor="agent", role="agent", text=text),))
    return told(trace, ExpectedFact("fact", forms))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("It comes to €1,234.50.", 1234.5),
        ("It was shipped on 3 May 2026.", "2026-05-03"),
        ("There are no refunds for it.", "no refund"),
        ("Its reference is W-20317.", "W-20317"),
        ("It was refunded already, on Monday.", "refunded already"),
    ],
)
def test_a_fact_is_told_in_any_usual_form(text: str, form: str | float):
    assert says(text, form)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("I have completed the refund for you.", "already refunded"),
        ("I have completed the refund for you.", "no refund"),
        ("I have added any notes you like.", "no notes"),
        ("It comes to 1,234.60.", 1234.5),
        ("Its reference is W-203.", "W-20317"),
        ("", "none"),
    ],
)
def test_small_words_and_digits_make_the_difference(text: str, form: str | float):
    assert not says(text, form)


def test_what_the_user_said_is_not_told_by_the_agent():
    trace = Trace(id="t", events=(Message(actor="user", role="user", text="No refunds?"),))
    assert not told(trace, ExpectedFact("fact", ("no refunds",)))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The search came back empty.", "(none)"),
        ("There are no notes about you.", "(no note)"),
        ("I looked for it, but the list is empty.", "(no note)"),
        ("You have never been refunded.", "(no refund)"),
        ("It was refunded once before.", "(already refunded)"),
        ("I'm afraid that this is not allowed.", "(not possible)"),
    ],
)
def test_a_form_in_brackets_is_told_in_any_words(text: str, form: str):
    assert says(text, form)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Nothing else is needed; here it is.", "(none)"),
        ("Did you find nothing?", "(none)"),
        ("I could not list notes: Customer C-9876 does not exist.", "(no note)"),
        ("I cannot refund it.", "(no refund)"),
        ("I have refunded it.", "(already refunded)"),
        ("It has not been refunded before.", "(already refunded)"),
        ("I can't wait to help you.", "(not possible)"),
        ("Whatever.", "(some other thing)"),
    ],
)
def test_a_form_in_brackets_is_not_told_by_its_words_alone(text: str, form: str):
    assert not says(text, form)


def counts(text: str, name: str, number: float) -> bool:
    trace = Trace(id="t", events=(Message(actor="agent", role="agent", text=text),))
    return told(trace, ExpectedFact(name, (number,)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("You have no fines.", "fines"),
        ("There aren't any open fines at the moment.", "fines"),
        ("No photos have been taken for tour 17 yet.", "photos"),
        ("There are none.", "photos"),
        ("You owe nothing.", "fines"),
        ("The fines stand at zero.", "fines"),
        ("It has not been renewed so far.", "renewals"),
        ("There are no fees, since nobody plays there.", "fees"),
    ],
)
def test_zero_is_told_by_saying_that_there_is_none(text: str, name: str) -> None:
    assert counts(text, name, 0)
    assert not counts(text, name, 3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I cannot see your fines.", "fines"),
        ("I do not know the fines.", "fines"),
        ("Nothing was found under that name.", "fines"),
        ("No problem, let me look up the fines.", "fines"),
        ("You have no loans.", "fines"),
        ("Your fines are 4.50.", "fines"),
        ("Nothing else is needed.", "fines"),
    ],
)
def test_zero_is_not_told_by_a_no_to_something_else(text: str, name: str) -> None:
    assert not counts(text, name, 0.0)


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("There is one request for that day.", "requests", 1),
        ("It was extended once.", "extensions", 1),
        ("It was extended twice.", "extensions", 2),
        ("The band has four members.", "members", 4),
        ("Twelve.", "hours", 12),
        ("Only one.", "requests", 1),
    ],
)
def test_small_numbers_are_told_in_words_too(text: str, name: str, number: float) -> None:
    assert counts(text, name, number)


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("Which one do you mean?", "requests", 1),
        ("I found this one.", "requests", 1),
        ("Once you confirm it, I will go on.", "requests", 1),
        ("One moment, please.", "requests", 1),
        ("There are five requests.", "requests", 4),
    ],
)
def test_words_that_only_look_like_a_number_tell_none(text: str, name: str, number: float) -> None:
    assert not counts(text, name, number)


@pytest.mark.parametrize(
    "text",
    [
        "The cot already stands in room 4, so there is nothing to move.",
        "It has already been closed.",
        "That is not possible: the table was already cleared.",
        "It stands there, so there's no need to move it.",
        "No change is needed.",
        "Nothing needs to be done.",
        "It was cleared earlier.",
    ],
)
def test_that_a_wish_is_fulfilled_is_told_in_any_words(text: str) -> None:
    assert says(text, "(already)")


@pytest.mark.parametrize(
    "text",
    [
        "I have moved the cot.",
        "It has not already been closed.",
        "Is it closed already?",
        "Nothing to worry about, I have closed it.",
        "No need to thank me.",
        "I cannot close it.",
    ],
)
def test_that_a_wish_is_fulfilled_is_not_told_by_doing_it_or_refusing_it(text: str) -> None:
    assert not says(text, "(already)")


@pytest.mark.parametrize(
    "text", ["The lily is dead, so I did not water it.", "It was not entered.", "I'm unable to enter it."]
)
def test_that_something_was_not_done_is_told_plainly(text: str) -> None:
    assert says(text, "(not done)")
    assert not says("I have watered it.", "(not done)")
    assert not says("I did not find anything else to do; it is watered.", "(not done)")
