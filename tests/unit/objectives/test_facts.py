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
