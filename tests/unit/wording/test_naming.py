"""Names of fields as programmers write them, as people say them."""

import pytest

from misstep.core.words import split_identifier
from misstep.synthesis.tasks.looks import in_words
from misstep.wording.naming import said_words


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("qty", "quantity"),
        ("amtPaid", "amount paid"),
        ("customer_dob", "customer date of birth"),
        ("n_copies", "number of copies"),
        ("is_insured", "insured"),
        ("startsAt", "start time"),
        ("ends_on", "end date"),
        ("wt_kg", "weight in kg"),
        ("km", "distance in km"),
        ("onDay", "day"),
        ("perHour", "rate per hour"),
        ("hrs", "hours"),
        ("who", "person"),
        ("houses.prio", "priority"),
        ("delivered_on", "delivered on"),
        ("due_on", "due date"),
        ("status", "status"),
        ("has", "has"),
    ],
)
def test_a_name_is_said_in_whole_words(name: str, said: str) -> None:
    assert in_words(name) == said


@pytest.mark.parametrize("name", ["number_of_copies", "start_time", "weight_in_kg", "isolated_at", "category"])
def test_a_name_in_whole_words_stays_as_it_is(name: str) -> None:
    assert said_words(split_identifier(name)) == split_identifier(name)
