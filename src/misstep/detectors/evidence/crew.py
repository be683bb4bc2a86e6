"""A trace of several agents → what they said to one another, in the order in which they said it, and to the user."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from msgspec import Struct

from misstep.core.event import Handoff, Message
from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace


class Word(Struct, frozen=True):
    """Something that one agent said to another."""

    at: int
    actor: str
    to: str | None
    """None where it was said to all."""
    text: str
    hands_over: bool
    """Passes work on, and not only words."""


class Crew(Struct, frozen=True):
    """Who works together, and what passed between them."""

    agents: frozenset[str]
    words: tuple[Word, ...]
    user_at: tuple[int, ...]
    """The places of the user's messages."""

    def turn(self, at: int) -> tuple[int, int | None]:
        """The places of the user's messages before and after a place; -1 and None where there is none."""
        index = bisect_left(self.user_at, at)
        before = self.user_at[index - 1] if index else -1
        return before, self.user_at[index] if index < len(self.user_at) else None

    def between(self, after: int, before: int) -> Sequence[Word]:
        """What was said between two places."""
        first = bisect_left(self.words, after + 1, key=lambda each: each.at)
        last = bisect_left(self.words, before, key=lambda each: each.at)
        return self.words[first:last]


_CALLS_UPON = re.compile(
    r"\W*(?P<name>\w[\w -]{0,30}?)\s*[,:]\s+(?:please|can you|could you|would you|you)\b", re.IGNORECASE
)


def _called_upon(message: Message, agents: Iterable[str]) -> str | None:
    """Whom a message opens by asking for something: "Writer, please …"."""
    match = _CALLS_UPON.match(message.text)
    if match is None:
        return None
    name = match["name"].casefold()
    return next((agent for agent in agents if agent.casefold() == name and agent != message.actor), None)


@once_per_trace
def crew(trace: Trace) -> Crew:
    """With one agent alone there is nobody to talk to, and no words."""
    agents: set[str] = set()
    for event in trace.events:
        if isinstance(event, Handoff):
            agents.update((event.actor, event.to))
        elif isinstance(event, Message) and event.role == "agent":
            agents.add(event.actor)
    users = tuple(at for at, message in trace.messages if message.role == "user")
    if len(agents) < 2:
        return Crew(frozenset(agents), (), users)
    found: list[Word] = []
    for at, event in enumerate(trace.events):
        if isinstance(event, Handoff):
            found.append(Word(at, event.actor, event.to, event.text, True))
        elif isinstance(event, Message) and event.role == "agent" and event.to != "user":
            called = event.to or _called_upon(event, agents)
            found.append(Word(at, event.actor, called, event.text, called is not None and event.to is None))
    return Crew(frozenset(agents), tuple(found), users)
