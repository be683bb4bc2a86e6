"""A function of a trace → the same function, which reads a trace only once however often it is asked."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from misstep.core.trace import Trace

T = TypeVar("T")

_KEPT = 4
"""Several readers share a trace, and a few traces may be in hand at a time; more would only hold memory."""


def once_per_trace(read: Callable[[Trace], T]) -> Callable[[Trace], T]:
    """Traces hold lists and have no hash: they are told apart by identity, and kept alive while they are remembered."""
    latest: list[tuple[Trace, T]] = []

    @wraps(read)
    def remembered(trace: Trace) -> T:
        for known, value in latest:
            if known is trace:
                return value
        value = read(trace)
        latest.insert(0, (trace, value))
        del latest[_KEPT:]
        return value

    return remembered
