"""A fact is told where it is named, or where nothing else answers; a guess is asked back."""

import runpy
from pathlib import Path

import pytest

from misstep.core.scenario import Fact, Goal, Person

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]
TUNER = Person(
    opening="Could you tune my piano?",
    goals=(Goal(ask="have my piano tuned"),),
    facts=(
        Fact(name="name", value="Femke Adriaans"),
        Fact(name="last tuned", value="2019"),
        Fact(name="best day", value="Monday"),
        Fact(name="length", value="57 feet"),
        Fact(name="hire period", value="12 months"),
        Fact(name="quantity", value="six cartons"),
        Fact(name="cost centre", value="4410"),
        Fact(name="restaurant", value="Osteria Lume"),
        Fact(name="tap type", value="mixer tap"),
    ),
)


@pytest.mark.parametrize(
    ("said", "untold"),
    [
        ("When did it last see anybody?", "Monday"),
        ("So how long is she?", "12 months"),
        ("Where did you eat?", "4410"),
        ("What's it called?", "Femke"),
        ("Make of the tap?", "mixer"),
        ("Passport number?", "4410"),
    ],
)
def test_what_another_fact_may_answer_is_not_told(said: str, untold: str) -> None:
    assert untold not in (Talk(TUNER, "first").hears(said) or "")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Which day suits you best?", "Monday"),
        ("How many cartons?", "six cartons"),
        ("What sort of tap is it?", "mixer tap"),
        ("What's your name?", "Femke Adriaans"),
    ],
)
def test_what_is_named_is_told(said: str, told: str) -> None:
    assert told in (Talk(TUNER, "first").hears(said) or "")


def test_a_question_word_alone_is_enough_where_one_fact_answers_it() -> None:
    person = Person(goals=(Goal(ask="have a pizza brought"),), facts=(Fact(name="address", value="12 Oak Street"),))
    assert "12 Oak Street" in (Talk(person, "first").hears("Where should we bring it?") or "")


@pytest.mark.parametrize("said", ["I'll record two cartons as missing. OK?", "So two cartons, is that right?"])
def test_another_number_of_the_same_thing_is_no_reason_for_a_yes(said: str) -> None:
    assert not (Talk(TUNER, "first").hears(said) or "").startswith(("Yes", "Sure"))


def test_of_two_questions_that_lead_to_one_fact_one_was_not_understood() -> None:
    person = Person(goals=(Goal(ask="visit the museum"),), facts=(Fact(name="number of adults", value="four"),))
    reply = Talk(person, "first").hears("How many adults, how many children?") or ""
    assert "four" in reply
    assert "?" in reply


def test_each_new_thing_that_is_unclear_is_asked_back_and_none_is_guessed_at() -> None:
    talk = Talk(TUNER, "first")
    for way in ("south of the river", "north of the hill"):
        reply = talk.hears(f"Do the herons fly {way}?") or ""
        assert reply.endswith("?")
        assert "If you mean" not in reply


@pytest.mark.parametrize(
    "said",
    ["I cannot empty the crate: it is already empty.", "It has no contents any more, so there is nothing to clear."],
)
def test_what_is_so_already_is_taken_for_an_end(said: str) -> None:
    person = Person(goals=(Goal(ask="clear the crate"),), facts=(Fact(name="crate", value="C-4"),))
    assert Talk(person, "first").hears(said) is None


@pytest.mark.parametrize("said", ["How can I help you today?", "What would you like me to do?"])
def test_an_offer_of_help_brings_up_what_was_held_back(said: str) -> None:
    person = Person(opening="Hi, one thing up front: no mails.", goals=(Goal(ask="cancel my order", after=True),))
    assert "cancel my order" in (Talk(person, "first").hears(said) or "")


def test_what_a_later_goal_is_about_answers_no_question_before_that() -> None:
    facts = (Fact(name="club", value="Northgate", goals=(1,)), Fact(name="player", value="Ada Moor"))
    goals = (Goal(ask="register a player"), Goal(ask="know who leads the club", after=True))
    assert "Northgate" not in (Talk(Person(goals=goals, facts=facts), "first").hears("Which club is that?") or "")


def test_what_a_later_goal_is_about_is_not_held_against_a_report_of_this_one() -> None:
    facts = (Fact(name="tag", value="GH-007", goals=(1,)),)
    goals = (Goal(ask="move the cucumber"), Goal(ask="water the plant", after=True))
    talk = Talk(Person(goals=goals, facts=facts), "first")
    assert "water the plant" in (talk.hears("I moved the cucumber, tag GH-001, to bed N2.") or "")
    assert "GH-007" in (talk.hears("I am about to water the plant with the tag GH-001. Shall I?") or "")
