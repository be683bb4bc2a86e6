"""Wishes, questions and denials, told apart by their grammar."""

import pytest

from misstep.agents.zoo.english import clauses
from misstep.core.words import stem


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


@pytest.mark.parametrize(
    ("text", "act"),
    [("Please scrap it", "delete"), ("get rid of the shelf", "delete"), ("getting it called off", "cancel")],
)
def test_a_verb_means_what_others_for_the_same_act_mean(text: str, act: str) -> None:
    assert stem(act) in clauses(text)[0].acts


def test_a_noun_is_no_act() -> None:
    (only,) = clauses("the shelf by the door")
    assert only.acts == {*only.stems}
