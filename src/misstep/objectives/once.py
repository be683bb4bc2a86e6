"""A function of a trace → the same function, which reads a trace only once however often it is asked."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from misstep.core.tool import Tool
from misstep.core.trace import Trace

S = TypeVar("S")
T = TypeVar("T")

_KEPT = 4
"""Several readers share a trace, and a few traces may be in hand at a time; more would only hold memory."""


def once_per_trace(read: Callable[[Trace], T]) -> Callable[[Trace], T]:
    return _once(read)


def once_per_tools(read: Callable[[tuple[Tool, ...]], T]) -> Callable[[tuple[Tool, ...]], T]:
    """The traces of a run share what was on offer."""
    return _once(read)


def _once(read: Callable[[S], T]) -> Callable[[S], T]:
    """What holds lists has no hash: it is told apart by identity, and kept alive while it is remembered."""
    latest: list[tuple[S, T]] = []

    @wraps(read)
    def remembered(thing: S) -> T:
        for known, value in latest:
            if known is thing:
                return value
        value = read(thing)
        latest.insert(0, (thing, value))
        del latest[_KEPT:]
        return value

    return remembered
