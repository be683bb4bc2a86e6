"""What a person does with words that nothing they know accounts for: never an answer that may be to something else."""

import runpy
from pathlib import Path

import pytest

from misstep.core.scenario import Fact, Goal, Person
from misstep.users import MANNERS

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]
_LENSES = Person(
    goals=(Goal(ask="reorder my contact lenses"),),
    facts=(
        Fact(name="order number", value="FH-118264"),
        Fact(name="lens brand", value="ClearDay Monthly"),
        Fact(name="quantity", value="two boxes"),
        Fact(name="delivery address", value="51 Quarry Lane"),
    ),
)
_PITCH = Person(
    goals=(Goal(ask="book a pitch"),),
    facts=(Fact(name="party", value="two adults and three children"), Fact(name="arrival day", value="25 July")),
)


@pytest.mark.parametrize("manner", MANNERS)
def test_one_of_two_things_is_told_and_the_other_asked_for_again(manner: str) -> None:
    reply = Talk(_LENSES, manner).hears("Please quote your order number and identify the glorp that came with it.")
    assert reply is not None
    assert "FH-118264" in reply
    assert reply.endswith("?")


@pytest.mark.parametrize(
    "says",
    [
        "What's the code for the one you need?",
        "Please give me the lens prell.",
        "Which glorp do you need?",
        "Where's the box now?",
        "Please describe the wug you have in mind.",
    ],
)
def test_a_noun_that_no_fact_is_called_is_asked_about(says: str) -> None:
    reply = Talk(_LENSES).hears(says)
    assert reply is not None
    assert "?" in reply
    assert not any(str(fact.value) in reply for fact in _LENSES.facts)


@pytest.mark.parametrize(
    "says", ["That's four boxes of ClearDay Monthly, yes?", "So 6 boxes of ClearDay Monthly. Shall I reorder them?"]
)
def test_a_number_that_nobody_gave_gets_no_yes(says: str) -> None:
    reply = Talk(_LENSES).hears(says)
    assert reply is not None
    assert not reply.startswith("Yes")
    assert "quantity" in reply


def test_a_noun_in_the_dress_of_a_proposal_gets_no_yes() -> None:
    reply = Talk(_LENSES).hears("May I glorp your delivery address?")
    assert reply is not None
    assert not reply.startswith("Yes")


def test_what_is_said_in_other_words_is_doubted_and_not_denied() -> None:
    reply = Talk(_PITCH).hears("So that's a pitch for two adults and three kids from 25 July, is that right?")
    assert reply is not None
    assert not reply.startswith("No")


def test_a_denial_asks_whether_it_goes_by_another_name() -> None:
    person = Person(
        goals=(Goal(ask="close my water account"),),
        facts=(Fact(name="glorp tag", value="77-410"), Fact(name="email", value="a@example.org")),
    )
    reply = Talk(person).hears("Please provide your phone number.")
    assert reply is not None
    assert "77-410" not in reply
    assert "glorp tag" in reply


@pytest.mark.parametrize(
    "says",
    [
        "Everything is ready apart from the box for the driving licence, which I'm not able to fill in by myself.",
        "The form won't let me go any further until something's in that box.",
        "The old card is blocked. The new one can go out tomorrow, I just don't know yet where to send it.",
    ],
)
def test_nobody_leaves_or_waits_while_something_may_be_wanting(says: str) -> None:
    person = Person(goals=(Goal(ask="hire a car"),), facts=(Fact(name="tarl", value="blue"),))
    reply = Talk(person).hears(says)
    assert reply is not None
    assert reply.endswith("?")
