"""Residuals of a regression on single factors → the pairs of levels that it explains worst."""

import math
from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.exploration.columns import MOST_LEVELS, Factor
from misstep.exploration.outcome import Outcome

_LEAST_TRIALS = 3
_LEAST_CLUSTERS = 2


class Pair(Struct, frozen=True, order=True):
    """A level of one factor together with a level of another."""

    one: str
    one_level: Scalar
    other: str
    other_level: Scalar

    def holds(self, outcome: Outcome) -> bool:
        return outcome.factors[self.one] == self.one_level and outcome.factors[self.other] == self.other_level

    @property
    def levels(self) -> dict[str, Scalar]:
        return {self.one: self.one_level, self.other: self.other_level}


def pairs_worth_a_look(
    outcomes: Sequence[Outcome], factors: Sequence[Factor], clusters: Sequence[str]
) -> dict[Pair, list[int]]:
    """Pairs of levels, none of them the one that others are held against, with the places of their trials."""
    usable = [factor for factor in factors if len(factor.levels) <= MOST_LEVELS]
    places: defaultdict[Pair, list[int]] = defaultdict(list)
    for place, outcome in enumerate(outcomes):
        harsh = [(each.name, outcome.factors[each.name]) for each in usable]
        harsh = [(name, level) for (name, level), each in zip(harsh, usable, strict=True) if level != each.against]
        for at, (one, one_level) in enumerate(harsh):
            for other, other_level in harsh[at + 1 :]:
                places[Pair(one, one_level, other, other_level)].append(place)
    return {
        pair: at
        for pair, at in places.items()
        if len(at) >= _LEAST_TRIALS and len({clusters[place] for place in at}) >= _LEAST_CLUSTERS
    }


def worst_explained(residuals: Sequence[float], pairs: dict[Pair, list[int]]) -> Pair | None:
    """The pair whose trials, taken together, lie farthest from what the regression says, for their number."""
    best: tuple[float, Pair] | None = None
    for pair, places in pairs.items():
        distance = abs(math.fsum(residuals[place] for place in places)) / math.sqrt(len(places))
        # The first of equals, in the order of the factors' names.
        if best is None or distance > best[0] * (1 + 1e-12):
            best = (distance, pair)
    return best[1] if best else None
