"""guilty: outcomes → the smallest combinations of factor levels that explain the failures, or that there are none.

Every combination of one, two or three levels is a suspect. The one under which failing and passing trials fall apart
best is named, when chance would hardly ever show such a suspect among so many; then its trials are set aside, and the
rest is looked at again.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.scenario import Scalar
from misstep.core.statistics import wilson
from misstep.exploration.levels import cluster_of, decided, levels_of, varying
from misstep.exploration.outcome import Outcome

_CHANCE = 0.05
_LARGEST = 3
_MOST_CAUSES = 5
_MOST_SUSPECTS = 150_000
_LISTED = 10
_AS_GOOD = 2.0
"""Suspects whose likelihoods lie no farther apart than e to this power are not told from each other."""

Levels = tuple[tuple[str, Scalar], ...]
Suspects = dict[int, list[Levels]]
"""Sets of trials, each with the combinations that mean just these."""


class Suspect(Struct, frozen=True, kw_only=True):
    """A combination of levels, and how the trials with and without it came out."""

    levels: dict[str, Scalar]
    failing: Interval
    """The rate of failures where all of the levels meet."""
    elsewhere: Interval
    p: float
    """The chance of such a suspect where nothing is guilty, adjusted for how many there are."""
    clusters: int
    """Tasks that failed under it."""
    as_good: tuple[dict[str, Scalar], ...] = ()
    """Other combinations that the trials do not tell from it: at most ten of them."""


class Guilt(Struct, frozen=True, kw_only=True):
    """What explains the failures."""

    causes: tuple[Suspect, ...] = ()
    """The one that explains most first; each is judged on the trials that those before it leave."""
    suspect: Suspect | None = None
    """The best explanation of what is left, which may well be chance."""
    failures: int = 0
    unexplained: int = 0
    """Failures under none of the causes."""
    n: int = 0
    invalid: int = 0
    because: str = ""
    """Why nothing more is named."""


class _Evidence(Struct, frozen=True):
    """Trials as the bits of numbers: sets of them meet in one step."""

    n: int
    failing: int
    masks: dict[tuple[str, Scalar], int]
    clusters: tuple[str, ...]
    alike: float
    """How many trials count for one, because those of a task resemble each other."""


class _Scored(Struct, frozen=True):
    score: float
    levels: Levels
    mask: int


def guilty(outcomes: Iterable[Outcome], factors: Sequence[str] | None = None) -> Guilt:
    """Only trials whose scenarios have all of the factors count; without names, the factors that vary."""
    told = list(outcomes)
    known = decided(told)
    names = tuple(factors) if factors is not None else varying(known)
    left = [outcome for outcome in known if all(name in outcome.factors for name in names)]
    n, failures = len(left), sum(not outcome.passed for outcome in left)
    causes: list[Suspect] = []
    suspect: Suspect | None = None
    because = ""
    while len(causes) < _MOST_CAUSES:
        suspect, because = _best(left, names)
        if suspect is None or because:
            break
        causes.append(suspect)
        left = [each for each in left if any(each.factors[name] != at for name, at in suspect.levels.items())]
        suspect = None
    return Guilt(
        causes=tuple(causes),
        suspect=suspect,
        failures=failures,
        unexplained=sum(not outcome.passed for outcome in left),
        n=n,
        invalid=len(told) - len(known),
        because=because,
    )


def _best(outcomes: Sequence[Outcome], names: Sequence[str]) -> tuple[Suspect | None, str]:
    """The best suspect, and why it is no more than that: nothing where it is guilty."""
    failures = sum(not outcome.passed for outcome in outcomes)
    if failures == 0:
        return None, "no failure is left to explain"
    if failures == len(outcomes):
        return None, "every trial failed: no level makes a difference"
    evidence = _evidence(outcomes, names)
    by_size = _suspects(evidence, names)
    scored = [each for found in by_size for each in _scored(evidence, found)]
    if not scored:
        return None, "no level fails more often than the others"
    best = max(scored, key=lambda each: each.score)
    size = len(best.levels)
    tests = len(by_size) * _testable(evidence, by_size[size - 1])
    p = min(1.0, _by_chance(evidence, best.mask) * tests)
    as_good = [each.levels for each in scored if each.score > best.score - _AS_GOOD and _rivals(each, best)]
    suspect = _suspect(evidence, best, p, as_good)
    if p > _CHANCE:
        return (
            suspect,
            f"{failures} failures in {len(outcomes)} trials leave no combination that chance might not have made",
        )
    if suspect.clusters < 2:
        return suspect, "all of its failures are of one task, which may be the reason itself"
    return suspect, ""


def _rivals(one: _Scored, best: _Scored) -> bool:
    """Another explanation; not the same one with more conditions than it takes."""
    return one.levels != best.levels and not set(best.levels) < set(one.levels)


def _evidence(outcomes: Sequence[Outcome], names: Sequence[str]) -> _Evidence:
    masks: dict[tuple[str, Scalar], int] = {}
    for name in names:
        for level in levels_of(outcomes, name):
            bits = "".join("1" if outcome.factors[name] == level else "0" for outcome in reversed(outcomes))
            masks[name, level] = int(bits, 2)
    failing = int("".join("0" if outcome.passed else "1" for outcome in reversed(outcomes)), 2)
    cluster = cluster_of(outcomes)
    clusters = tuple(cluster(outcome) for outcome in outcomes)
    return _Evidence(
        len(outcomes), failing, masks, clusters, _alike([bool(each.passed) for each in outcomes], clusters)
    )


def _alike(passed: Sequence[bool], clusters: Sequence[str]) -> float:
    """The design effect: from the likeness of trials of one cluster, by the analysis of variance."""
    sizes, sums = Counter(clusters), Counter[str]()
    for each, name in zip(passed, clusters, strict=True):
        sums[name] += each
    n, count = len(passed), len(sizes)
    if count == n or count < 2:
        return 1.0
    rate = sum(passed) / n
    between = sum((sums[name] - rate * size) ** 2 / size for name, size in sizes.items()) / (count - 1)
    within = sum(sums[name] * (1 - sums[name] / size) for name, size in sizes.items()) / (n - count)
    usual = (n - sum(size * size for size in sizes.values()) / n) / (count - 1)
    likeness = (between - within) / (between + (usual - 1) * within) if between > within else 0.0
    return 1 + (n / count - 1) * likeness


def _suspects(evidence: _Evidence, names: Sequence[str]) -> list[Suspects]:
    """By size; a set of trials that a smaller combination means is that one's."""
    levels = {name: [key for key in evidence.masks if key[0] == name] for name in names}
    seen: set[int] = {0, (1 << evidence.n) - 1}
    by_size: list[Suspects] = []
    total = 0
    for size in range(1, min(_LARGEST, len(names)) + 1):
        found: Suspects = {}
        for chosen in combinations(names, size):
            for mask, combined in _meeting(evidence, [levels[name] for name in chosen]):
                if mask not in seen:
                    found.setdefault(mask, []).append(combined)
            if total + len(found) > _MOST_SUSPECTS:
                return by_size  # a size that cannot be looked at whole is not looked at
        total += len(found)
        seen.update(found)
        by_size.append(found)
    return by_size


def _meeting(evidence: _Evidence, levels: Sequence[Sequence[tuple[str, Scalar]]]) -> Iterable[tuple[int, Levels]]:
    met: list[tuple[int, Levels]] = [((1 << evidence.n) - 1, ())]
    for choices in levels:
        met = [(mask & evidence.masks[key], (*so_far, key)) for mask, so_far in met for key in choices]
    return met


def _scored(evidence: _Evidence, suspects: Suspects) -> Iterable[_Scored]:
    """How much better each explains the trials than one rate for all does, less what a search among so many earns."""
    failures = evidence.failing.bit_count()
    dull = _fit(failures, evidence.n)
    for mask, meanings in suspects.items():
        inside, failed = mask.bit_count(), (mask & evidence.failing).bit_count()
        outside, others = evidence.n - inside, failures - failed
        if failed * outside > others * inside:
            gain = (_fit(failed, inside) + _fit(others, outside) - dull) / evidence.alike
            for levels in meanings:
                yield _Scored(gain - math.log(len(suspects)), levels, mask)


def _fit(some: int, n: int) -> float:
    """The logarithm of the likelihood of so many among n, at the rate that fits them best."""
    rest = n - some
    return (some * math.log(some / n) if some else 0.0) + (rest * math.log(rest / n) if rest else 0.0)


def _by_chance(evidence: _Evidence, mask: int) -> float:
    """Fisher's exact test: so many failures, or more, among the suspect's trials; likeness makes all of them fewer."""
    failed = (mask & evidence.failing).bit_count()
    passed = mask.bit_count() - failed
    others = evidence.failing.bit_count() - failed
    rest = evidence.n - failed - passed - others
    inside, outside = math.floor(failed / evidence.alike), math.ceil(others / evidence.alike)
    fine, elsewhere = math.ceil(passed / evidence.alike), math.floor(rest / evidence.alike)
    return _hypergeometric_tail(inside, inside + fine, inside + outside, inside + fine + outside + elsewhere)


def _hypergeometric_tail(least: int, drawn: int, marked: int, n: int) -> float:
    """The chance of at least so many marked among those drawn from n."""
    whole = math.comb(n, drawn)
    ways = sum(math.comb(marked, at) * math.comb(n - marked, drawn - at) for at in range(least, min(drawn, marked) + 1))
    return ways / whole


def _testable(evidence: _Evidence, suspects: Suspects) -> int:
    """For how many tests to pay: suspects with too few trials to be found guilty whatever happens cost nothing.

    That is Tarone's way; it only looks at how many trials there are, never at how they came out.
    """
    n = max(1, round(evidence.n / evidence.alike))
    marked = round(evidence.failing.bit_count() / evidence.alike)
    least: list[float] = []
    for size, count in sorted(Counter(mask.bit_count() for mask in suspects).items()):
        drawn = min(n, max(1, round(size / evidence.alike)))
        least.extend([_hypergeometric_tail(min(drawn, marked), drawn, marked, n)] * count)
    least.sort()
    for tests in range(1, len(least) + 1):
        if bisect_right(least, _CHANCE / (_LARGEST * tests)) <= tests:
            return tests
    return max(1, len(least))


def _suspect(evidence: _Evidence, best: _Scored, p: float, as_good: Iterable[Levels]) -> Suspect:
    inside, failed = best.mask.bit_count(), (best.mask & evidence.failing).bit_count()
    others = evidence.failing.bit_count() - failed
    guilty_trials = best.mask & evidence.failing
    clusters = {name for at, name in enumerate(evidence.clusters) if guilty_trials >> at & 1}
    return Suspect(
        levels=dict(best.levels),
        failing=wilson(failed, inside),
        elsewhere=wilson(others, evidence.n - inside),
        p=p,
        clusters=len(clusters),
        as_good=tuple(map(dict, islice(as_good, _LISTED))),
    )
