"""Wishes, questions and denials, told apart by their grammar."""

import pytest

from misstep.agents.zoo.reading import clauses, twenty_four_hours, without_denials


@pytest.mark.parametrize(
    "text",
    [
        "What I'm hoping to do is renew my loan.",
        "Is it possible to renew my loan?",
        "Do you think you could renew my loan?",
        "I was wondering if you could renew my loan.",
        "Could you renew the loan which I took out?",
        "I need the loan renewed, if you don't mind.",
    ],
)
def test_a_wish_in_the_form_of_a_question_is_a_wish(text: str) -> None:
    assert [each.kind for each in clauses(text)] == ["wants"]


@pytest.mark.parametrize(
    "text",
    ["Could you tell me when it is due?", "When is it due?", "I'd like to know the fine.", "The fine for my loan?"],
)
def test_a_wish_to_know_is_a_question(text: str) -> None:
    assert [each.kind for each in clauses(text)] == ["asks"]


def test_a_message_is_not_cut_inside_a_quote() -> None:
    (only,) = clauses("Write down 'Asked for more; do not lend it, and never again'.")
    assert only.kind == "wants"


def test_a_sentence_ends_with_the_quote_that_ends_it() -> None:
    assert [each.kind for each in clauses('Reply with "I will come." Please do not file it.')] == ["wants", "rules-out"]


def test_what_somebody_does_not_have_is_no_value() -> None:
    assert without_denials("Sorry, I don't have a name. I don't have a number, I'm afraid.") == ""
    assert without_denials("I don't know the number, but the title is Emma.") == "the title is Emma."


def test_times_of_day_are_read_with_and_without_noon() -> None:
    assert twenty_four_hours("at 1:30pm or 10 am, not 12 a.m.") == "at 13:30 or 10:00, not 00:00"
