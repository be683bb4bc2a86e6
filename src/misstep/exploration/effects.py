"""effects: outcomes → by how much each factor, and each pair of levels beyond the two alone, changes the success rate.

A linear regression on passes, so that every coefficient is a difference of rates, with errors that allow for clusters.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.scenario import Scalar
from misstep.core.statistics import holm, student_quantile, student_tails
from misstep.exploration.columns import Chosen, Column, cells_for, choose, columns_of, rows_of
from misstep.exploration.interactions import Pair, pairs_worth_a_look, worst_explained
from misstep.exploration.least_squares import Cells, Fit, fit
from misstep.exploration.levels import cluster_of, decided
from misstep.exploration.outcome import Outcome
from misstep.exploration.thinness import least_error, thin_error

_CHANCE = 0.05
"""After an interaction that chance explains, no further one is looked for."""

Cluster = Callable[[Outcome], str]


class Term(Struct, frozen=True, kw_only=True):
    """What a factor does alone: the change in the success rate from one level to another."""

    factor: str
    against: Scalar
    level: Scalar
    straight: bool
    """Over all levels between the two, on a straight line."""
    change: float
    low: float
    """The intervals of all terms hold at once."""
    high: float
    p: float
    """Adjusted for the number of terms, by Holm."""
    n: int
    """Trials at `level`; on a line, all."""
    clusters: int

    @property
    def per_unit(self) -> float | None:
        """The slope, where there is a line."""
        return self.change / (float(self.level) - float(self.against)) if self.straight else None


class Interaction(Struct, frozen=True, kw_only=True):
    """What two levels do together, over and above what both do alone."""

    levels: dict[str, Scalar]
    change: float
    low: float
    high: float
    p: float
    """Adjusted for all pairs that were looked at."""
    n: int
    clusters: int


class Effects(Struct, frozen=True, kw_only=True):
    """Main effects by factor, and interactions in the order in which they were found, the strongest first."""

    terms: tuple[Term, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    """The last one may be no more than chance: its p says so."""
    examined: int = 0
    """Pairs of levels that were looked at for interactions."""
    n: int = 0
    clusters: int = 0
    invalid: int = 0
    dropped: dict[str, str] = {}
    """Factors and levels of which nothing is said, each with the reason."""
    level: float = 0.95


class _Estimate(Struct, frozen=True):
    change: float
    error: float
    n: int
    clusters: int

    def p(self, freedom: int) -> float:
        return student_tails(self.change / self.error, freedom) if self.error > 0 else float(self.change == 0)

    def bounds(self, tail: float, freedom: int) -> tuple[float, float]:
        """A difference of two rates lies between -1 and 1."""
        half = student_quantile(tail, freedom) * self.error
        return max(-1.0, self.change - half), min(1.0, self.change + half)


def effects(
    outcomes: Iterable[Outcome],
    factors: Sequence[str] | None = None,
    *,
    baselines: Mapping[str, Scalar] | None = None,
    level: float = 0.95,
    most: int = 3,
) -> Effects:
    """Levels are held against those of `baselines`, or the first in order; at most so many interactions are shown."""
    told = list(outcomes)
    known = decided(told)
    chosen = choose(known, factors, baselines or {})
    invalid = len(told) - len(known)
    if not chosen.factors or len(chosen.outcomes) < 3:
        return Effects(n=len(chosen.outcomes), invalid=invalid, dropped=chosen.dropped, level=level)
    cluster = cluster_of(chosen.outcomes)
    terms, dropped = _main(chosen, cluster, level)
    interactions, examined = _interactions(chosen, cluster, level, most)
    return Effects(
        terms=terms,
        interactions=interactions,
        examined=examined,
        n=len(chosen.outcomes),
        clusters=len({cluster(outcome) for outcome in chosen.outcomes}),
        invalid=invalid,
        dropped={**chosen.dropped, **dropped},
        level=level,
    )


def _main(chosen: Chosen, cluster: Cluster, level: float) -> tuple[tuple[Term, ...], dict[str, str]]:
    columns = columns_of(chosen.factors)
    found = fit(rows_of(chosen.outcomes, cluster, cells_for(columns)), len(columns) + 1)
    dropped: dict[str, str] = {}
    estimates: dict[Column, _Estimate] = {}
    for at, column in enumerate(columns, 1):
        name = column.factor.name
        here = [each for each in chosen.outcomes if column.level in (None, each.factors[name])]
        said = name if column.level is None else f"{name}={column.level}"
        estimate = _estimate(found, at, here, cluster, least_error(column, chosen.outcomes, cluster))
        if at in found.dropped:
            dropped[said] = "it always comes together with others, and cannot be told apart from them"
        elif estimate.clusters < 2:
            dropped[said] = "all trials at it are of one task"
        else:
            estimates[column] = estimate
    freedom = found.clusters - 1
    adjusted = holm([estimate.p(freedom) for estimate in estimates.values()])
    tail = (1 - level) / max(1, len(estimates))
    terms = [
        _term(column, estimate, estimate.bounds(tail, freedom), p)
        for (column, estimate), p in zip(estimates.items(), adjusted, strict=True)
    ]
    return tuple(terms), dropped


def _estimate(found: Fit, at: int, here: Sequence[Outcome], cluster: Cluster, least: float) -> _Estimate:
    clusters = len({cluster(outcome) for outcome in here})
    return _Estimate(found.coefficients[at], max(found.errors[at], least), len(here), clusters)


def _term(column: Column, estimate: _Estimate, bounds: tuple[float, float], p: float) -> Term:
    factor = column.factor
    return Term(
        factor=factor.name,
        against=factor.levels[0] if column.level is None else factor.against,
        level=factor.levels[-1] if column.level is None else column.level,
        straight=column.level is None,
        change=estimate.change,
        low=bounds[0],
        high=bounds[1],
        p=p,
        n=estimate.n,
        clusters=estimate.clusters,
    )


class _Ground(Struct, frozen=True):
    """What interactions are measured on top of: every level of every factor with a column of its own."""

    outcomes: tuple[Outcome, ...]
    columns: list[Column]
    cluster: Cluster

    def fit(self, pairs: Sequence[Pair]) -> Fit:
        return fit(rows_of(self.outcomes, self.cluster, self.cells(pairs)), 1 + len(self.columns) + len(pairs))

    def residuals(self, found: Fit, pairs: Sequence[Pair]) -> list[float]:
        cells_of = self.cells(pairs)
        return [
            bool(outcome.passed) - math.fsum(value * found.coefficients[at] for at, value in cells_of(outcome))
            for outcome in self.outcomes
        ]

    def cells(self, pairs: Sequence[Pair]) -> Callable[[Outcome], Cells]:
        single = cells_for(self.columns)
        first = 1 + len(self.columns)

        def cells_of(outcome: Outcome) -> Cells:
            return (*single(outcome), *((at, 1.0) for at, pair in enumerate(pairs, first) if pair.holds(outcome)))

        return cells_of


def _interactions(chosen: Chosen, cluster: Cluster, level: float, most: int) -> tuple[tuple[Interaction, ...], int]:
    """One after another: each is the pair of levels that the factors alone and the pairs before it explain worst."""
    ground = _Ground(chosen.outcomes, columns_of(chosen.factors, lines=False), cluster)
    pairs = pairs_worth_a_look(chosen.outcomes, chosen.factors, [cluster(outcome) for outcome in chosen.outcomes])
    examined = len(pairs)
    taken: list[Pair] = []
    found = ground.fit(taken)
    shown: tuple[Interaction, ...] = ()
    for _ in range(2 * most):  # some may say nothing new
        pair = worst_explained(ground.residuals(found, taken), pairs)
        if pair is None or len(taken) == most:
            break
        del pairs[pair]
        widened = ground.fit([*taken, pair])
        if len(ground.columns) + len(taken) + 1 in widened.dropped:
            continue
        taken.append(pair)
        found = widened
        shown = _measured(ground, taken, found, (1 - level) / examined)
        if shown[-1].p * examined > _CHANCE:
            break
    return tuple(structs.replace(each, p=min(1.0, each.p * examined)) for each in shown), examined


def _measured(ground: _Ground, pairs: Sequence[Pair], found: Fit, tail: float) -> tuple[Interaction, ...]:
    freedom = found.clusters - 1
    shown: list[Interaction] = []
    for at, pair in enumerate(pairs, 1 + len(ground.columns)):
        here = [outcome for outcome in ground.outcomes if pair.holds(outcome)]
        estimate = _estimate(found, at, here, ground.cluster, thin_error(here, ground.cluster))
        low, high = estimate.bounds(tail, freedom)
        shown.append(
            Interaction(
                levels=pair.levels,
                change=estimate.change,
                low=low,
                high=high,
                p=estimate.p(freedom),
                n=estimate.n,
                clusters=estimate.clusters,
            )
        )
    return tuple(shown)
