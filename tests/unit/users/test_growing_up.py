"""What a person does beyond answering: slips, small portions, asides, pressing, temper, corrections, two manners."""

import runpy
from pathlib import Path

import pytest

from misstep.core.errors import InvalidTrialError, UsageError
from misstep.core.scenario import Fact, Goal, Person
from misstep.users import MANNERS, manner_of, user_for
from misstep.wording.phrasing import Manner

ORDER = Fact(name="order number", value="W-1042")
EMAIL = Fact(name="email", value="ann.lee@example.com")
CANCEL = Goal(ask="cancel my order")

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]

both = pytest.mark.parametrize("manner", MANNERS)


@both
def test_a_value_said_by_mistake_is_put_right_one_turn_later(manner: Manner) -> None:
    order = Fact(name="order number", value="W-1042", at_first="W-1024")
    talk = Talk(Person(goals=(CANCEL,), facts=(order, EMAIL)), manner)
    assert "W-1024" in (talk.hears("What is the order number?") or "")
    reply = talk.hears("And your email?") or ""
    assert "W-1042" in reply
    assert "ann.lee@example.com" in reply
    assert "W-1024" not in (talk.hears("What was the order number again?") or "")


@both
def test_a_made_opening_has_the_mistake_too(manner: Manner) -> None:
    order = Fact(name="order number", value="W-1042", at_first="W-1024", reveal="opening")
    talk = Talk(Person(goals=(CANCEL,), facts=(order, EMAIL)), manner)
    assert "W-1024" in talk.opening
    assert "W-1042" not in talk.opening
    assert "W-1042" in (talk.hears("One moment, let me check.") or "")


@both
def test_a_proposal_with_the_mistake_is_turned_down_with_the_right_value(manner: Manner) -> None:
    name = Fact(name="venue", value="Ashby Hall", at_first="Oakham Barn", reveal="opening")
    talk = Talk(Person(goals=(Goal(ask="book a venue"),), facts=(name,)), manner)
    reply = talk.hears("I will book Oakham Barn. Shall I go ahead?") or ""
    assert reply.startswith(("No", "Nope", "Not"))
    assert "Ashby Hall" in reply
    assert "Oakham" not in reply


def test_a_yes_waits_until_the_mistake_is_put_right() -> None:
    order = Fact(name="order number", value="W-1042", at_first="W-1024", reveal="opening")
    talk = Talk(Person(goals=(CANCEL,), facts=(order,)))
    reply = talk.hears("I am going to cancel your order. Shall I go ahead?") or ""
    assert "W-1042" in reply
    assert "Yes" not in reply
    assert (talk.hears("I am going to cancel order W-1042. Shall I go ahead?") or "").startswith("Yes")


def test_a_mistake_is_put_right_even_when_all_seems_settled() -> None:
    order = Fact(name="order number", value="W-1042", at_first="W-1024", reveal="opening")
    talk = Talk(Person(goals=(CANCEL,), facts=(order,)))
    assert "W-1042" in (talk.hears("Your order has been cancelled.") or "")


@both
def test_a_person_who_tells_little_tells_the_rest_when_asked_again(manner: Manner) -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER, EMAIL), tells=1), manner)
    asks = "Please give me your order number and your email."
    first, second = talk.hears(asks) or "", talk.hears(asks) or ""
    told = [{value for value in ("W-1042", "ann.lee@example.com") if value in reply} for reply in (first, second)]
    assert [len(each) for each in told] == [1, 1]
    assert told[0] != told[1]


@both
def test_asides_come_one_a_turn_before_the_goals_that_wait(manner: Manner) -> None:
    later = Goal(ask="change my phone number", after=True)
    asides = ("My neighbour has a new dog.", "It never stops raining here.")
    talk = Talk(Person(goals=(CANCEL, later), facts=(ORDER,), asides=asides), manner)
    assert talk.hears("Your order has been cancelled.") == asides[0]
    assert talk.hears("Oh, how nice!") == asides[1]
    assert "phone number" in (talk.hears("I see.") or "")
    assert talk.hears("Your phone number has been changed.") is None


@both
def test_a_refusal_is_pressed_against_so_often_and_then_taken(manner: Manner) -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER,), presses=2), manner)
    refusals = ("I'm afraid I can't cancel it.", "It is not possible, sorry, I cannot do that.", "As I said, I can't.")
    replies = [talk.hears(text) for text in refusals]
    assert all("cancel my order" in (reply or "") for reply in replies[:2])
    assert replies[0] != replies[1]
    assert replies[2] is None
    assert talk.user.gave_up is False


@both
def test_temper_shows_as_patience_runs_out(manner: Manner) -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER, EMAIL), patience=6), manner)
    waits = ("One moment.", "Let me check.", "Bear with me, please.", "I'm looking into it.", "Hold on, please.")
    replies = [talk.hears(text) or "" for text in waits]
    assert min(len(replies[3]), len(replies[4])) > len(replies[0])
    assert talk.hears("Just a second.") is None
    assert talk.user.gave_up


@both
def test_a_report_with_a_wrong_value_is_corrected_once(manner: Manner) -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(Fact(name="order number", value="W-8042", reveal="opening"),)), manner)
    assert "W-8042" in (talk.hears("I've cancelled order W-9042.") or "")
    assert talk.hears("I've cancelled order W-8042 instead, sorry about that.") is None


@both
def test_a_fact_that_comes_back_with_a_slip_in_a_question_is_corrected(manner: Manner) -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER, EMAIL)), manner)
    talk.hears("What is the order number?")
    reply = talk.hears("Thanks, I have W-1043 here. What is your email?") or ""
    assert "W-1042" in reply
    assert "ann.lee@example.com" in reply


@both
def test_what_twice_seems_to_be_meant_is_told_and_so_is_what_the_agent_says_yes_to(manner: Manner) -> None:
    facts = (Fact(name="product", value="Zephyr 14 laptop"), ORDER)
    ask = "It would help to know which machine this is about."
    again = Talk(Person(goals=(Goal(ask="return it"),), facts=facts), manner)
    assert (again.hears(ask) or "").endswith("?")
    assert "Zephyr" in (again.hears(ask) or "")
    agreed = Talk(Person(goals=(Goal(ask="return it"),), facts=facts), manner)
    agreed.hears(ask)
    assert "Zephyr" in (agreed.hears("Yes, please.") or "")


@both
def test_what_seems_wrong_is_questioned_first_and_then_refused(manner: Manner) -> None:
    facts = (Fact(name="refund method", value="bank transfer"), ORDER)
    talk = Talk(Person(goals=(Goal(ask="return my laptop"),), facts=facts), manner)
    says = "I'd register the return and pay the refund as store credit. May I?"
    assert (talk.hears(says) or "").endswith("?")
    assert "bank transfer" in (talk.hears(says) or "")


@pytest.mark.parametrize("voice", ["plain", "formal", "terse", "chatty", "operatic"])
@both
def test_every_voice_holds_a_conversation(manner: Manner, voice: str) -> None:
    later = Goal(ask="What is the status of my refund?", after=True)
    facts = (ORDER, Fact(name="email", value="a@b.example", at_first="a@c.example"))
    talk = Talk(Person(goals=(CANCEL, later), facts=facts, voice=voice, presses=1), manner, seed=5)
    assert "cancel my order" in talk.opening
    assert "W-1042" in (talk.hears("Could you tell me the order number?") or "")
    assert "a@c.example" in (talk.hears("And the email?") or "")
    assert "a@b.example" in (talk.hears("What is your date of birth?") or "")
    assert "W-1042" in (talk.hears("I am about to cancel order W-1024. Shall I go ahead?") or "")
    assert "W-1042" not in (talk.hears("I am about to cancel order W-1042. Shall I go ahead?") or "")
    assert "refund" in (talk.hears("The order has been cancelled.") or "")


def test_trials_take_the_manners_in_turn() -> None:
    person = Person(goals=(CANCEL,))
    assert [manner_of(person, trial) for trial in (1, 2, 3)] == ["first", "second", "first"]
    assert manner_of(Person(script=("Hi.",)), 1) is None


def test_a_manner_that_there_is_not_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="first, second or modelled"):
        user_for(Person(goals=(CANCEL,)), seed=0, manner="third")


def test_an_exchange_that_stays_unclear_is_still_invalid() -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER,)), "second")
    for way in ("south of Tuesday", "north of Friday", "round a Sunday"):
        assert (talk.hears(f"Do the herons fly {way}?") or "").endswith("?")
    with pytest.raises(InvalidTrialError):
        talk.hears("Do the herons then fly at all?")


def test_two_facts_under_one_heading_are_both_told_by_name() -> None:
    first, second = Fact(name="first postcode", value="AB1 2CD"), Fact(name="second postcode", value="EF3 4GH")
    reply = Talk(Person(goals=(CANCEL,), facts=(first, second)), "first").hears("I need your postcode.") or ""
    assert "first postcode is AB1 2CD" in reply
    assert "second postcode is EF3 4GH" in reply


def test_who_insists_agrees_as_often_as_the_agent_asks_and_does_not_give_up() -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER,), presses=3), "first")
    for _ in range(4):
        assert (talk.hears("I am about to cancel my order. Shall I go ahead?") or "").startswith("Yes")
        talk.hears("I'm afraid that can't be done.")
    assert not talk.user.gave_up


@pytest.mark.parametrize("refusal", ["I would rather not.", "That won't be possible.", "Not something I can do."])
def test_a_refusal_in_any_words_is_pressed_or_taken(refusal: str) -> None:
    assert "cancel my order" in (Talk(Person(goals=(CANCEL,), facts=(ORDER,), presses=1), "first").hears(refusal) or "")
    assert Talk(Person(goals=(CANCEL,), facts=(ORDER,)), "first").hears(refusal) is None


def test_a_step_on_the_way_is_no_reason_to_leave() -> None:
    assert (Talk(Person(goals=(CANCEL,), facts=(ORDER,)), "first").hears("I've opened your file.") or "").endswith("?")


def test_an_unclear_question_that_comes_again_is_answered_with_a_guess_that_says_so() -> None:
    talk = Talk(Person(goals=(CANCEL,), facts=(ORDER,)), "first")
    asked = "Which blorp does it concern?"
    assert (talk.hears(asked) or "").endswith("?")
    again = talk.hears(asked) or ""
    assert ORDER.name in again
    assert again.startswith("If ")
