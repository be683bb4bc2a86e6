"""A trace → every value that was named in it, where first and by whom: read only when somebody has a doubt."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec

from misstep.core.event import Blocked, Handoff, Memory, Message, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.core.words import as_number
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import (
    NUMBER,
    PIECES,
    Day,
    canonical,
    days_in,
    has_digit,
    index_of,
    leaves,
    names_in,
    slashed_days,
    tokens,
)


class Named:
    """Values with the place where they first came up; what agents say apart, by who said it."""

    def __init__(self, trace: Trace) -> None:
        self.keys: dict[str, int] = {}
        self._numbers: dict[float, int] = {}
        self._days: dict[Day, int] = {}
        self._days_of_any_year: dict[tuple[int, int], int] = {}
        self._in_order: tuple[list[float], list[int]] | None = None
        self._told: dict[str, tuple[int, str]] = {}
        self._background = [index_of(trace.policy.text)] if trace.policy else []
        self._background += [index_of(f"{tool.description} {_texts_of(tool.input_schema)}") for tool in trace.tools]
        for at, event in enumerate(trace.events):
            match event:
                case Message(role="agent", text=text, actor=actor) | Handoff(text=text, actor=actor):
                    for token in tokens(text):
                        if has_digit(token) or "@" in token:
                            self._told.setdefault(canonical(token), (at, actor))
                case Message(text=text) | Blocked(reason=text):
                    self._read(text, at)
                case ToolCall(arguments=content) | ToolResult(content=content) | Memory(content=content):
                    self._receive(content, at)
                case _:
                    pass

    def _receive(self, content: JSON, at: int) -> None:
        for path, value in leaves(content):
            if isinstance(value, str):
                self._read(value, at)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                self._numbers.setdefault(float(value), at)
                self.keys.setdefault(canonical(str(value)), at)
            for name in names_in(path):
                self.keys.setdefault(name, at)

    def _read(self, text: str, at: int) -> None:
        for token in tokens(text):
            if not has_digit(token) and "@" not in token:
                continue
            self.keys.setdefault(canonical(token), at)
            for piece in PIECES.split(token.casefold()) if not token.isalnum() else ():
                self.keys.setdefault(piece, at)
            if NUMBER.match(token) and (number := as_number(token)) is not None:
                self._numbers.setdefault(number, at)
            for day in slashed_days(token):
                self._note(day, at)
        for day in days_in(text):
            self._note(day, at)

    def _note(self, day: Day, at: int) -> None:
        self._days.setdefault(day, at)
        self._days_of_any_year.setdefault(day[1:], at)

    def knows(self, token: str, before: int, actor: str) -> bool:
        """Somebody else had named it before: a user, a tool, the rules, a call that was made, another agent."""
        key = canonical(token)
        if self.keys.get(key, before) < before or any(key in index.keys for index in self._background):
            return True
        told = self._told.get(key)
        return told is not None and told[0] < before and told[1] != actor

    def knows_number(self, number: float, before: int) -> bool:
        if self._numbers.get(number, before) < before:
            return True
        return any(number in index.numbers for index in self._background)

    def numbers_before(self, at: int, most: int) -> Sequence[float]:
        """The numbers that had come up by a place, in order; none where there are more than so many."""
        if self._in_order is None:
            self._in_order = list(self._numbers), list(self._numbers.values())
        end = bisect_left(self._in_order[1], at)
        return self._in_order[0][:end] if end <= most else ()

    def knows_day(self, day: Day, before: int) -> bool:
        yearless = (None, day[1], day[2])
        if any(self._days.get(each, before) < before for each in (day, yearless)):
            return True
        if day[0] is None and self._days_of_any_year.get(day[1:], before) < before:
            return True
        return any(day in index.days or yearless in index.days for index in self._background)


def _texts_of(schema: JSON) -> str:
    return " ".join(value for _, value in _strings(schema))


def _strings(schema: JSON) -> Iterator[tuple[str, str]]:
    return ((path, value) for path, value in leaves(schema) if isinstance(value, str))


@once_per_trace
def named(trace: Trace) -> Named:
    return Named(trace)


_BACK = 80
"""So many events are searched as they stand before anything is read: what agents tell is mostly told just before."""


def stands_before(trace: Trace, at: int, text: str, actor: str) -> bool:
    """Whether a text stands word for word in one of the latest events, other than what this agent itself said.

    Much quicker than reading everything, and nearly always enough; a no proves nothing.
    """
    wanted, texts = text.casefold(), _texts(trace)
    for place in range(at - 1, max(-1, at - 1 - _BACK), -1):
        held = texts[place]
        if wanted in (_keep(trace, texts, place) if held is None else held):
            event = trace.events[place]
            if not (event.actor == actor and isinstance(event, (Message, Thought, Handoff))):
                return True
    return False


@once_per_trace
def _texts(trace: Trace) -> list[str | None]:
    return [None] * len(trace.events)


def _keep(trace: Trace, texts: list[str | None], place: int) -> str:
    match trace.events[place]:
        case Message(text=text) | Handoff(text=text) | Thought(text=text):
            found = text
        case ToolCall(arguments=content) | ToolResult(content=content) | Memory(content=content):
            found = content if isinstance(content, str) else _encoded(content)
        case Blocked(reason=text):
            found = text
    texts[place] = found.casefold()
    return found.casefold()


def _encoded(content: JSON) -> str:
    try:
        return msgspec.json.encode(content).decode()
    except (TypeError, ValueError, RecursionError):
        return ""
