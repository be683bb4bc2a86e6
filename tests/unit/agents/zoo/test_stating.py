"""What a text states under a name, however it is put."""

import pytest

from misstep.agents.zoo.stating import labels_for, stated

LABELS = labels_for(["shelf", "full name", "e mail", "due on", "new shelf", "note", "telephone"])


def told(text: str) -> list[tuple[str, str]]:
    return [(one.label, one.value) for one in stated(text, LABELS)]


@pytest.mark.parametrize(
    "text",
    [
        "The shelf is B12.",
        "shelf: B12, please",
        "The shelf on my card is B12 and I am in a hurry.",
        "As for the shelf, it's B12.",
        "For the shelf I have B12.",
        "It's B12 for the shelf.",
        "I have B12 as the shelf.",
        "Please look it up (due on 2026-05-01, shelf B12).",
    ],
)
def test_a_value_is_found_wherever_it_stands_beside_its_label(text: str) -> None:
    assert ("shelf", "B12") in told(text)


def test_a_quoted_value_is_kept_whole() -> None:
    assert told('note: "Came late; asked for more, twice." Thanks.') == [("note", "Came late; asked for more, twice.")]


def test_a_bracket_that_closes_is_no_part_of_a_value() -> None:
    assert told("(telephone: +43 1 891236).") == [("telephone", "+43 1 891236")]


def test_a_question_about_a_label_states_nothing() -> None:
    assert told("What is the shelf of my book?") == []


def test_the_longer_label_goes_before_the_shorter() -> None:
    assert told("The new shelf is C3.") == [("new shelf", "C3")]


@pytest.mark.parametrize("text", ["Please change my note to Blue.", "The new note: Blue."])
def test_what_something_is_to_become_is_told_from_what_it_is(text: str) -> None:
    assert [(one.value, one.fresh) for one in stated(text, LABELS)] == [("Blue", True)]
    assert [one.fresh for one in stated("The note is Blue.", LABELS)] == [False]
