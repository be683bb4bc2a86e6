"""A person with tools of their own looks up what is not known by heart, and does what is asked with them."""

import asyncio
import runpy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.event import Message
from misstep.core.scenario import Fact, Favour, Given, Goal, Person
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.users import MANNERS, user_for

CODE = Fact(name="code", value="482913", from_tool=Given("read_texts"), words=("one-time code",))
EMAIL = Fact(name="email", value="ann.lee@example.com")
RESTART = Favour(name="restart the router", call=Given("restart_router"), words=("switch it off and on",))
PERSON = Person(goals=(Goal(ask="reopen my account"),), facts=(CODE, EMAIL), favours=(RESTART,))

TALK = runpy.run_path(str(Path(__file__).with_name("talking.py")))["Talk"]
both = pytest.mark.parametrize("manner", MANNERS)


class Pocket:
    """A phone and a router; what was done with them is remembered."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.calls: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return (Tool("read_texts"), Tool("restart_router"))

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls.append(tool)
        if tool == "read_texts":
            return Answer({"texts": self.texts})
        if tool == "restart_router":
            return Answer({"lights": "green"})
        raise UnknownToolError(tool, ("read_texts", "restart_router"))


def talk_with(pocket: Pocket, manner: str = "first", person: Person = PERSON) -> Any:
    return TALK(person, manner, seed=3, tools=pocket)


@both
def test_what_is_not_known_by_heart_is_looked_up_once_and_told(manner: str) -> None:
    pocket = Pocket("Your code is 482913.")
    talk = talk_with(pocket, manner)
    assert pocket.calls == []
    assert "482913" in talk.hears("What is the one-time code?")
    assert "482913" in talk.hears("Sorry, what was the code again?")
    assert pocket.calls == ["read_texts"]


@both
def test_what_has_not_come_yet_is_not_told_and_is_looked_for_again(manner: str) -> None:
    pocket = Pocket("Your parcel is on its way.")
    talk = talk_with(pocket, manner)
    assert "482913" not in talk.hears("What is the one-time code?")
    pocket.texts.append("Your code is 482913.")
    assert "482913" in talk.hears("I have sent it again. What is the one-time code?")
    assert pocket.calls == ["read_texts", "read_texts"]


def test_nothing_is_looked_up_for_a_question_about_something_else() -> None:
    pocket = Pocket("Your code is 482913.")
    assert "ann.lee@example.com" in talk_with(pocket).hears("What is your email?")
    assert pocket.calls == []


@both
def test_a_favour_is_done_when_asked_for_and_what_it_showed_is_told(manner: str) -> None:
    pocket = Pocket()
    assert "green" in talk_with(pocket, manner).hears("Could you please restart the router?")
    assert pocket.calls == ["restart_router"]


def test_a_favour_in_other_words_is_done_beside_an_answer() -> None:
    pocket = Pocket("Your code is 482913.")
    said = talk_with(pocket).hears("Please switch it off and on again. And what is your email?")
    assert "green" in said
    assert "ann.lee@example.com" in said


@pytest.mark.parametrize("text", ["I will restart the router now.", "I have restarted the router. What is your email?"])
def test_what_the_agent_does_itself_is_no_favour_that_it_asks_for(text: str) -> None:
    pocket = Pocket()
    talk_with(pocket).hears(text)
    assert "restart_router" not in pocket.calls


def test_a_person_without_the_tools_that_they_need_is_the_scenarios_fault() -> None:
    with pytest.raises(InvalidTrialError) as raised:
        user_for(PERSON, seed=0)
    assert raised.value.blame == "scenario"


def test_a_tool_that_the_person_does_not_have_is_the_scenarios_fault() -> None:
    code = Fact(name="code", value="482913", from_tool=Given("open_safe"))
    talk = talk_with(Pocket(), person=Person(goals=PERSON.goals, facts=(code,)))
    with pytest.raises(InvalidTrialError) as raised:
        talk.hears("What is the code?")
    assert raised.value.blame == "scenario"


def test_the_same_seed_says_the_same_words_with_tools_and_without() -> None:
    person = Person(goals=PERSON.goals, facts=(EMAIL,))
    plain, equipped = Tape(), Tape()
    one, other = user_for(person, seed=3), user_for(person, seed=3, tools=Pocket())
    for tape, user in ((plain, one), (equipped, other)):
        for text in ("", "What is your email?", "And the email again?"):
            if text:
                tape.append(Message(actor="agent", role="agent", text=text))
            tape.append(Message(actor="user", role="user", text=asyncio.run(user.say(tape.view)) or ""))
    assert plain.frozen() == equipped.frozen()
