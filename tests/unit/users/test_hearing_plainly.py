"""What a person makes of plain turns of phrase: statements that report, openings that ask, questions in two halves."""

import runpy
from pathlib import Path

import pytest

from misstep.core.scenario import Fact, Goal, Person
from misstep.users import MANNERS

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]
_STATUS = Person(goals=(Goal(ask="find out the status of my order"),), facts=(Fact(name="order id", value="W-1042"),))
_TEST = Person(
    goals=(Goal(ask="book a hearing test"),),
    facts=(
        Fact(name="full name", value="Ada Thorne"),
        Fact(name="date of birth", value="4 May 1980"),
        Fact(name="appointment day", value="6 November"),
    ),
)


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(
    "says",
    [
        "The status is shipped.",
        "Your order's status is shipped.",
        "The status of your order is shipped.",
        "Your order status is shipped",
        "The status of the order is pending.",
    ],
)
def test_a_plain_statement_is_the_answer_and_no_question(says: str, manner: str) -> None:
    assert Talk(_STATUS, manner).hears(says) is None


@pytest.mark.parametrize(
    "says", ["Your order id.", "The order id is required.", "Your order id is still needed.", "Your order id is?"]
)
def test_a_bare_noun_and_a_need_still_ask(says: str) -> None:
    assert "W-1042" in (Talk(_STATUS).hears(says) or "")


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(
    "says",
    [
        "May I begin by taking your full name and date of birth?",
        "Can I start with getting your full name and date of birth?",
        "Let me start by taking your full name and date of birth.",
        "I'll start by taking your full name and date of birth.",
        "Can I grab your full name and date of birth?",
    ],
)
def test_what_an_agent_begins_by_taking_is_told(says: str, manner: str) -> None:
    reply = Talk(_TEST, manner).hears(says) or ""
    assert "Ada Thorne" in reply
    assert "4 May 1980" in reply


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(
    "says",
    [
        "Was there anything in particular that made you want to get your ears looked at?",
        "Is there anything in particular they're grumbling about that we could plan the day around?",
        "Is there anything they're grumbling about?",
    ],
)
def test_anything_in_particular_is_not_anything_at_all(says: str, manner: str) -> None:
    reply = Talk(_TEST, manner).hears(says) or ""
    assert "?" in reply
    assert not any(str(fact.value) in reply for fact in _TEST.facts)


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(
    "says",
    [
        "Have you done any glorping before, or is this all brand new to you?",
        "Welcome aboard! Did you come by yourself, or are they all with you?",
    ],
)
def test_two_questions_in_one_are_no_options_to_pick_from(says: str, manner: str) -> None:
    reply = Talk(_TEST, manner).hears(says) or ""
    assert reply.endswith("?")
    assert "before" not in reply
    assert "yourself" not in reply


def test_one_fact_is_told_once_and_a_question_for_something_else_is_asked_back() -> None:
    person = Person(
        goals=(Goal(ask="rent a storage unit"),),
        facts=(Fact(name="start date", value="1 October"), Fact(name="prell", value="furniture")),
    )
    reply = Talk(person).hears("Start date? And what's going in it?") or ""
    assert reply.count("1 October") == 1
    assert reply.endswith("?")


def test_a_number_that_somebody_has_given_is_not_their_name() -> None:
    person = Person(goals=(Goal(ask="arrange a visit"),), facts=(Fact(name="school", value="Ashgrove Primary"),))
    reply = Talk(person).hears("We will need a purchase order number from your school. Could you please supply this?")
    assert "Ashgrove" not in (reply or "")


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("when", "agrees"), [("4 May 1980", True), ("4 May 1990", False)])
def test_a_summary_to_confirm_is_agreed_to_or_put_right_and_asks_for_nothing(
    when: str, agrees: bool, manner: str
) -> None:
    summary = f"Here is a summary:\n\n- **Full name:** Ada Thorne\n- **Date of birth:** {when}\n\n"
    reply = Talk(_TEST, manner).hears(f"{summary}Please confirm that this information is correct before I proceed.")
    assert reply is not None
    assert reply.startswith(("Yes", "Exactly", "Sure", "Correct", "That")) == agrees
    assert ("4 May 1980" in reply) != agrees
    assert "6 November" not in reply
    assert "Ada Thorne" not in reply


@pytest.mark.parametrize(
    ("says", "name"),
    [
        ("What type of pest have you seen?", "type of property"),
        ("Which part of the property is it?", "type of property"),
        ("So who's coming along?", "name for the booking"),
    ],
)
def test_a_word_in_common_is_not_the_thing_itself(says: str, name: str) -> None:
    person = Person(goals=(Goal(ask="get rid of a pest problem"),), facts=(Fact(name=name, value="Gethin Prosser"),))
    reply = Talk(person).hears(says) or ""
    assert reply.endswith("?")
    assert "Prosser" not in reply


def test_a_sort_of_something_is_a_kind_of_it() -> None:
    person = Person(goals=(Goal(ask="get back in"),), facts=(Fact(name="kind of lock", value="a night latch"),))
    assert "a night latch" in (Talk(person).hears("What sort of lock is it on the door?") or "")


@pytest.mark.parametrize(
    "says",
    [
        "Some people like the driver to tuck the parcel away somewhere if nobody answers the door.",
        "The crew aren't allowed inside the house, so they'll be looking for it somewhere outdoors.",
    ],
)
def test_nobody_leaves_after_a_remark_that_settles_nothing(says: str) -> None:
    person = Person(
        goals=(Goal(ask="have my parcel redelivered"),), facts=(Fact(name="safe place", value="behind the bins"),)
    )
    assert (Talk(person).hears(says) or "").endswith("?")


def test_what_it_looks_as_though_the_person_has_done_is_agreed_to_or_put_right() -> None:
    person = Person(
        goals=(Goal(ask="get a copy of my transcript"),),
        facts=(Fact(name="course", value="marine biology"), Fact(name="graduation year", value="2016")),
    )
    assert (Talk(person).hears("Looks as though you were with us for marine biology until 2016.") or "").startswith(
        "Yes"
    )
    assert "2016" in (Talk(person).hears("Looks as though you were with us for marine biology until 2019.") or "")


@pytest.mark.parametrize("says", ["I've pencilled you in for a 38-inch chest, unless you tell me otherwise."])
def test_another_measure_in_the_same_unit_is_put_right(says: str) -> None:
    person = Person(goals=(Goal(ask="hire a suit"),), facts=(Fact(name="chest size", value="42 inches"),))
    assert "42 inches" in (Talk(person).hears(says) or "")
    assert (Talk(person).hears(says.replace("38", "42")) or "").startswith("Yes")
