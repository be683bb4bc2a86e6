"""A model that plays a person: what it is asked, what it may say, and when the trial is invalid."""

import asyncio
import json
from typing import Any

import pytest

from misstep.core.errors import InvalidTrialError, UsageError
from misstep.core.event import Message
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.llm import ModelSettings, model_named
from misstep.users import ModelledUser, user_for

BUYER = Person(
    goals=(Goal(ask="cancel my order"), Goal(ask="ask about my refund", after=True)),
    facts=(
        Fact(name="order number", value="W-1042", reveal="opening"),
        Fact(name="email", value="ann.lee@example.com"),
        Fact(name="city", value="Lisbon", at_first="Lausanne"),
        Fact(name="password", value="hunter2", reveal="never"),
    ),
    patience=4,
)


class Play:
    """A person who is played by the scripted endpoint; the test plays the agent."""

    def __init__(self, endpoint: Any, person: Person = BUYER) -> None:
        self.endpoint = endpoint
        model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0))
        self.user = ModelledUser(person, model, seed=3)
        self.tape = Tape()

    def will_say(self, text: str, *tells: str, done: bool = False) -> None:
        self.endpoint.says(json.dumps({"say": text, "tells": tells, "done": done}))

    def hears(self, text: str = "") -> str | None:
        if text:
            self.tape.append(Message(actor="agent", role="agent", text=text))
        said = asyncio.run(self.user.say(self.tape.view))
        if said is not None:
            self.tape.append(Message(actor="user", role="user", text=said))
        return said

    def asked(self, at: int = -1) -> dict[str, Any]:
        return json.loads(self.endpoint.requests[at]["messages"][1]["content"])


@pytest.fixture
def play(endpoint: Any) -> Play:
    made = Play(endpoint)
    made.will_say("Hello there, please cancel order W-1042 for me.", "order number")
    assert made.hears() == "Hello there, please cancel order W-1042 for me."
    return made


def test_the_model_is_shown_the_person_and_the_conversation(play: Play) -> None:
    play.will_say("Sure thing, it's ann.lee@example.com.", "email")
    assert play.hears("What is your email?") == "Sure thing, it's ann.lee@example.com."
    asked = play.asked()
    assert [each["said"] for each in asked["conversation"]][-1] == "What is your email?"
    assert {each["name"]: each["use"] for each in asked["facts"]} == {
        "order number": "told",
        "email": "when asked",
        "city": "when asked",
        "password": "kept",
    }
    assert asked["goals"][1] == {"ask": "ask about my refund", "later": True}


@pytest.mark.parametrize(
    ("first", "tells", "why"),
    [
        ("My email is ann.lee@example.org.", ("email",), "altered"),
        ("My number is 020 555 0199.", (), "invented"),
        ("Ask my colleague Bartholomew about it.", (), "invented"),
        ("It's hunter2.", (), "leaked"),
        ("It's hunter2.", ("password",), "no fact that may be told"),
        ("It's ann.lee@example.com.", (), "leaked"),
        ("I told you.", ("email",), "not told"),
        ("", (), "Nothing was said"),
    ],
)
def test_what_the_ledger_does_not_allow_is_said_again(play: Play, first: str, tells: tuple[str, ...], why: str) -> None:
    play.will_say(first, *tells)
    play.will_say("It's ann.lee@example.com.", "email")
    assert play.hears("What is your email?") == "It's ann.lee@example.com."
    assert why in play.endpoint.requests[-1]["messages"][-1]["content"]


def test_the_opening_tells_only_the_facts_of_the_opening(endpoint: Any) -> None:
    play = Play(endpoint)
    play.will_say("Cancel W-1042, my email is ann.lee@example.com.", "order number", "email")
    play.will_say("Cancel W-1042, please.", "order number")
    assert play.hears() == "Cancel W-1042, please."


def test_a_sentence_that_fails_three_times_makes_the_trial_invalid(play: Play) -> None:
    for _ in range(3):
        play.will_say("It's K-99.")
    with pytest.raises(InvalidTrialError, match="K-99") as error:
        play.hears("What is your email?")
    assert error.value.blame == "user-simulator"


def test_a_mistake_is_made_first_and_has_to_be_put_right_at_the_next_turn(play: Play) -> None:
    play.will_say("I live in Lausanne.", "city")
    assert play.hears("Which city do you live in?") == "I live in Lausanne."
    assert next(each for each in play.asked()["facts"] if each["name"] == "city")["value"] == "Lausanne"
    play.will_say("Yes, please do that.")
    play.will_say("Sorry, I was mistaken: it is Lisbon.", "city")
    assert play.hears("Shall I go ahead?") == "Sorry, I was mistaken: it is Lisbon."


def test_done_ends_the_conversation_and_spent_patience_too(play: Play) -> None:
    play.will_say("", done=True)
    assert play.hears("It is cancelled.") is None
    assert play.user.gave_up is False
    assert play.hears("Hello?") is None


def test_patience_is_spent_after_so_many_turns(play: Play) -> None:
    for _ in range(3):
        play.will_say("All right.")
        play.hears("One moment.")
    assert play.hears("One moment.") is None
    assert play.user.gave_up


def test_a_model_that_fails_is_no_error_of_the_simulator(play: Play) -> None:
    play.endpoint.fails(500)
    with pytest.raises(InvalidTrialError) as error:
        play.hears("What is your email?")
    assert error.value.blame == "infrastructure"


def test_the_modelled_manner_needs_a_model(endpoint: Any) -> None:
    with pytest.raises(UsageError, match="needs a model"):
        user_for(BUYER, seed=0, manner="modelled")
    model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0))
    assert isinstance(user_for(BUYER, seed=0, manner="modelled", model=model), ModelledUser)
