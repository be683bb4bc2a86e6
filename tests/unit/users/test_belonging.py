"""What belongs to somebody else is not told; what is plainly asked for is, whatever the verb."""

import runpy
from pathlib import Path

import pytest

from misstep.core.scenario import Fact, Goal, Person

PERSON = Person(
    goals=(Goal(ask="book a stay"),),
    facts=(
        Fact(name="member name", value="Ida Brandt"),
        Fact(name="booking number", value="BK-4471"),
        Fact(name="driver", value="Leo Marsh"),
        Fact(name="arrival date", value="5 December"),
        Fact(name="departure date", value="8 December"),
        Fact(name="moving from", value="Hexham"),
        Fact(name="moving to", value="Carlisle"),
        Fact(name="size of the home", value="three bedrooms"),
        Fact(name="start day", value="this Friday"),
    ),
)

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]


def reply(text: str) -> str:
    return Talk(PERSON).hears(text) or ""


@pytest.mark.parametrize(
    "text",
    [
        "May I take the name and phone number of your landlord?",
        "I'd need to know whose kitchen this ends up in.",
        "It would help to know whose desk this lands on.",
        "We do all sorts here: cots, breakfasts, you name it.",
        "What is the name of your landlord?",
        "What is the plumber's name?",
        "Who referred you to us?",
        "Whose card do we bill?",
        "Whose name is on the lease?",
        "What's the second driver's name?",
    ],
)
def test_a_name_is_not_told_for_what_is_somebody_elses_or_no_name(text: str) -> None:
    assert "Ida Brandt" not in reply(text)
    assert "Leo Marsh" not in reply(text)


@pytest.mark.parametrize("text", ["Could you tell me your full name?", "Your full name, please."])
def test_ones_own_name_is_told_by_whatever_one_is_in_the_matter(text: str) -> None:
    assert "Ida Brandt" in reply(text)


def test_the_name_of_somebody_who_is_known_is_told() -> None:
    assert "Leo Marsh" in reply("May I have the driver's name exactly as it is on the licence?")


@pytest.mark.parametrize(
    "text",
    [
        "Pop me over your booking number and I'll take a look.",
        "Fire across your booking number.",
        "Chuck me your booking number.",
        "Whack your booking number in the chat.",
        "Just bung your booking number down here.",
    ],
)
def test_an_order_to_do_something_with_a_fact_asks_for_it_whatever_the_verb(text: str) -> None:
    assert "BK-4471" in reply(text)


@pytest.mark.parametrize(
    "text", ["Found your booking number!", "Keep your receipt.", "I looked through your bookings."]
)
def test_what_only_speaks_of_something_asks_for_nothing(text: str) -> None:
    assert "BK-4471" not in reply(text)


def test_a_request_with_a_strange_noun_beside_a_question_is_not_passed_over() -> None:
    said = reply("Fire across your brasket. And what is your booking number?")
    assert "BK-4471" in said
    assert "rest" in said


def test_a_range_of_days_is_corrected_where_it_is_wrong() -> None:
    said = reply("So that's 5 to 9 December. Confirm?")
    assert "arrival date is 5" not in said
    assert "departure date" in said


def test_two_facts_that_differ_in_a_preposition_are_told_apart() -> None:
    assert "Carlisle" in reply("Which town are you moving to?")
    assert "Hexham" in reply("Which town are you moving from?")


def test_what_a_value_counts_can_be_asked_for() -> None:
    assert "three bedrooms" in reply("How many bedrooms?")


def test_this_friday_is_friday() -> None:
    assert reply("I'll book your stay from Friday, right?").startswith("Yes")
