"""The crew of two: it hands over whole, reports whole, and writes it all on the tape."""

import asyncio

from misstep.agents.zoo.crew import Crew, LosesHalf, NeverHandsOver
from misstep.agents.zoo.sound import Sound
from misstep.core.event import Handoff
from misstep.core.tape import Tape
from misstep.worlds import world_named

ASKED = "Hello! What is the status of my order W-28709?"


def handed(tape: Tape) -> list[tuple[str, str, str]]:
    return [(each.actor, each.to, each.text) for each in tape.frozen() if isinstance(each, Handoff)]


def test_the_crew_says_what_the_sound_agent_says() -> None:
    kind = world_named("shop")
    alone = asyncio.run(Sound(kind.make(7).policy).respond(ASKED, kind.make(7)))
    tape = Tape()
    assert asyncio.run(Crew(kind.make(7).policy, tape).respond(ASKED, kind.make(7))) == alone
    assert handed(tape) == [("agent", "clerk", ASKED), ("clerk", "agent", alone)]


def test_who_loses_half_hands_over_the_first_wish_only() -> None:
    kind, tape = world_named("shop"), Tape()
    asyncio.run(LosesHalf(kind.make(7).policy, tape).respond(f"{ASKED} My postcode is 12910.", kind.make(7)))
    assert "12910" not in handed(tape)[0][2]


def test_who_never_hands_over_says_so_all_the_same() -> None:
    kind, tape = world_named("shop"), Tape()
    reply = asyncio.run(NeverHandsOver(kind.make(7).policy, tape).respond(ASKED, kind.make(7)))
    assert "handing this over" in reply
    assert handed(tape) == []
