"""A trace → a numbered record for a model to read: bounded, fenced as data, with a word on what was cut."""

import hashlib
import json
from collections.abc import Iterable

from msgspec import Struct

from misstep.core.event import Blocked, Event, Handoff, Memory, Message, Thought, ToolCall
from misstep.core.tool import JSON
from misstep.core.trace import Trace

LONGEST = 60_000
"""So many characters of events are shown."""
_LONGEST_EVENT = 4_000
_LONGEST_RULES = 8_000
_FROM_THE_START = 0.4
"""The share of the room that goes to the beginning; the rest goes to the end, where failures show."""


class Transcript(Struct, frozen=True):
    """What a model gets to see."""

    text: str
    """Fenced."""
    shown: frozenset[int]
    """The places of the events in it."""


def transcript(trace: Trace, *, longest: int = LONGEST) -> Transcript:
    """The same trace gives the same text."""
    lines = [f"[{at}] {_told(event)}" for at, event in enumerate(trace.events)]
    shown = _fitting(lines, longest)
    parts = [*_given(trace), *_with_gaps(lines, shown)]
    return Transcript(fenced("\n".join(parts)), frozenset(shown))


def fenced(text: str) -> str:
    """Between two lines whose mark depends on the text; nothing inside can pass for such a line."""
    inside = text.replace("<<<", "‹‹‹").replace(">>>", "›››")
    mark = hashlib.blake2b(inside.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"<<<RECORD {mark}\n{inside}\nRECORD {mark}>>>"


def _fitting(lines: list[str], longest: int) -> list[int]:
    """The places that are shown: all, or as many from the start and from the end as there is room for."""
    if sum(map(len, lines)) <= longest:
        return list(range(len(lines)))
    first = _as_many(range(len(lines)), lines, longest * _FROM_THE_START)
    last = _as_many(range(len(lines) - 1, -1, -1), lines, longest * (1 - _FROM_THE_START))
    return sorted({*first, *last})


def _as_many(places: Iterable[int], lines: list[str], room: float) -> list[int]:
    found: list[int] = []
    for at in places:
        room -= len(lines[at])
        if room < 0:
            break
        found.append(at)
    return found


def _with_gaps(lines: list[str], shown: list[int]) -> Iterable[str]:
    expected = 0
    for at in [*shown, len(lines)]:
        if at > expected:
            yield f"(events {expected} to {at - 1} were left out for their length: {at - expected} of {len(lines)})"
        if at < len(lines):
            yield lines[at]
        expected = at + 1


def _given(trace: Trace) -> Iterable[str]:
    if trace.policy is not None and trace.policy.text:
        yield f"(the agent's rules) {_cut(trace.policy.text, _LONGEST_RULES)}"
    if trace.tools:
        listed = "\n".join(f"- {tool.name} ({tool.effect}): {tool.description[:200]}" for tool in trace.tools)
        yield f"(the tools on offer)\n{_cut(listed, _LONGEST_RULES)}"


def _told(event: Event) -> str:
    who = _cut(event.actor, 80)
    match event:
        case Message():
            said = f"{event.role} {who} says" if event.role != who else f"{who} says"
            return f"{said}: {_cut(event.text)}"
        case Thought():
            return f"{who} thinks: {_cut(event.text)}"
        case ToolCall():
            return f"{who} calls {event.tool}: {_cut(event.malformed or _as_text(event.arguments))}"
        case Handoff():
            return f"{who} hands over to {event.to}: {_cut(event.text)}"
        case Memory():
            return f"{who} {event.action}s the note {event.key}: {_cut(_as_text(event.content))}"
        case Blocked():
            return f"a guardrail stops {who}'s call of {event.tool}: {_cut(event.reason)}"
        case _:
            how = "fails with" if event.is_error else "answers"
            return f"{who} {how}: {_cut(_as_text(event.content))}"


def _as_text(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _cut(text: str, longest: int = _LONGEST_EVENT) -> str:
    return text if len(text) <= longest else f"{text[:longest]} (… {len(text) - longest} characters were cut)"
