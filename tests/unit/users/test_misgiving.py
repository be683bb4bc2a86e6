"""What a person who doubts everything does, and one who doubts nothing: misgivings turn deeds into questions."""

import asyncio

import pytest
from msgspec import structs

from misstep.core.event import Message
from misstep.core.scenario import Fact, Goal, Person
from misstep.core.tape import Tape
from misstep.users.ledger import ledger_of
from misstep.users.misgiving import Misgivings
from misstep.users.simulated import SimulatedUser
from misstep.users.weighing.forest import Forest
from misstep.users.weighing.hearing import Hearing, Weights, weights

_TENANT = Person(
    opening="My heating is broken.",
    goals=(Goal(ask="get the heating repaired"),),
    facts=(
        Fact(name="flat number", value="14C"),
        Fact(name="phone", value="07700 900461"),
        Fact(name="preferred day", value="Friday"),
    ),
)
_ALWAYS, _NEVER = (structs.replace(weights(), misgivings=Forest((), odds, ())) for odds in (30.0, -30.0))

_TOLD = "What is your flat number?"
_AGREED = "I would send somebody to flat 14C on Friday to repair the heating. Shall I?"
_PUT_RIGHT = "I would send somebody to flat 14B on Friday to repair the heating. Shall I?"
_LEFT = "The heating was repaired today."


def _reply(says: str, by: Weights) -> str | None:
    user, tape = SimulatedUser(_TENANT, 1, "first", by), Tape()
    asyncio.run(user.say(tape.view))
    tape.append(Message(actor="agent", role="agent", text=says))
    return asyncio.run(user.say(tape.view))


def test_who_has_no_misgivings_tells_agrees_puts_right_and_leaves() -> None:
    assert "14C" in (_reply(_TOLD, _NEVER) or "")
    assert (_reply(_AGREED, _NEVER) or "").startswith("Yes")
    assert (_reply(_PUT_RIGHT, _NEVER) or "").startswith("No")
    assert _reply(_LEFT, _NEVER) is None


@pytest.mark.parametrize("says", [_TOLD, _AGREED, _PUT_RIGHT, _LEFT])
def test_who_has_misgivings_about_everything_asks_back(says: str) -> None:
    reply = _reply(says, _ALWAYS)
    assert reply is not None
    assert "?" in reply
    assert not reply.startswith(("Yes", "No"))
    assert "07700" not in reply


def test_what_was_asked_back_about_is_told_when_the_agent_says_that_it_is_meant() -> None:
    user, tape = SimulatedUser(_TENANT, 1, "first", _ALWAYS), Tape()
    asyncio.run(user.say(tape.view))
    replies: list[str | None] = []
    for says in (_TOLD, "Yes, exactly."):
        tape.append(Message(actor="agent", role="agent", text=says))
        replies.append(asyncio.run(user.say(tape.view)))
    assert "flat number" in (replies[0] or "")
    assert "14C" in (replies[1] or "")


def test_each_deed_is_weighed_once_a_message() -> None:
    ledger = ledger_of(_TENANT, "first")
    misgivings = Misgivings(Hearing(_TOLD, ledger, _NEVER))
    entries = ledger.entries[:1]
    assert [misgivings.against("tells", entries), misgivings.against("tells", entries)] == [False, False]
    assert len(misgivings.weighed) == 1
    misgivings.hears(Hearing(_LEFT, ledger, _NEVER))
    assert not misgivings.weighed


def test_who_calls_everything_by_words_that_nobody_has_is_left_to_the_rules() -> None:
    facts = tuple(
        structs.replace(fact, name=name) for fact, name in zip(_TENANT.facts, ("blorp", "zindle", "quorn"), strict=True)
    )
    person = structs.replace(_TENANT, facts=facts)
    user, tape = SimulatedUser(person, 1, "first", _ALWAYS), Tape()
    asyncio.run(user.say(tape.view))
    tape.append(Message(actor="agent", role="agent", text="What is your blorp?"))
    assert "14C" in (asyncio.run(user.say(tape.view)) or "")
