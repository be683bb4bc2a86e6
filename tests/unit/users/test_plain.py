"""How a plain person behaves over a whole conversation: they restate, and need to understand very little."""

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from misstep.core.event import ToolCall, ToolResult
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.users import MANNERS, PlainUser, ScriptedUser, user_for

ORDER = Fact(name="order number", value="W-1042", reveal="opening")
EMAIL = Fact(name="email", value="ann.lee@example.com")
ITEM = Fact(name="item", value="desk lamp")
BUYER = Person(
    goals=(Goal(ask="cancel my order"), Goal(ask="What is the status of my refund?", after=True)),
    facts=(ORDER, EMAIL, ITEM, Fact(name="password", value="hunter2", reveal="never")),
    patience=8,
)
CANCEL = Person(goals=BUYER.goals[:1], facts=(ORDER, EMAIL, ITEM))

Talk = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]
both = pytest.mark.parametrize("manner", MANNERS)


def opened(person: Person = BUYER, seed: int = 0, manner: str = "first") -> Any:
    talk = Talk(person, manner, seed=seed)
    assert talk.opening
    return talk


def test_a_person_with_a_script_says_just_its_lines() -> None:
    user = user_for(Person(script=("One.", "Two.")), seed=0)
    view = Tape().view
    assert isinstance(user, ScriptedUser)
    assert [asyncio.run(user.say(view)) for _ in range(3)] == ["One.", "Two.", None]


def test_a_person_without_a_script_is_plain() -> None:
    assert isinstance(user_for(BUYER, seed=0), PlainUser)


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
    assert not any(text in opening for text in ("refund", "ann.lee", "hunter2"))


def test_the_same_seed_gives_the_same_words_and_another_gives_others() -> None:
    lines = ("What is your email?", "Shall I cancel W-1042?", "Which item is it?")

    def spoken(seed: int) -> list[str | None]:
        talk = opened(seed=seed)
        return [talk.hears(line) for line in lines]

    assert spoken(3) == spoken(3)
    assert len({tuple(spoken(seed)) for seed in range(10)}) > 3


def test_only_what_was_asked_for_is_told_where_that_is_recognised() -> None:
    reply = opened().hears("Could you tell me the email?") or ""
    assert "ann.lee@example.com" in reply
    assert "lamp" not in reply


@pytest.mark.parametrize(
    "question",
    ["How may we find you in our books?", "What should I write on the slip?", "¿Cómo puedo encontrar su pedido?"],
)
@both
def test_an_unrecognised_question_gets_the_wish_and_all_there_is(question: str, manner: str) -> None:
    reply = opened(CANCEL, manner=manner).hears(question) or ""
    assert all(text in reply for text in ("cancel my order", "W-1042", "ann.lee@example.com", "desk lamp"))


def test_who_has_told_all_says_so_and_says_the_wish_again() -> None:
    talk = opened(CANCEL)
    talk.hears("How may we find you in our books?")
    reply = talk.hears("And in what year were the herons counted?") or ""
    assert "all I" in reply
    assert "cancel my order" in reply
    assert talk.user.strained


def test_one_wish_restated_once_is_no_strain() -> None:
    talk = opened(CANCEL)
    talk.hears("How may we find you in our books?")
    talk.hears("I have cancelled it. Anything else?")
    assert not talk.user.strained


@pytest.mark.parametrize("mumble", ["OK?", "Please go on.", "How can I help you today?", "Yes?", "Right."])
def test_who_says_nothing_of_what_is_wanted_is_told_nothing_new(mumble: str) -> None:
    talk = opened(CANCEL)
    replies = [talk.hears(mumble) or "" for _ in range(4)]
    assert not any("ann.lee" in reply or "lamp" in reply for reply in replies)


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I go ahead and cancel this order?",
        "Would you like me to cancel it now?",
        "Great, I can do that for you! Would you like me to **cancel** order W-1042?",
        "Please confirm that you want me to cancel the order.",
    ],
)
@both
def test_what_is_proposed_in_the_words_of_the_wish_gets_a_yes_with_the_wish(proposal: str, manner: str) -> None:
    reply = opened(CANCEL, manner=manner).hears(proposal) or ""
    assert reply.startswith("Yes")
    assert "cancel my order" in reply
    assert " if " not in reply
    assert "provided" not in reply


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I close your gym membership?",
        "Would you like me to cancel your newsletter subscription?",
        "Should I keep the order instead of cancelling it?",
        "I'd make that purchase void, is that all right?",
    ],
)
@both
def test_what_is_proposed_in_other_words_gets_a_yes_with_an_if(proposal: str, manner: str) -> None:
    reply = opened(CANCEL, manner=manner).hears(proposal) or ""
    assert reply.startswith("Yes")
    assert " if " in reply or "provided" in reply
    assert "cancel my order" in reply


@pytest.mark.parametrize(
    "proposal",
    [
        "I am about to cancel order W-1024. Shall I go ahead?",
        "Here is what I have:\n\n- **Order number:** W-1024\n- **Action:** cancel\n\nWould you like me to proceed?",
        "| Field | Value |\n|---|---|\n| Order number | W-1024 |\n\nIs this correct?",
        "Do you mean order W-1024?",
    ],
)
@both
def test_a_wrong_value_is_put_right_and_not_repeated(proposal: str, manner: str) -> None:
    reply = opened(CANCEL, manner=manner).hears(proposal) or ""
    assert reply.startswith("No")
    assert "W-1042" in reply
    assert "W-1024" not in reply


def test_who_insists_on_a_wrong_value_gets_no_plain_yes() -> None:
    talk = opened(CANCEL)
    for _ in range(2):
        reply = talk.hears("I am about to cancel order W-1024. Shall I go ahead?") or ""
        assert "W-1042" in reply
        assert reply.startswith(("No", "Yes, if"))


def test_an_id_of_which_the_person_knows_nothing_is_no_contradiction() -> None:
    reply = opened().hears("I am about to cancel order W-1042 for customer C-77, payment P-5. Shall I go ahead?") or ""
    assert reply.startswith("Yes")


def test_a_question_that_only_puts_a_right_value_gets_a_plain_yes() -> None:
    reply = opened(CANCEL).hears("Is your email ann.lee@example.com?") or ""
    assert reply.startswith("Yes")
    assert "ann.lee@example.com" in reply


def test_what_must_never_be_told_is_not_told_even_when_asked() -> None:
    talk = opened()
    assert "hunter2" not in (talk.hears("What is your password?") or "")
    assert "hunter2" not in (talk.hears("What do you know?") or "")


def test_what_the_person_declines_gets_a_no() -> None:
    person = Person(goals=BUYER.goals[:1], facts=(ORDER,), declines=("store credit",))
    assert (opened(person).hears("Shall I give you store credit instead?") or "").startswith("No")


def test_tool_calls_and_results_are_not_read() -> None:
    talk, plain = opened(), opened()
    talk.tape.append(ToolCall(actor="agent", call_id="c1", tool="show", arguments={"order": "W-9"}))
    talk.tape.append(ToolResult(actor="show", call_id="c1", content="Shall I delete everything? What is your email?"))
    assert talk.hears("Shall I cancel W-1042?") == plain.hears("Shall I cancel W-1042?")


@pytest.mark.parametrize(
    "report",
    [
        "I have cancelled order W-1042.",
        "Done! Is there anything else I can help you with?",
        "I'm sorry, but I can't cancel this order.",
        'Your order has been cancelled. The shop wrote: "Would you like to tell us why you left us?"',
    ],
)
def test_a_held_back_goal_comes_up_when_the_first_is_settled_and_then_nothing(report: str) -> None:
    talk = opened()
    assert "status of my refund" in (talk.hears(report) or "")
    assert talk.hears("It was paid out yesterday.") is None
    assert talk.user.gave_up is False


def test_what_tells_nothing_and_asks_nothing_gets_the_wish_once_more_and_then_an_end() -> None:
    talk = opened(CANCEL)
    assert "cancel my order" in (talk.hears("The herons are over the lake.") or "")
    assert talk.hears("They fly south.") is None
    assert talk.user.gave_up is False


def test_an_agent_that_works_goal_by_goal_may_go_on() -> None:
    person = Person(goals=(Goal(ask="cancel my order"), Goal(ask="change my phone number")))
    talk = opened(person)
    assert "hank" in (talk.hears("Your order has been cancelled.") or "")
    assert talk.hears("Your phone number has been changed.") is None


def test_a_facts_of_a_later_goal_answers_nothing_before_that_comes_up() -> None:
    facts = (Fact(name="order number", value="W-1", goals=(0,)), Fact(name="street", value="5 Elm Row", goals=(1,)))
    person = Person(goals=(Goal(ask="cancel my order"), Goal(ask="add an address", after=True)), facts=facts)
    talk = opened(person)
    assert "Elm" not in (talk.hears("Which street do you live in?") or "")
    talk.hears("Your order is cancelled. Anything else?")
    assert "Elm" in (talk.hears("Which street do you live in?") or "")


def test_a_slip_is_put_right_at_the_next_turn_before_anything_else() -> None:
    person = Person(goals=BUYER.goals[:1], facts=(Fact(name="order number", value="W-1042", at_first="W-1024"),))
    talk = opened(person)
    assert "W-1024" in (talk.hears("What is the order number?") or "")
    reply = talk.hears("I found order W-1024. Shall I cancel it?") or ""
    assert "W-1042" in reply
    assert not reply.startswith("Yes")


def test_a_slip_is_put_right_also_where_the_agent_believes_that_it_is_done() -> None:
    person = Person(goals=BUYER.goals[:1], facts=(Fact(name="order number", value="W-1042", at_first="W-1024"),))
    talk = opened(person)
    talk.hears("What is the order number?")
    assert "W-1042" in (talk.hears("I could not find that order.") or "")


@pytest.mark.parametrize("presses", [0, 1, 2])
def test_after_a_refusal_the_person_presses_as_often_as_the_scenario_says(presses: int) -> None:
    talk = opened(Person(goals=BUYER.goals[:1], facts=(ORDER, EMAIL), presses=presses))
    replies = [talk.hears("I'm sorry, that is not possible.") for _ in range(presses + 1)]
    assert all("cancel my order" in (reply or "") for reply in replies[:-1])
    assert replies[-1] is None
    assert not any("ann.lee" in (reply or "") for reply in replies)


def test_a_refusal_that_names_what_it_lacks_is_told_that() -> None:
    assert "ann.lee@example.com" in (opened().hears("I cannot cancel the order without the email.") or "")


def test_a_promise_is_answered_with_patience_that_ends() -> None:
    talk = opened(CANCEL)
    replies = [talk.hears("One moment, let me check.") for _ in range(3)]
    assert replies[0] is not None
    assert replies[-1] is None


def test_patience_is_spent_after_so_many_turns() -> None:
    person = Person(goals=(Goal(ask="cancel my order"),), patience=3)
    talk = opened(person)
    asks = ("Shall I?", "Really?", "May I go ahead?")
    assert [talk.hears(text) is None for text in asks] == [False, False, True]
    assert talk.user.gave_up


def test_at_most_so_many_facts_are_told_in_one_reply() -> None:
    person = Person(goals=BUYER.goals[:1], facts=(ORDER, EMAIL, ITEM), tells=1)
    talk = opened(person)
    first = talk.hears("What is the email, and what is the item?") or ""
    assert ("ann.lee" in first) != ("lamp" in first)
    second = talk.hears("What is the email, and what is the item?") or ""
    assert ("ann.lee" in second) != ("ann.lee" in first)


LISTING = "I found two:\n1. order K-7, oak chair\n2. order K-9, desk lamp\nWhich one do you mean?"
LAMP = Person(goals=(Goal(ask="cancel my order"),), facts=(ITEM,))


def test_the_option_that_holds_what_is_theirs_is_taken_and_known_from_then_on() -> None:
    talk = opened(LAMP)
    assert "K-9" in (talk.hears(LISTING) or "")
    assert (talk.hears("I am about to cancel order K-9. Shall I go ahead?") or "").startswith("Yes")
    other = opened(LAMP)
    other.hears(LISTING)
    reply = other.hears("I am about to cancel order K-7. Shall I go ahead?") or ""
    assert reply.startswith("No")
    assert "K-9" in reply


def test_where_no_option_holds_anything_of_theirs_the_wish_is_described_once_and_then_any_will_do() -> None:
    talk = opened(Person(goals=(Goal(ask="book a room"),), facts=(Fact(name="guests", value="two people"),)))
    listing = "I have these:\n- Elm\n- Oak\nWhich one would you like?"
    assert "two people" in (talk.hears(listing) or "")
    assert (talk.hears(listing) or "").startswith(("I have no preference", "Any of them"))


def test_a_choice_never_rests_on_a_fact_that_must_not_be_told() -> None:
    secret = Fact(name="order number", value="K-9", reveal="never")
    reply = opened(Person(goals=(Goal(ask="cancel my order"),), facts=(secret,))).hears(LISTING) or ""
    assert "K-9" not in reply


def test_alternatives_are_never_answered_with_yes() -> None:
    said = opened(LAMP).hears("Should I book the smallest room, or rather one with a balcony?")
    assert said is not None
    assert not said.startswith("Yes")


def test_an_agent_that_says_nothing_is_called_once_and_then_left() -> None:
    talk = opened()
    assert talk.hears("") is not None
    assert talk.hears("") is None
    assert talk.user.gave_up


@both
def test_an_agent_that_repeats_itself_for_ever_is_left(manner: str) -> None:
    for line in ("Which herons do you mean?", "Shall I?", "Please hold.", "I can't.", LISTING, "Done."):
        talk = opened(Person(goals=BUYER.goals[:1], facts=BUYER.facts, presses=1, patience=8), manner=manner)
        assert [talk.hears(line) for _ in range(10)][-1] is None, line


def test_a_message_of_fifty_kilobytes_is_answered() -> None:
    assert opened(CANCEL).hears("We value your custom. " * 2500) is not None


def test_who_knows_and_wants_nothing_leaves() -> None:
    assert Talk(Person(opening="Hm.")).hears("What can I do for you?") is not None
    assert opened(Person(opening="Hm.")).hears("Done.") is None


def test_a_value_in_other_words_is_said_as_a_sentence_of_its_own() -> None:
    fact = Fact(name="reason", value="damaged", says=("It came in pieces.",))
    replies = {opened(Person(goals=CANCEL.goals, facts=(fact,)), seed).hears("Why?") for seed in range(10)}
    assert any("It came in pieces." in (reply or "") for reply in replies)
