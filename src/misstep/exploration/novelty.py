"""What trials showed so far → how new the next one is: a kind of failure, ways that none took, a size that few had."""

from collections import Counter, deque

from msgspec import Struct

from misstep.exploration.outcome import Outcome
from misstep.exploration.sizes import Size, Sizes
from misstep.exploration.unseen import Unseen, unseen

_RECENT = 32
"""New ways are many at first and few later: a trial is held against so many before it."""
_MOST_WITHOUT_FAILURE = 0.9
"""More new ways than any of those, or a conversation that goes further, is worth this part of a new failure."""


class Gain(Struct, frozen=True):
    """What a trial brought, each from 0 to 1."""

    failure: float = 0.0
    """1 for the first of its kind, and less each time."""
    ways: float = 0.0
    size: float = 0.0

    @property
    def best(self) -> float:
        return max(self.failure, self.ways, self.size)


class Explored(Struct, frozen=True, kw_only=True):
    """What an exploration has come to."""

    trials: int
    failures: int
    invalid: int
    kinds: dict[str, int]
    """Kinds of failure (the modes that showed together), and how many trials had each; the most frequent first."""
    first: dict[str, int]
    """The trial that showed a kind first, from 1."""
    ways: int
    """Coverage keys that were seen."""
    unseen: Unseen
    """Of kinds of failure, from the picks of plain chance alone."""


class Novelty:
    """Remembers what was seen."""

    def __init__(self) -> None:
        self._ways: set[str] = set()
        self._kinds: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        self._by_chance: list[tuple[str, ...]] = []
        self._sizes = Sizes()
        self._recent: deque[int] = deque(maxlen=_RECENT)
        self._trials = self._invalid = 0

    def gain(self, outcome: Outcome, ways: frozenset[str], size: Size, *, by_chance: bool) -> Gain:
        """An invalid trial brings nothing."""
        self._trials += 1
        fresh = len(ways - self._ways)
        self._ways |= ways
        kind = kind_of(outcome)
        if by_chance and outcome.passed is not None:
            self._by_chance.append((kind,) if kind else ())
        if outcome.passed is None:
            self._invalid += 1
            return Gain()
        beaten = sum(each < fresh for each in self._recent) / max(1, len(self._recent))
        self._recent.append(fresh)
        new_ways = _MOST_WITHOUT_FAILURE * beaten
        further = _MOST_WITHOUT_FAILURE * self._sizes.gain(size)
        if kind is None:
            return Gain(ways=new_ways, size=further)
        self._kinds[kind] += 1
        self._first.setdefault(kind, self._trials)
        return Gain(failure=1 / self._kinds[kind], ways=new_ways, size=further)

    def explored(self) -> Explored:
        return Explored(
            trials=self._trials,
            failures=self._kinds.total(),
            invalid=self._invalid,
            kinds=dict(self._kinds.most_common()),
            first=dict(self._first),
            ways=len(self._ways),
            unseen=unseen(self._by_chance),
        )


def kind_of(outcome: Outcome) -> str | None:
    """What to call a failure: the modes that it showed; None where there is none."""
    if outcome.passed is not False:
        return None
    return " + ".join(outcome.modes) or "no mode found"
