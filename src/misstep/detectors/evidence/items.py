"""A request that lists what is to be done → its items, and those of them that nobody touched."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.core.words import words
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.orders import asks_to_be_told, orders
from misstep.detectors.evidence.outcomes import told
from misstep.detectors.evidence.support import acts_done
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import said_by_agents
from misstep.effects.guessing import told_effect
from misstep.objectives.proposals import declines
from misstep.objectives.values import leaves, said
from misstep.objectives.vocabulary import kin, lemma, meaning, vocabulary

_NUMBERED = re.compile(r"(?:(?<=\s)|^)\(?(?:[1-9]|[a-e](?=\)))[.)]\s+", re.IGNORECASE)
_BULLET = re.compile(r"^[^\S\n]*[-*•]\s+", re.MULTILINE)
_ORDINAL = re.compile(
    r"(?:(?<=[.;:!,]\s)|^)(?:and\s+)?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|lastly|also"
    r"|in addition|additionally|next|after that|then)\b,?\s+",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST = 1500
"""A longer message is a brief with rules for the work, not a list of errands."""
_LONGEST_ITEM = 200
_LATEST = 10
_READ = 2000


class Item(Struct, frozen=True):
    """One of several things that are to be done."""

    text: str
    verb: str
    stems: frozenset[str]
    """The stems that none of the others has."""
    codes: frozenset[str]
    does: bool
    """Its verb is one of doing, and not of finding out."""


@once_per_text
def items(text: str) -> tuple[Item, ...]:
    """The items of a list of errands, where every one of them is an order."""
    if len(text) > _LONGEST:
        return ()
    for form in (_NUMBERED, _BULLET, _ORDINAL):
        parts = _parts(form, text)
        if len(parts) > 1:
            return _read(parts)
    return ()


def _parts(form: re.Pattern[str], text: str) -> list[str]:
    marks = [match.span() for match in form.finditer(text)]
    ends = (*(start for start, _ in marks[1:]), len(text))
    return [text[begin:end].strip(" ,;\n") for (_, begin), end in zip(marks, ends, strict=False)]


def _read(parts: Sequence[str]) -> tuple[Item, ...]:
    first = [orders(part)[:1] for part in parts]
    if not all(first) or any(len(part) > _LONGEST_ITEM for part in parts):
        return ()
    stems = [frozenset(meaning(part)) for part in parts]
    return tuple(
        Item(
            part,
            order.verb,
            own.difference(*(other for other in stems if other is not own)),
            said(part).codes,
            _does(part, order.verb),
        )
        for part, (order,), own in zip(parts, first, stems, strict=True)
        if order.firm and not asks_to_be_told(order.verb)
    )


def untouched(trace: Trace) -> Item | None:
    """The first item of the latest list that no call, answer or word of the agent's is about, while another was done.

    Silent where the agent asks back or tells of trouble, and where the user called something off.
    """
    listed = _latest_list(trace)
    spoken = said_by_agents(trace)
    if listed is None or not spoken or asks(spoken[-1][1].text):
        return None
    at, found = listed
    after = [message.text for place, message in spoken if place > at]
    if not after or any(map(tells_of_trouble, after)) or any(_ALL.search(text) for text in after):
        return None
    if any(declines(text) for text in heard(trace).between(at, len(trace.events))):
        return None
    done = [each for each in acts_done(trace) if each.exchange.at > at]
    heard_of = frozenset(_stems_after(trace, at))
    touched = [item for item in found if _came_up(item, heard_of)]
    left = [item for item in found if item not in touched and (item.does or _acts(trace, item.verb))]
    if not left or not any(not item.stems.isdisjoint(each.stems) for item in touched for each in done):
        return None
    # Each call has its errand: one that nobody's words explain may be what was left.
    if any(not any(not item.stems.isdisjoint(each.stems) for item in touched) for each in done):
        return None
    return left[0]


_ALL = re.compile(
    r"\b(?:all|both|every|everything|each)\b(?! set\b)|\b(?:two|three|four|five|\d) (?:things|tasks|items|steps)\b",
    re.IGNORECASE,
)


def _latest_list(trace: Trace) -> tuple[int, tuple[Item, ...]] | None:
    listening = heard(trace)
    for at, text in list(zip(listening.places, listening.texts, strict=True))[-_LATEST:][::-1]:
        found = items(text)
        if len(found) > 1:
            return at, found
    return None


def _came_up(item: Item, heard_of: frozenset[str]) -> bool:
    return not item.codes.isdisjoint(heard_of) or any(not kin(stem).isdisjoint(heard_of) for stem in item.stems)


def _stems_after(trace: Trace, at: int) -> Iterator[str]:
    for event in trace.events[at + 1 :]:
        for text in _texts(event):
            yield from meaning(text[:_READ])
            yield from said(text[:_READ]).codes


def _texts(event: object) -> Iterable[str]:
    match event:
        case Message(role="user"):
            return ()
        case Message(text=text) | Thought(text=text) | Handoff(text=text):
            return (text,)
        case ToolCall():
            return (event.tool, *(f"{name} {value}" for name, value in leaves(event.arguments)))
        case ToolResult():
            return (told(event, _READ),)
        case _:
            return ()


def _acts(trace: Trace, verb: str) -> bool:
    """A tool on offer does just that."""
    return any(verb in tool.acts for tool in vocabulary(trace).effectful)


def _does(part: str, verb: str) -> bool:
    return any(_is_effectful(word) for word in words(part) if lemma(word) == verb)


@lru_cache(maxsize=4096)
def _is_effectful(word: str) -> bool:
    return told_effect(word) not in (None, "reads")
