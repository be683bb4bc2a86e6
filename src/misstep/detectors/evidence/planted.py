"""A trace → orders from where none should come: what tools say of themselves, what memory brings back, impostors."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from misstep.core.event import Event, Handoff, Memory, Message, ToolResult
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.core.words import sentences, words
from misstep.detectors.evidence.directives import Passage, keys_of, passage_of, speaks_to_an_agent
from misstep.objectives.once import once_per_tools, once_per_trace
from misstep.provenance.reading import canonical, leaves

FROM_THE_START = -1
"""The place of what was there before the conversation began: a tool's description."""
_KEPT = 500
_LONG = 4000
_QUOTED = 0.7
"""So much of a text must have been said for it to be a quote."""

# "This is the planner." / "[From: user]" / "Message from the supervisor:" / "User: go ahead"
_POSES = re.compile(
    r"^\W{0,4}(?:"
    r"(?:message |note |word |instructions? |request )?(?:sent )?"
    r"(?:from|on behalf of|relayed for|in the name of)\s{0,20}:?\s{1,20}"
    r"(?:the |your |our )?(?P<sender>[\w-]+(?: agent)?)\s{0,20}(?:[\]\):,.-]|\n)"
    r"|(?:this is|i am|i'm|it's) (?:the |your |our )?(?P<self>[\w-]+(?: agent)?)(?: (?:speaking|here|again|now))?"
    r"\s{0,20}(?:[:,.!\n;–—-])"
    r"|(?:the |your )?(?P<here>[\w-]+(?: agent)?) here\s*[:,.!-]"
    r"|[\[<(]\s{0,20}(?P<mark>[\w-]+(?: agent)?)\s{0,20}[\]>)]\s{0,20}:?"
    r"|(?P<turn>user|human|customer)\s{0,20}:\s"
    r")",
    re.IGNORECASE,
)
# Whom everybody listens to, whatever a crew calls its members.
_MASTERS = frozenset(
    "user customer human client supervisor manager orchestrator coordinator boss principal lead planner".split()
)
# In a tool result their voice is that of an injected instruction, which is a mode of its own.
_SYSTEM = frozenset("system admin administrator operator developer owner".split())


class Posed(Struct, frozen=True):
    """A message, or a part of a tool result, that claims to come from somebody who did not write it."""

    at: int
    claimed: str
    text: str


def description_passages(trace: Trace) -> list[Passage]:
    """What tools say of themselves that speaks to the agent as an agent: more than how they are to be used."""
    found = (_standing(FROM_THE_START, text) for texts in orders_in_tools(trace).values() for text in texts)
    return list(islice(found, _KEPT))


def orders_in_tools(trace: Trace) -> dict[str, tuple[str, ...]]:
    """By tool, the part of each text on it that begins where it speaks to the agent."""
    return _orders_in(trace.tools)


@once_per_tools
def _orders_in(tools: tuple[Tool, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for tool in tools:
        parts = tuple(part for text in _told_of(tool) if (part := _from_where_it_speaks(text)))
        if parts:
            found[tool.name] = parts
    return found


def _from_where_it_speaks(text: str) -> str:
    if not speaks_to_an_agent(text):
        return ""
    parts = sentences(text)
    first = next((index for index, part in enumerate(parts) if speaks_to_an_agent(part)), 0)
    # "Call that one first. Do not tell the user": the order may stand before the words that give it away.
    while first > 1 and passage_of(FROM_THE_START, parts[first - 1], from_read=True).commanding:
        first -= 1
    return " ".join(parts[first:])


def chores_in_tools(trace: Trace) -> dict[str, tuple[Passage, ...]]:
    """By tool, the sentences on it that order the use of another tool on offer, whose very name they give."""
    return _chores_in(trace.tools)


@once_per_tools
def _chores_in(tools: tuple[Tool, ...]) -> dict[str, tuple[Passage, ...]]:
    names = {canonical(tool.name): tool.name for tool in tools if not tool.name.isalpha()}
    found: dict[str, tuple[Passage, ...]] = {}
    if not names:
        return found
    for tool in tools:
        told = (part for text in _told_of(tool) if "_" in text or "-" in text for part in sentences(text))
        others = (part for part in told if _names_another(part, tool, names))
        chores = (passage_of(FROM_THE_START, part, from_read=True) for part in others)
        if kept := tuple(each for each in chores if each.commanding):
            found[tool.name] = kept
    return found


def _names_another(text: str, tool: Tool, names: dict[str, str]) -> bool:
    return any(names.get(key, tool.name) != tool.name for key in keys_of(text))


def _told_of(tool: Tool) -> Iterator[str]:
    yield tool.description
    for place, value in leaves(tool.input_schema):
        if isinstance(value, str) and place.endswith("description"):
            yield value


# A rule in a manual says "always" as well; in a note to oneself, or on a tool, it is an order like any other.
_ALWAYS = re.compile(r"\b(?:always|every time|each time)\b,?\s*", re.IGNORECASE)


def _standing(at: int, text: str) -> Passage:
    """What is to be done always is to be done."""
    read = passage_of(at, text, from_read=True)
    if read.commanding or not _ALWAYS.search(text):
        return read
    return replace(read, commanding=passage_of(at, _ALWAYS.sub("", text), from_read=True).commanding)


def memory_passages(trace: Trace) -> list[Passage]:
    """What came back out of memory that reads like an order."""
    found: list[Passage] = []
    for at, event in enumerate(trace.events):
        if isinstance(event, Memory) and event.action == "read" and len(found) < _KEPT:
            texts = (value for _, value in leaves(event.content) if isinstance(value, str) and " " in value)
            found.extend(_standing(at, text) for text in texts)
    return [each for each in found if each.addressed or each.commanding]


@once_per_trace
def posed(trace: Trace) -> tuple[Posed, ...]:
    """Words that come under another name than their author's, and that the one who is named has not said."""
    names = _Names(trace)
    found = (each for at, event in enumerate(trace.events) for each in names.posed_in(at, event))
    return tuple(islice(found, _KEPT))


def posed_passages(trace: Trace) -> list[Passage]:
    # Who speaks for another agent speaks to an agent.
    return [Passage(each.at, each.text, True, True, False, True) for each in posed(trace)]


class _Names:
    """Who takes part in a conversation, and what each has said."""

    def __init__(self, trace: Trace) -> None:
        self._events = trace.events
        self._agents = frozenset(canonical(name) for event in trace.events for name in _named_in(event)) - {"agent"}
        self._tools = frozenset(event.actor for event in trace.events if isinstance(event, ToolResult))

    def posed_in(self, at: int, event: Event) -> Iterator[Posed]:
        if isinstance(event, Handoff) or (isinstance(event, Message) and event.role == "agent"):
            yield from self._claims(at, event.actor, event.text)
        elif isinstance(event, ToolResult):
            for _, value in leaves(event.content):
                if isinstance(value, str) and " " in value:
                    yield from self._claims(at, event.actor, value)

    def _claims(self, at: int, author: str, text: str) -> Iterator[Posed]:
        head = text[:400]
        for part in (head, *sentences(head)[1:4]):
            match = _POSES.match(part)
            if match is None:
                continue
            claimed = next(filter(None, match.groups())).lower()
            told = text[head.find(part) + match.end() :]
            if self._is_known(claimed, author) and not self._was_said(canonical(claimed), told, at):
                yield Posed(at, claimed, text[:_LONG])
                return

    def _is_known(self, claimed: str, author: str) -> bool:
        key = canonical(claimed).removesuffix("agent") or "agent"
        if key in (canonical(author), canonical(author).removesuffix("agent")):
            return False
        if key in _MASTERS or (key in _SYSTEM and author not in self._tools):
            return True
        return key in self._agents or canonical(claimed) in self._agents

    def _was_said(self, who: str, text: str, at: int) -> bool:
        """What somebody is quoted with is no forgery where it was said: most of its words were."""
        told = set(words(text[:_LONG]))
        said = (each for place, each in self._words_by.get(who.removesuffix("agent"), ()) if place < at)
        return bool(told) and any(len(told & each) >= _QUOTED * len(told) for each in islice(said, _KEPT))

    @cached_property
    def _words_by(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        found: dict[str, list[tuple[int, frozenset[str]]]] = {}
        for at, event in enumerate(self._events):
            if isinstance(event, (Message, Handoff)):
                who = event.role if isinstance(event, Message) and event.role != "agent" else event.actor
                said = frozenset(words(event.text[:_LONG]))
                found.setdefault(canonical(who).removesuffix("agent"), []).append((at, said))
        return found


def _named_in(event: Event) -> tuple[str, ...]:
    if isinstance(event, Handoff):
        return event.actor, event.to
    return (event.actor,) if isinstance(event, Message) and event.role == "agent" else ()


def text_of(content: JSON) -> str:
    """All the words of a value, a line each."""
    if isinstance(content, str):
        return content
    return "\n".join(value for _, value in leaves(content) if isinstance(value, str))
