"""A trace → its turns: what a user said, and what the agents did and answered until a user spoke again."""

from typing import NamedTuple

from misstep.core.event import Message
from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace


class Turn(NamedTuple):
    """One turn; the first has no request where an agent spoke or acted before any user did."""

    asked_at: int
    """-1 where nobody had asked."""
    request: str
    answer_at: int | None
    """The last thing that an agent said in it."""
    answer: str
    end: int
    """The place after its last event."""


@once_per_trace
def turns(trace: Trace) -> tuple[Turn, ...]:
    """The turns, in order; messages of users that follow each other at once make one request."""
    found: list[Turn] = []
    current = Turn(-1, "", None, "", 0)
    idle = True
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            if idle and current.asked_at >= 0:
                current = current._replace(asked_at=at, request=f"{current.request}\n{event.text}")
                continue
            if not idle:
                found.append(current._replace(end=at))
            current, idle = Turn(at, event.text, None, "", 0), True
        elif isinstance(event, Message) and event.role == "agent":
            current, idle = current._replace(answer_at=at, answer=event.text), False
        elif not isinstance(event, Message):
            idle = False
    if current.asked_at >= 0 or not idle:
        found.append(current._replace(end=len(trace.events)))
    return tuple(found)


@once_per_trace
def said_by_agents(trace: Trace) -> tuple[tuple[int, Message], ...]:
    """What agents said, each with its place."""
    return tuple((at, message) for at, message in trace.messages if message.role == "agent")
