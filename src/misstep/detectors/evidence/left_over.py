"""A request for several things in plain prose → the one that no call, no answer and no word of the agent's is about."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.orders import Order, asks_to_be_told, orders
from misstep.detectors.evidence.outcomes import told
from misstep.detectors.evidence.support import acts_done
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import said_by_agents
from misstep.detectors.evidence.undone import standing_against
from misstep.objectives.once import once_per_trace
from misstep.objectives.proposals import declines
from misstep.objectives.values import leaves, said
from misstep.objectives.vocabulary import ToolWords, effect_of, kin, meaning, vocabulary, widened
from misstep.provenance.reading import canonical

_ALL = re.compile(
    r"\b(?:all(?! set\b)|both|every|everything|each)\b|\b(?:two|three|four|five|\d) (?:things|tasks|items|steps)\b",
    re.IGNORECASE,
)
# What hangs on something else may rightly be left.
_DEPENDS = re.compile(
    r"\b(?:if|unless|otherwise|or|in case|once|when|until|later|tomorrow|maybe|optional\w*|ideally|depending|else"
    r"|either|instead|whichever|unsure)\b",
    re.IGNORECASE,
)
_LONGEST, _LATEST, _READ, _LEAST = 1500, 10, 2000, 2


class Part(NamedTuple):
    """One thing that was asked for, with the stems and the names that no other part has."""

    text: str
    verb: str
    things: frozenset[str]
    codes: frozenset[str]


@once_per_text
def parts(text: str) -> tuple[Part, ...]:
    """The things that one message asks to have done; none where it asks for one, or makes one hang on another."""
    given = [each for each in orders(text) if each.firm] if len(text) <= _LONGEST else []
    if len(given) < _SEVERAL or _DEPENDS.search(text):
        return ()
    return tuple(_part(each, [other for other in given if other is not each]) for each in given)


_SEVERAL = 2


def _part(order: Order, others: Sequence[Order]) -> Part:
    elsewhere = frozenset[str]().union(*(other.stems for other in others))
    codes = said(order.text).codes - frozenset[str]().union(*(said(other.text).codes for other in others))
    return Part(order.text, order.verb, order.stems - elsewhere - {order.verb}, codes)


@once_per_trace
def left_over(trace: Trace) -> str:
    """The text of the first such part; silent where anything was asked back, went wrong or was called off."""
    listening, spoken = heard(trace), said_by_agents(trace)
    if not spoken or asks(spoken[-1][1].text):
        return ""
    for at, text in list(zip(listening.places, listening.texts, strict=True))[-_LATEST:]:
        asked = parts(text)
        after = [message.text for place, message in spoken if place > at] if asked else []
        if not after or any(map(tells_of_trouble, after)) or any(map(_ALL.search, after)) or any(map(asks, after)):
            continue
        if any(map(declines, listening.between(at, len(trace.events)))):
            continue
        seen = _Seen.after(trace, at)
        left = [part for part in asked if _could_be_done(trace, part, seen) and not _came_up(trace, part, seen)]
        if left and any(_was_done(trace, part, at) for part in asked if part not in left):
            return left[0].text
    return ""


class _Seen(NamedTuple):
    """What calls, results and agents say from a place on."""

    stems: frozenset[str]
    spoken: frozenset[str]
    """Those of agents and calls alone: a list that was looked up may speak of anything."""
    text: str
    tools: frozenset[str]
    codes: frozenset[str]
    """What calls that do something were given."""

    @classmethod
    def after(cls, trace: Trace, at: int) -> "_Seen":
        texts = [text[:_READ] for event in trace.events[at + 1 :] for text in _texts(event)]
        calls = [each.call for each in trace.exchanges if each.at > at]
        codes = {
            code
            for call in calls
            if effect_of(trace, call.tool) != "reads"
            for _, value in leaves(call.arguments)
            for code in said(str(value)[:_READ]).codes
        }
        stems = frozenset(stem for text in texts for stem in meaning(text))
        own = (event for event in trace.events[at + 1 :] if not isinstance(event, ToolResult))
        spoken = frozenset(stem for event in own for text in _texts(event) for stem in meaning(text[:_READ]))
        return cls(stems, spoken, canonical(" ".join(texts)), frozenset(call.tool for call in calls), frozenset(codes))


def _texts(event: object) -> Iterator[str]:
    match event:
        case Message(role="user"):
            return
        case Message(text=text) | Thought(text=text) | Handoff(text=text):
            yield text
        case ToolCall():
            yield event.tool
            for name, value in leaves(event.arguments):
                yield f"{name} {value}"
        case ToolResult():
            yield told(event, _READ)
        case _:
            return


def _came_up(trace: Trace, part: Part, seen: _Seen) -> bool:
    """A name of it was met again, or a thing that it is about, or a tool that does it."""
    if part.codes:
        named = frozenset(stem for code in part.codes for stem in meaning(code))
        known = any(canonical(code) in seen.text for code in part.codes)
        return known or not (part.things - named).isdisjoint(seen.spoken)
    if not part.things.isdisjoint(seen.stems):
        return True
    meant = _tool_for(trace, part)
    return meant is None or meant.name in seen.tools or not kin(part.verb).isdisjoint(seen.stems)


def _could_be_done(trace: Trace, part: Part, seen: _Seen) -> bool:
    """A tool does just that; or it names one more of what the same tools were just given."""
    tool = _tool_for(trace, part)
    if tool is not None:
        return tool.effect == "reads" or not standing_against(trace, tool)
    if asks_to_be_told(part.verb):
        return False
    kinds = {_kind(code) for code in seen.codes}
    return any(_kind(code) in kinds for code in part.codes if len(canonical(code)) >= _LEAST)


def _kind(code: str) -> str:
    """A file, an address, or an id that begins with the same letters."""
    if "@" in code:
        return "@"
    if re.search(r"\.[a-z]\w{0,4}$", code):
        return "file"
    lead = re.match(r"[a-z]+(?=[-_#]?\d)", code)
    return lead.group() if lead else "other" + code


def _tool_for(trace: Trace, part: Part) -> ToolWords | None:
    """The one tool whose act heads the part and whose name says what it is done to."""
    own = part.things | {part.verb}
    fitting = [
        tool
        for tool in vocabulary(trace).tools.values()
        if part.verb in widened(tool.acts) | tool.named
        and not (own - {part.verb}).isdisjoint(tool.named | (tool.all if tool.effect != "reads" else frozenset[str]()))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _was_done(trace: Trace, part: Part, at: int) -> bool:
    return any(
        each.exchange.at > at
        and (not part.things.isdisjoint(each.stems) or any(code in each.codes for code in part.codes))
        for each in acts_done(trace)
    )
