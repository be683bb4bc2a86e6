"""Outcomes of a run → all that is said of an agent's robustness, in one frozen struct."""

from collections.abc import Sequence

from msgspec import Struct

from misstep.exploration.curves import Curve, by_user, curve
from misstep.exploration.effects import Effects, effects
from misstep.exploration.guilty import Guilt, guilty
from misstep.exploration.levels import SUMS_UP, levels_of, varying
from misstep.exploration.outcome import Outcome
from misstep.exploration.reliability import Reliability, reliability
from misstep.synthesis.factors import FACTORS

_USUAL = {name: factor.default for name, factor in FACTORS.items() if factor.default is not None}

_MOST_LEVELS = 12
"""A factor with more is no axis: it is a name for each scenario."""
_FEWEST_SCENARIOS = 8
"""With fewer, effects and culprits would be read out of noise."""


class Robustness(Struct, frozen=True, kw_only=True):
    """How success depends on what scenarios are made from, on who the user was, and on chance."""

    curves: tuple[Curve, ...] = ()
    users: Curve | None = None
    """With each of the simulated users, where several took part."""
    effects: Effects | None = None
    guilt: Guilt | None = None
    reliability: Reliability


def robustness(outcomes: Sequence[Outcome]) -> Robustness:
    """Effects and guilty combinations only where there are scenarios enough to tell."""
    axes = [
        factor
        for factor in (*varying(outcomes), *((SUMS_UP,) if len(levels_of(outcomes, SUMS_UP)) > 1 else ()))
        if len(levels_of(outcomes, factor)) <= _MOST_LEVELS
    ]
    users = by_user(outcomes)
    enough = len({outcome.scenario for outcome in outcomes}) >= _FEWEST_SCENARIOS
    explaining = [factor for factor in axes if factor != SUMS_UP]
    return Robustness(
        curves=tuple(curve(outcomes, factor) for factor in dict.fromkeys(axes)),
        users=users if len(users.points) > 1 else None,
        effects=effects(outcomes, explaining, baselines=_USUAL) if enough and explaining else None,
        guilt=guilty(outcomes) if enough and explaining else None,
        reliability=reliability(outcomes),
    )
