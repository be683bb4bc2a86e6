"""Trace → places: the steps of its agents and the answers that they got, each something a label can point at."""

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from misstep.core.event import Event, Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.trace import Trace


class Place(Struct, frozen=True, kw_only=True):
    """What one span or one message of a file came to: an agent's step, or an answer to it."""

    at: int
    """The first of its events."""
    events: tuple[int, ...]
    kind: Literal["step", "answer"]
    actor: str
    said: str = ""
    """The agent's words, or what was answered."""
    calls: tuple[ToolCall, ...] = ()
    error: bool = False
    prompts: tuple[Message, ...] = ()
    """What users and the system had said since the step before."""
    within: str = ""
    """The name of what it happened in, where a foreign file says so, without its number."""


def places(trace: Trace) -> tuple[Place, ...]:
    """In order of their first events; events of one kind that share a source are one place."""
    groups: dict[tuple[str, object], list[int]] = {}
    for at, event in enumerate(trace.events):
        kind = _kind(event)
        if kind is not None:
            groups.setdefault((kind, ("event", at) if event.source is None else event.source), []).append(at)
    ordered = sorted(groups.values())
    return tuple(_place(trace, events, start) for events, start in zip(ordered, _starts(ordered), strict=True))


def place_at(found: tuple[Place, ...]) -> Mapping[int, int]:
    """Which place (by number) an event belongs to; what users said belongs to the step that read it."""
    return {at: number for number, place in enumerate(found) for at in place.events}


def _kind(event: Event) -> Literal["step", "answer"] | None:
    if isinstance(event, ToolResult):
        return "answer"
    if isinstance(event, Message) and event.role != "agent":
        return None
    return "step"


def _starts(ordered: list[list[int]]) -> Iterator[int]:
    """Where to look for prompts from: what nobody has read yet."""
    read_to = 0
    for events in ordered:
        yield min(read_to, events[0])
        read_to = events[0]


def _place(trace: Trace, events: list[int], start: int) -> Place:
    first = trace.events[events[0]]
    own = [trace.events[at] for at in events]
    return Place(
        at=events[0],
        events=tuple(events),
        kind="answer" if isinstance(first, ToolResult) else "step",
        actor=first.actor,
        said="\n".join(_said(event) for event in own),
        calls=tuple(event for event in own if isinstance(event, ToolCall)),
        error=any(isinstance(event, ToolResult) and event.is_error for event in own),
        prompts=tuple(
            event for event in trace.events[start : events[0]] if isinstance(event, Message) and event.role != "agent"
        ),
        within=_within(first),
    )


def _said(event: Event) -> str:
    match event:
        case Message() | Thought() | Handoff():
            return event.text
        case ToolResult():
            return as_text(event.content)
        case _:
            return ""


def as_text(value: JSON) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _within(event: Event) -> str:
    name = (event.raw or {}).get("parent_name")
    return "".join(letter for letter in name if not letter.isdigit()).strip() if isinstance(name, str) else ""
