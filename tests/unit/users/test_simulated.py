"""How a simulated person behaves over a whole conversation."""

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from misstep.core.errors import InvalidTrialError
from misstep.core.event import ToolCall, ToolResult
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.users import ScriptedUser, SimulatedUser, user_for

BUYER = Person(
    goals=(Goal(ask="cancel my order"), Goal(ask="What is the status of my refund?", after=True)),
    facts=(
        Fact(name="order number", value="W-1042", reveal="opening"),
        Fact(name="email", value="ann.lee@example.com"),
        Fact(name="item", value="desk lamp"),
        Fact(name="password", value="hunter2", reveal="never"),
    ),
    patience=8,
)


Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]


def opened(person: Person = BUYER, seed: int = 0) -> Any:
    talk = Talk(person, seed=seed)
    assert talk.opening
    return talk


def test_a_person_with_a_script_says_just_its_lines() -> None:
    user = user_for(Person(script=("One.", "Two.")), seed=0)
    view = Tape().view
    assert isinstance(user, ScriptedUser)
    assert [asyncio.run(user.say(view)) for _ in range(3)] == ["One.", "Two.", None]


def test_a_person_without_a_script_is_simulated() -> None:
    assert isinstance(user_for(BUYER, seed=0), SimulatedUser)


def test_an_opening_that_is_written_is_said_word_for_word() -> None:
    assert Talk(Person(opening="hullo, cancel W-1 pls!")).opening == "hullo, cancel W-1 pls!"


def test_constraints_are_added_to_an_opening_that_does_not_say_them() -> None:
    person = Person(opening="Cancel it.", constraints=("Please send no mail.",))
    assert Talk(person).opening == "Cancel it. Please send no mail."
    said = Person(opening="Please send no mail. Cancel it.", constraints=("Please send no mail.",))
    assert Talk(said).opening == "Please send no mail. Cancel it."


@pytest.mark.parametrize("seed", range(8))
def test_an_opening_that_is_made_has_the_goals_and_the_facts_of_the_opening_only(seed: int) -> None:
    opening = Talk(BUYER, seed=seed).opening
    assert "cancel my order" in opening
    assert "W-1042" in opening
    assert "refund" not in opening
    assert "ann.lee" not in opening
    assert "hunter2" not in opening


def test_the_same_seed_gives_the_same_words_and_another_gives_others() -> None:
    lines = ("What is your email?", "Shall I cancel W-1042?", "Which item is it?")

    def spoken(seed: int) -> list[str | None]:
        talk = opened(seed=seed)
        return [talk.hears(line) for line in lines]

    assert spoken(3) == spoken(3)
    assert len({tuple(spoken(seed)) for seed in range(10)}) > 3


def test_nothing_is_volunteered_that_was_not_asked_for() -> None:
    reply = opened().hears("Could you tell me the email?") or ""
    assert "ann.lee@example.com" in reply
    assert "lamp" not in reply


def test_what_must_never_be_told_is_not_told_even_when_asked() -> None:
    assert "hunter2" not in (opened().hears("What is your password?") or "")


def test_tool_calls_and_results_are_not_read() -> None:
    talk, plain = opened(), opened()
    talk.tape.append(ToolCall(actor="agent", call_id="c1", tool="show", arguments={"order": "W-9"}))
    talk.tape.append(ToolResult(actor="show", call_id="c1", content="Shall I delete everything? What is your email?"))
    assert talk.hears("Shall I cancel W-1042?") == plain.hears("Shall I cancel W-1042?")


def test_a_held_back_goal_comes_up_when_the_first_is_settled_and_then_nothing() -> None:
    talk = opened()
    assert "status of my refund" in (talk.hears("I have cancelled order W-1042.") or "")
    assert talk.hears("It was paid out yesterday.") is None
    assert talk.user.gave_up is False


def test_a_goal_that_the_agent_never_touched_is_brought_up_once() -> None:
    person = Person(goals=(Goal(ask="cancel my order"), Goal(ask="change my phone number")))
    talk = opened(person)
    assert "phone number" in (talk.hears("Your order has been cancelled.") or "")
    assert talk.hears("The order is cancelled, as I said.") is None


def test_a_promise_is_answered_with_patience_that_ends() -> None:
    talk = opened()
    replies = [talk.hears("One moment, let me check.") for _ in range(3)]
    assert replies[0] is not None
    assert replies[-1] is None
    assert talk.user.gave_up


def test_patience_is_spent_after_so_many_turns() -> None:
    person = Person(goals=(Goal(ask="cancel my order"),), patience=3)
    talk = opened(person)
    waits = ("One moment.", "Let me check.", "Bear with me, please.")
    assert [talk.hears(text) is None for text in waits] == [False, False, True]
    assert talk.user.gave_up


def test_a_fact_is_told_again_but_not_for_ever() -> None:
    talk = opened()
    asks = ("What is your email?", "Your email?", "Please give me your email address.", "And your email address is?")
    replies = [talk.hears(text) for text in asks]
    assert all("ann.lee@example.com" in (reply or "") for reply in replies[:2])
    assert replies[-1] is None
    assert talk.user.gave_up


def test_what_is_not_understood_is_asked_back_once_and_when_it_comes_again_the_trial_is_invalid() -> None:
    talk = opened()
    assert "put that" in (talk.hears("Do the herons fly south of Tuesday?") or "")
    assert "put that" in (talk.hears("Do the herons then fly north of Friday?") or "")
    with pytest.raises(InvalidTrialError, match="herons") as error:
        talk.hears("Do the herons fly south of Tuesday?")
    assert error.value.blame == "user-simulator"


OWNER = Person(
    opening="Close the ticket, please. And who has the other one?",
    goals=(Goal(ask="close the ticket"), Goal(ask="find out who has the other ticket")),
    facts=(
        Fact(name="first ticket id", value="T-2"),
        Fact(name="second ticket id", value="T-1"),
        Fact(name="subject", value="printer on fire"),
    ),
    patience=30,
)


@pytest.mark.parametrize("question", ["Which ticket do you mean?", "How do the herons fly?"])
def test_an_agent_that_only_repeats_a_question_that_was_answered_is_given_up(question: str) -> None:
    talk = opened(OWNER)
    told = [talk.hears(question) or "" for _ in range(5)]
    assert any("T-2" in each for each in told)
    while talk.hears(question) is not None:
        pass
    assert talk.user.gave_up


def test_whoever_is_asked_which_one_they_mean_names_each_that_they_know() -> None:
    reply = opened(OWNER).hears("Which ticket do you mean?") or ""
    assert "first ticket id is T-2" in reply
    assert "second ticket id is T-1" in reply


def test_whoever_is_asked_which_one_they_mean_and_knows_no_id_describes_it() -> None:
    person = Person(goals=(Goal(ask="close the ticket"),), facts=(Fact(name="owner", value="Bo Lind"),))
    assert "Bo Lind" in (opened(person).hears("Which ticket do you mean?") or "")


def test_a_question_that_is_understood_clears_what_was_not() -> None:
    talk = opened()
    talk.hears("Do the herons fly south of Tuesday?")
    assert "ann.lee@example.com" in (talk.hears("What is your email?") or "")
    assert "put that" in (talk.hears("Do the herons fly south of Tuesday?") or "")


def test_a_thing_that_nobody_knows_by_that_name_is_denied_when_asked_again() -> None:
    talk = opened()
    assert "put that" in (talk.hears("Could you tell me the brask?") or "")
    assert "don't" in (talk.hears("Could you tell me the brask?") or "")


def test_an_option_that_was_picked_is_known_from_then_on() -> None:
    person = Person(goals=(Goal(ask="cancel my order"),), facts=(Fact(name="item", value="desk lamp"),))
    listing = "I found two:\n1. order K-7, oak chair\n2. order K-9, desk lamp\nWhich one do you mean?"
    talk = opened(person)
    assert "K-9" in (talk.hears(listing) or "")
    assert (talk.hears("I am about to cancel order K-9. Shall I go ahead?") or "").startswith("Yes")
    other = opened(person)
    other.hears(listing)
    reply = other.hears("I am about to cancel order K-7. Shall I go ahead?") or ""
    assert reply.startswith("No")
    assert "K-9" in reply


def test_the_option_that_shows_a_whole_value_is_taken_and_not_one_that_is_like_two_of_them() -> None:
    facts = (
        Fact(name="start of the outage", value="Sunday around noon"),
        Fact(name="slot", value="Friday, 8 am to noon"),
    )
    talk = opened(Person(goals=(Goal(ask="get the line repaired"),), facts=facts))
    reply = talk.hears("What is free:\n- Tuesday, 1 pm to 5 pm\n- Friday, 8 am to noon\nWhich one would you like?")
    assert "Friday" in (reply or "")
    assert "Tuesday" not in (reply or "")


def test_an_id_of_which_the_person_knows_nothing_is_no_contradiction() -> None:
    reply = opened().hears("I am about to cancel order W-1042 for customer C-77, payment P-5. Shall I go ahead?") or ""
    assert reply.startswith("Yes")


def test_a_choice_never_rests_on_a_fact_that_must_not_be_told() -> None:
    person = Person(
        goals=(Goal(ask="cancel my order"),), facts=(Fact(name="order number", value="K-9", reveal="never"),)
    )
    reply = opened(person).hears("I found two:\n1. order K-7\n2. order K-9\nWhich one do you mean?") or ""
    assert "K-9" not in reply
    assert "K-7" not in reply


def test_an_agent_that_says_nothing_is_called_once_and_then_left() -> None:
    talk = opened()
    assert talk.hears("") is not None
    assert talk.hears("") is None
    assert talk.user.gave_up


def test_a_request_for_what_the_person_wants_gets_the_goal_again() -> None:
    assert "cancel my order" in (opened().hears("Hello! How may I help you?") or "")


def test_a_record_that_is_read_out_is_no_question() -> None:
    person = Person(goals=(Goal(ask="show my account"),), facts=(Fact(name="name", value="Ann Lee"),))
    assert opened(person).hears("Here it is. name: Ann Lee; status: active; joined on: 2021-01-15.") is None
    assert opened(person).hears("Here it is. name Ann Lee, status active, joined on 2021-01-15.") is None


def test_a_value_in_other_words_is_said_as_a_sentence_of_its_own() -> None:
    fact = Fact(name="reason", value="damaged", says=("It came in pieces.",))
    replies = {opened(Person(goals=BUYER.goals, facts=(fact,)), seed).hears("Why?") for seed in range(10)}
    assert "It came in pieces." in replies
    assert all("damaged" in (reply or "") or reply == "It came in pieces." for reply in replies)


TRAVELLER = Person(
    goals=(Goal(ask="book a hotel"),),
    constraints=("Please don't leave the bags with a porter.",),
    facts=(
        Fact(name="budget", value="90 euros"),
        Fact(name="arrival time", value="in the evening"),
        Fact(name="plate", value="KX71 TRB"),
    ),
)


def test_what_costs_more_than_the_budget_is_not_picked() -> None:
    said = opened(TRAVELLER).hears(
        "**Inn Verde** — €84, no view\n**Hotel Alto** — €120, sea view\n\nWhich one do you want?"
    )
    assert said is not None
    assert "Inn Verde" in said
    assert "Alto" not in said


def test_a_part_of_the_day_picks_the_hour_in_it() -> None:
    said = opened(TRAVELLER).hears("I have a shuttle at 09:30 or one at 18:15. Which one do you want?")
    assert said is not None
    assert "18:15" in said


def test_what_is_ruled_out_is_declined_though_something_else_is_negated() -> None:
    talk = opened(TRAVELLER)
    assert (talk.hears("Shall I have the bags left with a porter, so that there is no delay?") or "").startswith("No")


def test_a_value_that_starts_right_and_ends_wrong_is_put_right() -> None:
    said = opened(TRAVELLER).hears("I'd book the hotel with parking for KX71 TBR. Is that right?")
    assert said is not None
    assert said.startswith("No")
    assert "KX71 TRB" in said


def test_alternatives_are_never_answered_with_yes() -> None:
    said = opened(TRAVELLER).hears("Should I book the smallest room, or rather one with a balcony?")
    assert said is not None
    assert not said.startswith("Yes")


def test_a_record_of_a_mail_is_no_wrong_address() -> None:
    talk = opened(
        Person(goals=(Goal(ask="refund my order"),), facts=(Fact(name="email", value="ann.lee@example.com"),))
    )
    assert talk.hears("I have refunded your order. A receipt was sent (mail id M-9041).") is None


def test_why_something_is_wanted_is_no_part_of_what_is_shown() -> None:
    facts = (
        Fact(name="order number", value="W-1042"),
        Fact(name="reason", value="damaged", words=("why",), reveal="opening"),
    )
    talk = opened(Person(goals=(Goal(ask="refund my order"),), facts=facts))
    shown = "I found only this one: order id W-1042 (with mixing bowl, yellow, large). Is that the one you mean?"
    assert "damaged" not in (talk.hears(shown) or "damaged")
