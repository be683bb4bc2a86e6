"""Proposals that the rules can't make out, or hold too much against: agreed to or put right where that is clear."""

import asyncio

import pytest

from misstep.core.event import Message
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.users.simulated import SimulatedUser

VISIT = Person(
    opening="My internet is down.",
    goals=(Goal(ask="get the line repaired"),),
    facts=(
        Fact(name="address", value="14 Hazel Close, Taunton"),
        Fact(name="preferred time", value="Friday afternoon"),
        Fact(name="colour of the router light", value="red"),
        Fact(name="account number", value="5502 8813"),
        Fact(name="mobile number", value="07700 900461"),
    ),
)


def hears(*texts: str) -> list[str | None]:
    user, tape = SimulatedUser(VISIT, 1), Tape()
    asyncio.run(user.say(tape.view))
    replies: list[str | None] = []
    for text in texts:
        tape.append(Message(actor="agent", role="agent", text=text))
        replies.append(asyncio.run(user.say(tape.view)))
    return replies


@pytest.mark.parametrize(
    "proposed",
    [
        "An engineer's visit has been provisionally reserved for Friday afternoon at 14 Hazel Close, Taunton. The"
        " reservation lapses in ten minutes unless it is confirmed. Do you wish to proceed?",
        "Okay, so that's Friday afternoon at 14 Hazel Close, Taunton, and we'd ring 07700 900461 on the way. Shall I?",
    ],
)
def test_what_is_right_is_agreed_to_also_in_words_that_nobody_has_used(proposed: str) -> None:
    (reply,) = hears(proposed)
    assert reply is not None
    assert reply.startswith("Yes")


def test_what_is_wrong_is_put_right() -> None:
    (reply,) = hears("Okay, so that's Friday afternoon at 41 Hazel Close, Taunton. Shall I book the engineer?")
    assert reply is not None
    assert "14 Hazel Close" in reply
    assert not reply.startswith("Yes")


def test_another_thing_in_place_of_what_was_wanted_is_not_agreed_to() -> None:
    (reply,) = hears(
        "I regret that Friday afternoon is fully booked. We could offer you Monday morning instead. Agreed?"
    )
    assert reply is not None
    assert not reply.startswith("Yes")


def test_who_lists_what_there_is_to_choose_from_is_not_left() -> None:
    (reply,) = hears("Pick a slot:\n[a] Thursday morning\n[b] Friday afternoon\n[c] Monday morning")
    assert reply is not None
