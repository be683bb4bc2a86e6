"""A simulated person with tools of their own: looks up what is not known by heart, and does favours when asked."""

import re
from collections.abc import Sequence
from copy import deepcopy

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.event import Event, Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Fact, Favour, Given, Person
from misstep.core.tape import View
from misstep.core.tool import Answer
from misstep.core.words import content_stems, sentences, stem, words
from misstep.users.ledger import ledger_of
from misstep.users.simulated import SimulatedUser
from misstep.wording.cues import cues, reports
from misstep.wording.phrasing import Manner
from misstep.wording.showing import as_shown, shows

_TO_THE_PERSON = re.compile(r"\b(?:please|you|your|try|kindly)\b", re.IGNORECASE)
_OWN = re.compile(r"^\W*(?:i|i've|i'll|i'm|i'd|we|we've|we'll|let me|shall i|shall we)\b", re.IGNORECASE)


class EquippedUser:
    """Says nothing that a tool was to show and did not; each turn looks anew for what was not there."""

    def __init__(self, person: Person, seed: int, manner: Manner, tools: Toolbox) -> None:
        self._user = SimulatedUser(person, seed, manner)
        self._person = person
        self._tools = tools
        self._seen: dict[str, bool] = {}
        self._shared = (person, ledger_of(person, manner))

    @property
    def gave_up(self) -> bool:
        return self._user.gave_up

    async def say(self, tape: View) -> str | None:
        """The next thing to say, after a look at what it hangs on."""
        heard, favours = _without_favours(tape, self._person.favours)
        done = [await self._done(favour) for favour in favours]
        if done and not _agent_said(heard):
            return self._told(done) if self._user.pause(heard) else None
        said = await self._said(heard)
        return f"{self._told(done)} {said}" if done and said is not None else said

    def _told(self, done: Sequence[tuple[str, str]]) -> str:
        return " ".join(self._user.speaker.say("favours", how, shown=shown) for how, shown in done)

    async def _said(self, tape: View) -> str | None:
        self._seen = {name: True for name, there in self._seen.items() if there}
        while True:
            # What is said hangs on what is seen, and what is looked at on what would be said: so both, in turn.
            attempt = deepcopy(self._user, {id(each): each for each in self._shared})
            attempt.speaker.seen = {**self._seen}
            said = await attempt.say(tape)
            if not attempt.speaker.unseen:
                self._user = attempt
                return said
            for entry in attempt.speaker.unseen.values():
                self._seen[entry.name] = await looked_up(entry.fact, self._tools)

    async def _done(self, favour: Favour) -> tuple[str, str]:
        answer = await _called(favour.call, self._tools)
        shown = as_shown(answer.content)
        if answer.is_error:
            return "did_not", shown
        return ("did", shown) if shown else ("did_it", "")


async def looked_up(fact: Fact, tools: Toolbox) -> bool:
    """Whether the tool that a fact is read from shows it now."""
    if fact.from_tool is None:
        return True
    answer = await _called(fact.from_tool, tools)
    return not answer.is_error and shows(answer.content, fact.value)


async def _called(call: Given, tools: Toolbox) -> Answer:
    try:
        return await tools.call(call.tool, call.arguments)
    except UnknownToolError as error:
        raise InvalidTrialError("scenario", f"The user has no such tool of their own: {error}") from None


def asked_favours(message: str, favours: Sequence[Favour]) -> tuple[dict[str, Favour], str]:
    """By name, the favours that a message asks for; and the message without the sentences that do."""
    asked: dict[str, Favour] = {}
    rest: list[str] = []
    for sentence in sentences(message) if favours else (message,):
        found = [favour for favour in favours if _asks(sentence, favour)]
        asked.update((favour.name, favour) for favour in found)
        if not found:
            rest.append(sentence)
    return asked, " ".join(rest)


def _asks(sentence: str, favour: Favour) -> bool:
    """A sentence that wants it of the person: no report, and nothing that the agent is going to do itself."""
    if _OWN.search(sentence) or reports(sentence) or cues().refusal.search(sentence):
        return False
    held = set(content_stems(sentence))
    ways = [way for way in (favour.name, *favour.words) if set(content_stems(way)) <= held]
    first = {stem(word) for word in words(sentence)[:1]}
    return bool(ways) and (bool(_TO_THE_PERSON.search(sentence)) or any(stem(words(way)[0]) in first for way in ways))


def _without_favours(tape: View, favours: Sequence[Favour]) -> tuple[View, list[Favour]]:
    """The tape with what asks for favours cut out of the agent's last words; and the favours."""
    events: list[Event] = list(tape)
    asked: dict[str, Favour] = {}
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if not isinstance(event, Message):
            continue
        if event.role != "agent" or not favours:
            break
        found, rest = asked_favours(event.text, favours)
        asked.update(found)
        events[at] = Message(actor=event.actor, role=event.role, text=rest)
    return (View(events), list(asked.values())) if asked else (tape, [])


def _agent_said(tape: View) -> bool:
    for event in reversed(tape):
        if isinstance(event, Message):
            return event.role == "agent" and bool(event.text.strip())
    return False
