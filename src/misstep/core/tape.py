"""The Tape: a Trace being written, append-only, read through a view, frozen at the end."""

from collections.abc import Iterator, Sequence
from typing import Protocol, overload

from msgspec import structs

from misstep.core.event import USER, Event, Message, ToolCall
from misstep.core.trace import Usage


class Clock:
    """Simulated time, in seconds since the conversation began. It moves only when told to."""

    def __init__(self) -> None:
        self._now_s = 0.0

    @property
    def now_s(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        self._now_s += max(0.0, seconds)


class View(Sequence[Event]):
    """A tape's events so far, for reading; it grows with the tape."""

    def __init__(self, events: list[Event]) -> None:
        self._events = events

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self._events[index]


class Recorder(Protocol):
    """What an agent that records more than messages and calls is given: the writing end of the tape."""

    def append(self, event: Event) -> int: ...


class Tape:
    """Append-only; each event is stamped with the clock's time as it is written."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self._events: list[Event] = []
        self.view = View(self._events)
        self.turns = 0
        self.calls = 0
        """Made by agents; what a user does with tools of their own is no agent's."""

    def append(self, event: Event) -> int:
        """Write an event and return its place."""
        if event.at_s != self.clock.now_s:
            event = structs.replace(event, at_s=self.clock.now_s)
        self._events.append(event)
        if isinstance(event, ToolCall):
            self.calls += event.actor != USER
        elif isinstance(event, Message) and event.role == "user":
            self.turns += 1
        return len(self._events) - 1

    def frozen(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @property
    def usage(self) -> Usage:
        return Usage(turns=self.turns, calls=self.calls, seconds=round(self.clock.now_s, 6))
