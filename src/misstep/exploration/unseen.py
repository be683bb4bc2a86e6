"""unseen: what trials have shown → how likely the next one shows something new, and how much there is left to see.

Good and Turing's idea: what was seen just once is a sample of what was just not missed. It holds for trials drawn in
one and the same way; of a search that goes where failures are likely, give it the part that was drawn at random.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from statistics import NormalDist

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.statistics import clopper_pearson
from misstep.exploration.outcome import Outcome


class Unseen(Struct, frozen=True, kw_only=True):
    """What the trials have not shown yet."""

    seen: int
    """Different things that were seen."""
    once: int
    """Those of them that a single sample showed."""
    new: Interval
    """The chance that the next sample shows something new; its `n` are samples."""
    kinds: float
    """How many different things there are at least, by Chao: those seen and those that must be there besides."""
    kinds_high: float
    """And what Chao's interval goes up to."""

    @property
    def wait(self) -> float:
        """Samples until something new is to be expected, at the earliest that the trials allow."""
        return 1 / self.new.high if self.new.high > 0 else math.inf

    def pays_to_stop(self, patience: float) -> bool:
        """True once something new is to be expected only after more samples than one is ready to spend on it."""
        return self.wait >= patience


def unseen(samples: Iterable[Iterable[Hashable]], *, level: float = 0.95) -> Unseen:
    """From what each sample showed: failure modes, coverage keys, anything that can be told apart."""
    shown: list[frozenset[Hashable]] = [frozenset(sample) for sample in samples]
    counts = Counter(thing for sample in shown for thing in sample)
    once, twice = sum(count == 1 for count in counts.values()), sum(count == 2 for count in counts.values())
    kinds, kinds_high = _chao(len(counts), once, twice, len(shown), level)
    return Unseen(
        seen=len(counts),
        once=once,
        new=_chance_of_news(shown, counts, level),
        kinds=kinds,
        kinds_high=kinds_high,
    )


def unseen_modes(outcomes: Iterable[Outcome], *, level: float = 0.95) -> Unseen:
    """Of failure modes. A sample is a task with all of its trials: those show the same again and again."""
    tasks: dict[str, set[str]] = {}
    for outcome in outcomes:
        if outcome.passed is not None:
            tasks.setdefault(outcome.cluster, set()).update(outcome.modes)
    return unseen(tasks.values(), level=level)


def _chance_of_news(samples: Sequence[frozenset[Hashable]], counts: Mapping[Hashable, int], level: float) -> Interval:
    """A sample that alone showed something would have been news, had it come last: the share of those.

    Its error is Esty's, to which what was seen twice adds: it might as well have been seen once. The upper end is no
    lower than that of the exact interval, which knows how little a few samples without news are worth.
    """
    n = len(samples)
    news = sum(any(counts[thing] == 1 for thing in sample) for sample in samples)
    nearly = sum(any(counts[thing] == 2 for thing in sample) for sample in samples)
    exact = clopper_pearson(news, n, level)
    if n == 0:
        return exact
    half = _z(level) * math.sqrt(news * (1 - news / n) + nearly) / n
    low, high = min(exact.low, exact.rate - half), max(exact.high, exact.rate + half)
    return Interval(exact.rate, max(0.0, low), min(1.0, high), n, level)


def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


def _chao(seen: int, once: int, twice: int, n: int, level: float) -> tuple[float, float]:
    """Chao's lower bound for the number of kinds, in the form for samples that show several, and its interval."""
    if n == 0 or once == 0:
        return float(seen), float(seen)
    part = (n - 1) / n
    if twice:
        ratio = once / twice
        missing = part * once * ratio / 2
        spread = twice * (part / 2 * ratio**2 + part**2 * ratio**3 + part**2 / 4 * ratio**4)
    else:
        missing = part * once * (once - 1) / 2
        kinds = max(seen + missing, 1e-9)
        spread = (
            part * once * (once - 1) / 2 + part**2 * once * (2 * once - 1) ** 2 / 4 - part**2 * once**4 / (4 * kinds)
        )
    if missing <= 0:
        return float(seen), float(seen)
    widening = math.exp(_z(level) * math.sqrt(math.log1p(max(0.0, spread) / missing**2)))
    return seen + missing, seen + missing * widening
