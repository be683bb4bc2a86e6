"""A Trace → how long and troubled it was in several respects; sizes, one by one → how few before went as far."""

from collections import deque
from collections.abc import Mapping
from itertools import combinations

from misstep.core.trace import Trace

Size = Mapping[str, int]
"""Respects by name, the same ones for every trace."""

_RECENT = 64
_FURTHEST = 0.1
"""What more than this part of the others reached is nothing special."""


def size_of(trace: Trace) -> Size:
    trace = trace.as_heard()
    said = [message.text for _, message in trace.messages if message.role == "user"]
    return {
        "calls": len(trace.exchanges),
        "errors": sum(each.result is not None and each.result.is_error for each in trace.exchanges),
        "tools": len({each.call.tool for each in trace.exchanges}),
        "turns": len(said),
        "hundreds of characters at once": max(map(len, said), default=0) // 100,
    }


class Sizes:
    """Remembers the latest."""

    def __init__(self) -> None:
        self._recent: deque[Size] = deque(maxlen=_RECENT)

    def gain(self, size: Size) -> float:
        """From 0 to 1: the fewer went as far in two respects at once, those two that fewest did.

        One respect alone is soon had: many goals make many calls, and a fault an error.
        """
        fewest = min(map(self._as_far, combinations([each for each in size.items() if each[1]], 2)), default=1.0)
        self._recent.append(size)
        return max(0.0, 1 - fewest / _FURTHEST)

    def _as_far(self, limits: tuple[tuple[str, int], ...]) -> float:
        many = sum(all(each[name] >= limit for name, limit in limits) for each in self._recent)
        return many / max(1, len(self._recent))
