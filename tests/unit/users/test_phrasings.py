"""Questions, confirmations and options in many registers, each with the reaction that a person would have."""

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from misstep.core.event import Message
from misstep.core.scenario import Person
from misstep.core.tape import Tape
from misstep.users.simulated import SimulatedUser

_FILES = ("phrasings.toml", "phrasings_elsewhere.toml", "phrasings_later.toml", "phrasings_laid_out.toml")
_SETS = [tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8")) for name in _FILES]
_PEOPLE = {name: msgspec.convert(data, Person) for each in _SETS for name, data in each["people"].items()}
_CASES: list[dict[str, Any]] = [case for each in _SETS for case in each["cases"]]


def _reply(person: Person, says: str, seed: int) -> str | None:
    user, tape = SimulatedUser(person, seed), Tape()
    opening = asyncio.run(user.say(tape.view))
    assert opening
    tape.append(Message(actor="user", role="user", text=opening))
    tape.append(Message(actor="agent", role="agent", text=says))
    return asyncio.run(user.say(tape.view))


def _told(person: Person, reply: str) -> set[str]:
    return {fact.name for fact in person.facts if re.search(rf"(?<!\w){re.escape(str(fact.value))}(?!\w)", reply)}


def reaction_error(person: Person, case: dict[str, Any], reply: str | None) -> str | None:
    """Why the reply is not the reaction that the case asks for; None where it is."""
    if "done" in case:
        return None if reply is None else "should have nothing more to say"
    if reply is None:
        return "should have said something"
    told = _told(person, reply)
    if "tells" in case:
        fits = told <= set(case["tells"]) if case.get("any") and told else told == set(case["tells"])
        return None if fits else f"should have told {case['tells']}"
    if "yes" in case:
        return None if reply.startswith("Yes") else "should have agreed"
    if "no" in case:
        return None if reply.startswith("No") and case["no"] in reply else "should have said no"
    if "picks" in case:
        number, shown = case["picks"]
        ordinal: str = ("first", "second", "third", "fourth")[int(number) - 1]
        named = str(number) in reply.split(":")[0] or ordinal in reply or (shown and shown.lower() in reply.lower())
        return None if named and not reply.startswith("No") else f"should have picked {case['picks']}"
    if "both" in case:
        return None if all(name in reply for name in case["both"]) else "should have named both"
    if "near" in case:
        return None if "don't have" in reply and case["near"] in reply and not told else "should have named what it has"
    if "wants" in case:
        return None if case["wants"] in reply else "should have said what it wants"
    marks = {
        "unsure": ("sure", "tell which", "tell them apart"),
        "none": ("none", "not one of", "neither"),
        "lacks": ("don't have", "don't know", "haven't got", "can't give"),
        "ok": ("OK", "Okay", "Fine", "Sure", "All right"),
        "puzzled": ("put that", "put the rest", "do you mean"),
        "keeps": ("rather not", "won't", "keep"),
    }
    (expected,) = marks.keys() & case.keys()
    if told and expected in ("lacks", "ok", "keeps"):
        return f"should not have told {told}"
    return None if any(mark.lower() in reply.lower() for mark in marks[expected]) else f"should have been: {expected}"


_MIXED = tomllib.loads(Path(__file__).with_name("phrasings_mixed.toml").read_text(encoding="utf-8"))


def _asks_back(reply: str | None) -> bool:
    return reply is not None and "?" in reply and not reply.startswith(("Yes", "No"))


def test_hard_ones_are_answered_or_asked_back_and_hardly_ever_misread() -> None:
    right, misread = 0, list[str]()
    for case in _MIXED["cases"]:
        person = msgspec.convert(_MIXED["people"][case["person"]], Person)
        reply = _reply(person, case["says"], 1)
        if reaction_error(person, case, reply) is None:
            right += 1
        elif not _asks_back(reply):
            misread.append(f"{case['says']!r}: {reply!r}")
    assert len(misread) <= 0.02 * len(_MIXED["cases"]), misread
    assert right >= 0.75 * len(_MIXED["cases"])


def test_there_are_at_least_sixty_phrasings() -> None:
    assert len(_SETS[0]["cases"]) >= 60


@pytest.mark.parametrize("case", _CASES, ids=lambda case: f"{case['person']}: {case['says'][:60]!r}")
@pytest.mark.parametrize("seed", [0, 7])
def test_the_person_reacts_as_a_person_would(case: dict[str, Any], seed: int) -> None:
    person = _PEOPLE[case["person"]]
    reply = _reply(person, case["says"], seed)
    error = reaction_error(person, case, reply)
    assert error is None, f"{error}; said {reply!r}"
