"""Lessons → what is claimed of each trace by models that were fitted, and made strict, without it and its task."""

from collections.abc import Sequence

from msgspec import Struct

from misstep.calibration.agent import known_share
from misstep.calibration.choosing import Asked, Chances, best_choice, claims_of
from misstep.calibration.folds import parts
from misstep.calibration.learned import Choice
from misstep.calibration.lessons import Lessons
from misstep.calibration.measures import Claims

LOOSENESS = 0.1
"""How far weights may move from nothing. The same for everybody: between a third and three times as much it hardly
matters, and twenty traces are too few to choose by."""
_INNER_FOLDS = 8


class Plan(Struct, frozen=True):
    """How strict to be, chosen on traces that were left out."""

    choice: Choice
    left_out: Sequence[Chances]
    """What models said of those."""


class Validation(Struct, frozen=True):
    """What came out for traces that were left out."""

    claims: Sequence[Claims]
    usual: float
    """The share of such a trace's features that was known, in all but one trace of twenty at least."""


def validated(lessons: Lessons, asked: Asked, *, folds: int, seed: int) -> Validation:
    """In every fold all that is chosen is chosen on the rest."""
    everything = range(len(lessons.traces))
    claims: list[Claims] = [frozenset()] * len(everything)
    known: list[float] = []
    for left_out in parts(lessons.tasks, everything, folds, seed):
        rest = _without(everything, left_out)
        plan = planned(lessons, rest, asked, seed=seed + 1)
        for at, chances in zip(left_out, lessons.fit(rest, LOOSENESS).chances(left_out), strict=True):
            claims[at] = claims_of(chances, plan.choice, lessons.modes)
        seen = {name for at in rest for each in lessons.described[at] for name in each.features}
        known += [known_share(lessons.described[at], seen) for at in left_out]
    return Validation(claims, round(sorted(known)[len(known) // 20], 4))


def planned(lessons: Lessons, traces: Sequence[int], asked: Asked, *, seed: int) -> Plan:
    """For each of the traces a model fitted on the others says what it thinks; from that the choice is made."""
    said: dict[int, Chances] = {}
    for part in parts(lessons.tasks, traces, _INNER_FOLDS, seed):
        said.update(zip(part, lessons.fit(_without(traces, part), LOOSENESS).chances(part), strict=True))
    left_out = [said[at] for at in traces]
    return Plan(best_choice(left_out, [lessons.labels[at] for at in traces], lessons.modes, asked).choice, left_out)


def _without(traces: Sequence[int], some: Sequence[int]) -> list[int]:
    gone = set(some)
    return [at for at in traces if at not in gone]
