"""Outcomes → the columns of a regression: which factors go in, which stay out and why, and what each column means."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.exploration.least_squares import Cells, Row
from misstep.exploration.levels import factors_in, in_order, is_number
from misstep.exploration.outcome import Outcome

MOST_COLUMNS = 60
MOST_LEVELS = 12
"""A factor with more is no list of levels any more: numbers are taken as a straight line, anything else stays out."""


class Factor(Struct, frozen=True):
    """A factor with its levels in order, and the one that the others are held against."""

    name: str
    levels: tuple[Scalar, ...]
    against: Scalar

    @property
    def is_line(self) -> bool:
        return all(map(is_number, self.levels))

    @property
    def others(self) -> tuple[Scalar, ...]:
        return tuple(level for level in self.levels if level != self.against)


class Column(Struct, frozen=True):
    """1 at a level and 0 elsewhere; or, without one, from 0 at a factor's lowest level to 1 at its highest."""

    factor: Factor
    level: Scalar | None = None

    def value(self, at: Scalar) -> float:
        if self.level is not None:
            return float(at == self.level)
        low, high = float(self.factor.levels[0]), float(self.factor.levels[-1])
        return (float(at) - low) / (high - low)


class Chosen(Struct, frozen=True):
    """The factors that a regression can take, and why it does not take the others."""

    factors: tuple[Factor, ...]
    dropped: dict[str, str]
    outcomes: tuple[Outcome, ...]
    """Those that have all of the factors."""


def choose(outcomes: Sequence[Outcome], names: Sequence[str] | None, baselines: Mapping[str, Scalar]) -> Chosen:
    """Where no names are given, those that every outcome has; otherwise the outcomes that have every name."""
    wanted = tuple(dict.fromkeys(names)) if names is not None else factors_in(outcomes)
    dropped: dict[str, str] = {}
    if names is None:
        for name in wanted:
            count = sum(name in outcome.factors for outcome in outcomes)
            if count < len(outcomes):
                dropped[name] = f"only {count} of {len(outcomes)} trials say something of it"
    kept = [name for name in wanted if name not in dropped]
    complete = tuple(outcome for outcome in outcomes if all(name in outcome.factors for name in kept))
    factors: list[Factor] = []
    for name in kept:
        factor = _factor(name, in_order(outcome.factors[name] for outcome in complete), baselines)
        reason = _unfit(factor, len(columns_of(factors)))
        if reason:
            dropped[name] = reason
        else:
            factors.append(factor)
    return Chosen(tuple(factors), dropped, complete)


def columns_of(factors: Sequence[Factor], *, lines: bool = True) -> list[Column]:
    """A column for each level but the one that it is held against; or one a factor whose levels lie on a line."""
    columns: list[Column] = []
    for factor in factors:
        if factor.is_line and (lines or len(factor.levels) > MOST_LEVELS):
            columns.append(Column(factor))
        else:
            columns.extend(Column(factor, level) for level in factor.others)
    return columns


def rows_of(
    outcomes: Sequence[Outcome], cluster: Callable[[Outcome], str], cells_of: Callable[[Outcome], Cells]
) -> list[Row]:
    """Trials with the same cells and the same cluster become one row."""
    sums: dict[tuple[str, Cells], list[int]] = {}
    for outcome in outcomes:
        count = sums.setdefault((cluster(outcome), cells_of(outcome)), [0, 0])
        count[0] += bool(outcome.passed)
        count[1] += 1
    return [Row(cells, passed / n, n, name) for (name, cells), (passed, n) in sums.items()]


def cells_for(columns: Sequence[Column]) -> Callable[[Outcome], Cells]:
    """What a regression sees of an outcome: a constant first, then the columns that are not 0."""

    def cells_of(outcome: Outcome) -> Cells:
        values = [column.value(outcome.factors[column.factor.name]) for column in columns]
        return ((0, 1.0), *((at, value) for at, value in enumerate(values, 1) if value))

    return cells_of


def _factor(name: str, levels: tuple[Scalar, ...], baselines: Mapping[str, Scalar]) -> Factor:
    given = baselines.get(name)
    against = given if given is not None and given in levels else next(iter(levels), "")
    return Factor(name, levels, against)


def _unfit(factor: Factor, taken: int) -> str:
    if len(factor.levels) < 2:
        return "it has the same level in every trial"
    if factor.is_line:
        return "" if taken < MOST_COLUMNS else "there are too many factors and levels before it"
    if len(factor.levels) > MOST_LEVELS:
        return f"it has {len(factor.levels)} levels, which is more than {MOST_LEVELS}"
    if taken + len(factor.others) > MOST_COLUMNS:
        return "there are too many factors and levels before it"
    return ""
