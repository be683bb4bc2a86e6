"""Outcomes → the factors that vary in them, and the levels of each in an order that people expect."""

from collections.abc import Callable, Iterable, Sequence

from misstep.core.scenario import Scalar
from misstep.exploration.outcome import Outcome


def decided(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that passed or failed: the others say nothing about the agent."""
    return [outcome for outcome in outcomes if outcome.passed is not None]


def is_number(level: Scalar) -> bool:
    return isinstance(level, int | float) and not isinstance(level, bool)


def in_order(levels: Iterable[Scalar]) -> tuple[Scalar, ...]:
    """Each once: no before yes, numbers by size, then texts."""
    return tuple(sorted(dict.fromkeys(levels), key=_rank))


def _rank(level: Scalar) -> tuple[int, float, str]:
    if isinstance(level, str):
        return 2, 0.0, level
    return int(is_number(level)), float(level), ""


def levels_of(outcomes: Iterable[Outcome], factor: str) -> tuple[Scalar, ...]:
    return in_order(outcome.factors[factor] for outcome in outcomes if factor in outcome.factors)


SUMS_UP = "difficulty"
"""A factor that is made from the others, and explains nothing where those are there."""


def factors_in(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """By name; without the one that sums up the others, unless it is alone."""
    names = sorted({name for outcome in outcomes for name in outcome.factors})
    return tuple(name for name in names if name != SUMS_UP or len(names) == 1)


def varying(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The factors with two levels or more."""
    return tuple(name for name in factors_in(outcomes) if len(levels_of(outcomes, name)) > 1)


def cluster_of(outcomes: Sequence[Outcome]) -> Callable[[Outcome], str]:
    """What makes trials resemble each other: their task; in a run of one task the scenario; of one scenario nothing."""
    if len({outcome.cluster for outcome in outcomes}) > 1:
        return lambda outcome: outcome.cluster
    if len({outcome.scenario for outcome in outcomes}) > 1:
        return lambda outcome: outcome.scenario
    return lambda outcome: f"{outcome.scenario}#{outcome.trial}"
