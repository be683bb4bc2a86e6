"""A model that plays a person: what it is asked, what it may say, and when the plain person speaks in its place."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from misstep.core.errors import UsageError
from misstep.core.event import Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Fact, Favour, Given, Goal, Person
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
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

    def __init__(
        self, endpoint: Any, person: Person = BUYER, *, calls: int | None = None, tools: Toolbox | None = None
    ) -> None:
        self.endpoint = endpoint
        model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0, calls=calls))
        self.user = ModelledUser(person, model, seed=3, tools=tools)
        self.tape = Tape()

    def will_say(self, text: str, *tells: str, done: bool = False, **more: object) -> None:
        self.endpoint.says(json.dumps({"say": text, "tells": tells, "done": done, **more}))

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


def test_what_fails_twice_is_said_by_the_plain_person_and_counted(play: Play) -> None:
    for _ in range(2):
        play.will_say("It's K-99.")
    said = play.hears("What is your email?")
    assert "ann.lee@example.com" in str(said)
    assert ["does not allow" in why for why in play.user.stood_in] == [True]
    play.will_say("As I said: ann.lee@example.com.", "email")
    assert play.hears("Once more, please?") == "As I said: ann.lee@example.com."
    assert next(each["use"] for each in play.asked()["facts"] if each["name"] == "email") == "told"
    assert len(play.user.stood_in) == 1


def test_an_opening_that_fails_is_the_plain_persons(endpoint: Any) -> None:
    play = Play(endpoint)
    for _ in range(2):
        endpoint.says("I am a helpful assistant.")
    assert "W-1042" in str(play.hears())
    assert ["another form" in why for why in play.user.stood_in] == [True]


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


@pytest.mark.parametrize(("status", "why"), [(500, "500"), (401, "401"), (400, "400"), (429, "too many")])
def test_a_model_that_gives_no_answer_is_stood_in_for_at_that_turn_alone(play: Play, status: int, why: str) -> None:
    play.endpoint.fails(status)
    assert "ann.lee@example.com" in str(play.hears("What is your email?"))
    assert [why in each for each in play.user.stood_in] == [True]
    play.will_say("Yes, please.")
    assert play.hears("Shall I cancel order W-1042?") == "Yes, please."


def test_a_refusal_is_asked_about_once_more_and_then_stood_in_for(play: Play) -> None:
    for _ in range(2):
        play.endpoint.says(None, refusal="I can't play people.")
    assert "ann.lee@example.com" in str(play.hears("What is your email?"))
    assert "refused to play" in play.user.stood_in[0]
    assert "I can't play people." in play.endpoint.requests[-1]["messages"][-1]["content"]


def test_a_spent_budget_leaves_the_rest_to_the_plain_person(endpoint: Any) -> None:
    play = Play(endpoint, calls=1)
    play.will_say("Please cancel order W-1042.", "order number")
    assert play.hears() == "Please cancel order W-1042."
    assert "ann.lee@example.com" in str(play.hears("What is your email?"))
    assert "budget of 1 calls is spent" in play.user.stood_in[0]
    assert len(endpoint.requests) == 1


def test_a_mistake_of_the_plain_person_has_to_be_put_right_by_the_model(play: Play) -> None:
    play.endpoint.fails(500)
    assert "Lausanne" in str(play.hears("Which city do you live in?"))
    play.will_say("I was mistaken, it is Lisbon.", "city")
    assert play.hears("Thank you.") == "I was mistaken, it is Lisbon."
    assert next(each["use"] for each in play.asked()["facts"] if each["name"] == "city") == "put_right"


CARER = Person(
    goals=(Goal(ask="get my router going"),),
    facts=(Fact(name="code", value="4711", from_tool=Given(tool="look", arguments={"at": "screen"})),),
    favours=(Favour(name="restart the router", call=Given(tool="restart")),),
)


class Home:
    """The tools of somebody at home; the screen shows a code once the router was restarted."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return (Tool("look", "Look."), Tool("restart", "Restart."))

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        restarted = "restart" in self.calls
        self.calls.append(tool)
        if tool == "restart":
            return Answer({"lights": "green"})
        return Answer({"code": "4711"} if restarted else {}, is_error=not restarted)


@pytest.fixture
def at_home(endpoint: Any) -> tuple[Play, Home]:
    home = Home()
    play = Play(endpoint, CARER, tools=home)
    play.will_say("Please get my router going.")
    play.hears()
    return play, home


def test_favours_are_done_and_facts_looked_up_when_the_model_says_so(at_home: tuple[Play, Home]) -> None:
    play, home = at_home
    play.will_say("", does=["code"])
    play.will_say("I don't see it yet.")
    assert play.hears("What does the screen show?") == "I don't see it yet."
    play.will_say("", does=["restart the router"])
    play.will_say("Done, the lights are green.")
    assert play.hears("Please restart the router.") == "Done, the lights are green."
    play.will_say("It's 4711.", "code")
    play.will_say("", does=["code"])
    play.will_say("It's 4711.", "code")
    assert play.hears("And the code now?") == "It's 4711."
    assert home.calls == ["look", "restart", "look"]
    assert play.user.stood_in == []


def test_what_the_person_did_is_not_done_again_when_the_plain_person_stands_in(at_home: tuple[Play, Home]) -> None:
    play, home = at_home
    play.will_say("", does=["restart the router"])
    play.will_say("Done, the lights are green.")
    play.hears("Could you restart the router?")
    play.endpoint.fails(500)
    assert "4711" in str(play.hears("What is the code?"))
    assert home.calls == ["restart", "look"]


def test_the_modelled_manner_needs_a_model(endpoint: Any) -> None:
    with pytest.raises(UsageError, match="needs a model"):
        user_for(BUYER, seed=0, manner="modelled")
    model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0))
    assert isinstance(user_for(BUYER, seed=0, manner="modelled", model=model), ModelledUser)
