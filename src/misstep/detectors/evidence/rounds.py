"""A sequence of steps → the stretches in which a few different steps come round in the same order again and again."""

from collections.abc import Hashable, Iterator, Sequence

from msgspec import Struct

_LONGEST_ROUND = 4


class Rounds(Struct, frozen=True):
    """A stretch of a sequence that repeats itself."""

    start: int
    end: int
    """One past the last step."""
    period: int
    """How many steps a round has."""

    @property
    def whole(self) -> int:
        """How many whole rounds there are."""
        return (self.end - self.start) // self.period


def rounds(steps: Sequence[Hashable], least: int) -> Iterator[Rounds]:
    """Stretches of at least so many whole rounds of two to four steps that are not all the same; the shortest rounds
    first, and none inside another."""
    taken = bytearray(len(steps))
    for period in range(2, _LONGEST_ROUND + 1):
        start = 0
        for at in range(period, len(steps) + 1):
            if at < len(steps) and steps[at] == steps[at - period]:
                continue
            found = Rounds(start, at, period)
            if found.whole >= least and len(set(steps[start : start + period])) > 1:
                if not (taken[start] and taken[at - 1]):
                    yield found
                taken[start:at] = b"\x01" * (at - start)
            start = at - period + 1
