"""Labelled exchanges → what a user did about each of them, and whether that was a misreading."""

import asyncio
import sys
import tomllib
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

import msgspec
import scoring
from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Message
from misstep.core.scenario import Person
from misstep.core.tape import Tape
from misstep.users.misgiving import Weighed
from misstep.users.simulated import SimulatedUser
from misstep.users.weighing.hearing import Weights
from misstep.users.weighing.traits import Traits

sys.path.append(str(Path(__file__).parents[1]))
from test_phrasings import reaction_error


class Example(Struct, frozen=True):
    """Something that was done, in numbers."""

    seen: Traits
    misread: bool


class _Talk:
    """A user who is spoken to: their words, and what they told last."""

    def __init__(self, person: Person, weights: Weights, runner: asyncio.Runner) -> None:
        self.user = SimulatedUser(person, scoring.SEED, "first", weights)
        self.told: Set[str] = frozenset()
        self._tape = Tape()
        self._runner = runner
        self._reply()

    @property
    def heard(self) -> str:
        return "\n".join(event.text for event in self._tape.view if isinstance(event, Message))

    def hears(self, text: str) -> str | None:
        self._tape.append(Message(actor="agent", role="agent", text=text))
        return self._reply()

    def _reply(self) -> str | None:
        before = dict(self.user.speaker.told)
        reply = self._runner.run(self.user.say(self._tape.view))
        self.told = {name for name, times in self.user.speaker.told.items() if times != before.get(name, 0)}
        self._tape.append(Message(actor="user", role="user", text=reply or ""))
        return reply


def examples(path: Path, weights: Weights) -> Iterator[Example]:
    exchanges = scoring.read(path)
    with asyncio.Runner() as runner:
        for each in exchanges.exchanges:
            person = exchanges.people[each.person]
            talk = _Talk(person, weights, runner)
            try:
                for text in each.before:
                    talk.hears(text)
                before = talk.heard
                reply = talk.hears(each.agent)
            except InvalidTrialError:
                continue
            heard = f"{before}\n{each.agent}"
            score = scoring.score(reply, each, person, heard)
            free = scoring.free_facts(each, person, heard)
            yield from (_example(done, score, free) for done in _done(talk, score))


def examples_of_cases(path: Path, weights: Weights) -> list[Example]:
    """Of the older cases those that the user reacts to as they say: there is nothing wrong about them."""
    data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    found: list[Example] = []
    with asyncio.Runner() as runner:
        for case in data["cases"]:
            person = msgspec.convert(data["people"][case["person"]], Person)
            talk = _Talk(person, weights, runner)
            if reaction_error(person, case, talk.hears(case["says"])) is None:
                found.extend(Example(done.seen, misread=False) for done in _done(talk, "right"))
    return found


def _done(talk: _Talk, score: scoring.Score) -> Iterator[Weighed]:
    """What was weighed and then done. Of a reply that asks back nothing but what it tells is held against anybody."""
    for each in talk.user.misgivings.weighed.values():
        if each.about <= talk.told if each.what == "tells" else score != "asked_back":
            yield each


def _example(done: Weighed, score: scoring.Score, free: Set[str]) -> Example:
    return Example(done.seen, misread=not done.about <= free if done.what == "tells" else score == "misread")
