"""compare: outcomes of two agents on the same scenarios → which is better, by how much, and what only one breaks."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.statistics import holm, mcnemar_exact, student_quantile
from misstep.exploration.levels import cluster_of
from misstep.exploration.outcome import Outcome
from misstep.exploration.rates import rate_of

_THIN = 10
"""With fewer pairs that differ than this, the usual error of a difference is too sure of itself."""

Pair = tuple[Outcome, Outcome]


class Difference(Struct, frozen=True):
    """How much more often b passes than a, with the interval over tasks like these."""

    change: float
    low: float
    high: float
    level: float = 0.95


class Split(Struct, frozen=True, kw_only=True):
    """A scenario on which the two differ: passes of each, in the same trials."""

    scenario: str
    a: int
    b: int
    n: int


class ModeChange(Struct, frozen=True, kw_only=True):
    """A failure mode, and the trials that show it."""

    mode: str
    a: int
    b: int
    p: float
    """By McNemar's exact test over the same trials, adjusted for the number of modes by Holm."""

    @property
    def how(self) -> Literal["appears", "vanishes", "stays"]:
        if self.a and self.b:
            return "stays"
        return "appears" if self.b else "vanishes"


class Comparison(Struct, frozen=True, kw_only=True):
    """Two agents, side by side on the same scenarios and trials."""

    pairs: int
    clusters: int
    a: Interval
    b: Interval
    difference: Difference
    both: int
    neither: int
    only_a: int
    only_b: int
    p: float
    """McNemar's exact test over pairs: right where no task has several."""
    p_by_task: float
    """The same over tasks, each of which counts once, for the one that passes more of it."""
    better: Literal["a", "b"] | None
    """Where the interval leaves 0 out and the test over tasks agrees; None: not shown."""
    broken_by_b: tuple[Split, ...] = ()
    """Scenarios that a passes always, and b not; the widest gap first."""
    broken_by_a: tuple[Split, ...] = ()
    modes: tuple[ModeChange, ...] = ()
    """Of all pairs; the greatest change first."""
    invalid: int = 0
    """Pairs of which one, or both, did not count."""
    unpaired: int = 0
    """Trials that the other did not have."""


def compare(a: Iterable[Outcome], b: Iterable[Outcome], *, level: float = 0.95) -> Comparison:
    """Paired by scenario and trial: run both with the same seed, so that both meet the same."""
    ours, theirs = _by_place(a), _by_place(b)
    shared = [(ours[place], theirs[place]) for place in ours if place in theirs]
    pairs = [pair for pair in shared if None not in (pair[0].passed, pair[1].passed)]
    counts = Counter((bool(one.passed), bool(other.passed)) for one, other in pairs)
    cluster = cluster_of([one for one, _ in pairs])
    clusters = list(_grouped(pairs, cluster).values())
    difference = _difference(clusters, level)
    p_by_task = _by_task(clusters)
    proven = p_by_task <= 1 - level
    return Comparison(
        pairs=len(pairs),
        clusters=len(clusters),
        a=rate_of([_count(group, lambda one, _: bool(one.passed)) for group in clusters], level, of_many=False),
        b=rate_of([_count(group, lambda _, other: bool(other.passed)) for group in clusters], level, of_many=False),
        difference=difference,
        both=counts[True, True],
        neither=counts[False, False],
        only_a=counts[True, False],
        only_b=counts[False, True],
        p=mcnemar_exact(counts[True, False], counts[False, True]),
        p_by_task=p_by_task,
        better=("b" if difference.low > 0 else "a" if difference.high < 0 else None) if proven else None,
        broken_by_b=_broken(pairs, lambda split: split.a == split.n > split.b),
        broken_by_a=_broken(pairs, lambda split: split.b == split.n > split.a),
        modes=_modes(pairs),
        invalid=len(shared) - len(pairs),
        unpaired=len(ours) + len(theirs) - 2 * len(shared),
    )


def _by_place(outcomes: Iterable[Outcome]) -> dict[tuple[str, int], Outcome]:
    return {(outcome.scenario, outcome.trial): outcome for outcome in outcomes}


def _grouped(pairs: Iterable[Pair], name: Callable[[Outcome], str]) -> dict[str, list[Pair]]:
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[name(pair[0])].append(pair)
    return dict(groups)


def _count(pairs: Sequence[Pair], holds: Callable[[Outcome, Outcome], bool]) -> tuple[int, int]:
    return sum(holds(*pair) for pair in pairs), len(pairs)


def _gain(pairs: Sequence[Pair]) -> int:
    return sum(bool(other.passed) - bool(one.passed) for one, other in pairs)


def _difference(clusters: Sequence[Sequence[Pair]], level: float) -> Difference:
    """By the scatter of tasks; and where few pairs differ, no narrower than the exact intervals of both ways to."""
    n, count = sum(map(len, clusters)), len(clusters)
    if n == 0:
        return Difference(0.0, -1.0, 1.0, level)
    change = sum(map(_gain, clusters)) / n
    low, high = change, change
    if count > 1:
        scatter = sum((_gain(group) - change * len(group)) ** 2 for group in clusters) * count / (count - 1)
        half = student_quantile(1 - level, count - 1) * math.sqrt(scatter) / n
        low, high = change - half, change + half
    gained = [_count(group, lambda one, other: bool(other.passed) and not one.passed) for group in clusters]
    lost = [_count(group, lambda one, other: bool(one.passed) and not other.passed) for group in clusters]
    if sum(count for count, _ in (*gained, *lost)) < _THIN:
        each = 1 - (1 - level) / 2
        up, down = rate_of(gained, each, of_many=False), rate_of(lost, each, of_many=False)
        low, high = min(low, up.low - down.high), max(high, up.high - down.low)
    return Difference(change, max(-1.0, low), min(1.0, high), level)


def _by_task(clusters: Iterable[Sequence[Pair]]) -> float:
    gains = [_gain(group) for group in clusters]
    return mcnemar_exact(sum(gain < 0 for gain in gains), sum(gain > 0 for gain in gains))


def _broken(pairs: Sequence[Pair], holds: Callable[[Split], bool]) -> tuple[Split, ...]:
    splits = [
        Split(
            scenario=name,
            a=sum(bool(one.passed) for one, _ in group),
            b=sum(bool(other.passed) for _, other in group),
            n=len(group),
        )
        for name, group in _grouped(pairs, lambda outcome: outcome.scenario).items()
    ]
    return tuple(sorted(filter(holds, splits), key=lambda split: (-abs(split.a - split.b) / split.n, split.scenario)))


def _modes(pairs: Sequence[Pair]) -> tuple[ModeChange, ...]:
    names = sorted({mode for pair in pairs for outcome in pair for mode in outcome.modes})
    shown = {name: Counter((name in one.modes, name in other.modes) for one, other in pairs) for name in names}
    adjusted = holm([mcnemar_exact(counts[True, False], counts[False, True]) for counts in shown.values()])
    changes = [
        ModeChange(
            mode=name,
            a=counts[True, True] + counts[True, False],
            b=counts[True, True] + counts[False, True],
            p=p,
        )
        for (name, counts), p in zip(shown.items(), adjusted, strict=True)
    ]
    return tuple(sorted(changes, key=lambda change: (-abs(change.a - change.b), change.mode)))
