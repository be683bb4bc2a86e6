"""What a second hearing keeps a person from saying; it never makes them say more."""

import asyncio

import pytest

from misstep.core.event import Message
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.users.simulated import SimulatedUser


def _reply(person: Person, says: str) -> str | None:
    user, tape = SimulatedUser(person, 1), Tape()
    tape.append(Message(actor="user", role="user", text=asyncio.run(user.say(tape.view)) or ""))
    tape.append(Message(actor="agent", role="agent", text=says))
    return asyncio.run(user.say(tape.view))


_MEMBER = Person(
    goals=(Goal(ask="freeze my membership"),),
    facts=(
        Fact(name="member number", value="G-5516"),
        Fact(name="phone", value="+44 7700 900481"),
        Fact(name="class", value="spinning"),
        Fact(name="start date", value="1 September"),
    ),
)


@pytest.mark.parametrize(
    "says",
    [
        "In order to verify the supply point, we require the meter code of your connection. Please provide it.",
        "You could be collecting miles on this one, if I had anything to credit them to.",
    ],
)
def test_what_is_asked_for_in_particular_is_not_answered_with_anything_at_all(says: str) -> None:
    reply = _reply(_MEMBER, says)
    assert reply is not None
    assert not any(str(fact.value) in reply for fact in _MEMBER.facts)


@pytest.mark.parametrize("says", ["In order that we may proceed, please state the start date.", "Start date?"])
def test_what_is_asked_for_outright_is_told(says: str) -> None:
    reply = _reply(_MEMBER, says)
    assert reply is not None
    assert "1 September" in reply
    assert "G-5516" not in reply


def test_a_list_of_options_is_not_agreed_to() -> None:
    reply = _reply(_MEMBER, "Which class is it: yoga, spinning or boxing?")
    assert reply is not None
    assert not reply.startswith("Yes")


def test_the_fact_that_was_got_wrong_is_put_right_and_no_other_that_looks_like_it() -> None:
    reply = _reply(_MEMBER, "We'll ring you on +44 7700 900418, yes?")
    assert reply is not None
    assert "G-5516" not in reply


@pytest.mark.parametrize(
    "says", ["The membership is frozen from 1 September.", "I'm afraid I can't freeze it.", "Done! Anything else?"]
)
def test_a_plain_report_or_refusal_leaves_nobody_asking_what_is_wanted(says: str) -> None:
    reply = _reply(_MEMBER, says)
    assert reply is None or "?" not in reply


def test_who_only_says_thanks_for_a_message_is_not_asked_whether_they_want_one() -> None:
    sender = Person(goals=(Goal(ask="send a mail"),), facts=(Fact(name="text", value="As we said on the phone."),))
    reply = _reply(sender, "Thank you for your message.")
    assert reply is not None
    assert "text" not in reply
