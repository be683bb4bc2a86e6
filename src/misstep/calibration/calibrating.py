"""Traces and people's labels → a Learned detector, with figures from traces that were left out of the fit."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from misstep import taxonomy
from misstep.calibration import features
from misstep.calibration.agent import Agent, known_share, tools_called
from misstep.calibration.choosing import Asked, Chances, best_choice, claims_of
from misstep.calibration.fitting import as_sure_as_right
from misstep.calibration.folds import parts
from misstep.calibration.learned import Choice, Learned, log_odds
from misstep.calibration.lessons import Lessons
from misstep.calibration.measures import Claims, Measures, measured
from misstep.core.errors import UsageError
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors import detectors

LOOSENESSES = (0.1,)
"""How far weights may move from nothing: the one that does best on left-out traces is taken."""
_INNER_FOLDS = 8


def calibrate(
    traces: Iterable[Trace],
    labels: Iterable[Finding],
    *,
    name: str = "labels",
    seed: int = 0,
    folds: int = 5,
    precision: float = 0.45,
    claims_a_trace: float = 5.0,
) -> Learned:
    """A detector for the agent whose traces these are.

    Every trace counts as read by a person: one without labels is one without failures. Traces of one task (the same
    scenario, or the same first words of the user) are never on both sides of a fold. All that is chosen (how far
    weights may move, how many places are claimed) is chosen anew in every fold without what it is measured on.
    """
    lessons = Lessons.of(tuple(traces), labels)
    tasks = len(set(lessons.tasks))
    if tasks < folds:
        raise UsageError(
            f"There are labelled traces of {tasks} different tasks; {folds} folds need at least {folds}, and some"
            " twenty traces are needed for anything to be learned. Label more, or ask for fewer folds."
        )
    everything = range(len(lessons.traces))
    modes = lessons.learnable(everything)
    if not modes:
        raise UsageError(
            "No failure mode is labelled often enough to be learned: it takes 4 places in traces of 3 different tasks."
            " Label more traces, or use fewer names for what is the same."
        )
    asked = Asked(precision, claims_a_trace)
    measures, usual = _cross_validated(lessons, asked, folds=folds, seed=seed)
    plan = _planned(lessons, everything, asked, seed=seed)
    fitted = lessons.fit(everything, plan.looseness)
    weights = fitted.weights()
    slope, shift = _sureness(plan.left_out, [lessons.labels[at] for at in everything], lessons.modes)
    return Learned(
        name=name,
        features=features.VERSION,
        taxonomy=taxonomy.VERSION,
        rules={each.mode: each.version for each in detectors()},
        modes=fitted.modes,
        weights=weights.by_feature,
        offsets=weights.offsets,
        slope=slope,
        shift=shift,
        choice=plan.choice,
        agent=_agent(lessons, usual),
        measures=measures,
    )


class _Plan(Struct, frozen=True):
    looseness: float
    choice: Choice
    left_out: Sequence[Chances]
    """What models said of the traces that they were not fitted on, with this looseness."""


def _cross_validated(lessons: Lessons, asked: Asked, *, folds: int, seed: int) -> tuple[Measures, float]:
    """The figures, and the share of a left-out trace's features that is usually known."""
    everything = range(len(lessons.traces))
    claims: list[Claims] = [frozenset()] * len(everything)
    known: list[float] = []
    for left_out in parts(lessons.tasks, everything, folds, seed):
        rest = [at for at in everything if at not in set(left_out)]
        if not lessons.learnable(rest):
            continue
        plan = _planned(lessons, rest, asked, seed=seed + 1)
        for at, chances in zip(left_out, lessons.fit(rest, plan.looseness).chances(left_out), strict=True):
            claims[at] = claims_of(chances, plan.choice, lessons.modes)
        seen = {name for at in rest for each in lessons.described[at] for name in each.features}
        known += [known_share(lessons.described[at], seen) for at in left_out]
    learned = lessons.learnable(everything)
    measures = measured(claims, lessons.labels, learned, tasks=len(set(lessons.tasks)), folds=folds)
    return measures, round(sorted(known)[len(known) // 20], 4) if known else 1.0


def _planned(lessons: Lessons, traces: Sequence[int], asked: Asked, *, seed: int) -> _Plan:
    labels = [lessons.labels[at] for at in traces]
    best, best_worth = None, (False, -1.0)
    for looseness in LOOSENESSES:
        chances = _left_out(lessons, traces, looseness, seed)
        chosen = best_choice(chances, labels, lessons.modes, asked)
        worth = (chosen.choice.reached, chosen.found)
        if best is None or worth > best_worth:
            best, best_worth = _Plan(looseness, chosen.choice, chances), worth
    assert best is not None
    return best


def _left_out(lessons: Lessons, traces: Sequence[int], looseness: float, seed: int) -> list[Chances]:
    """For each of the traces, what a model says that was fitted on the others."""
    said: dict[int, Chances] = {}
    for part in parts(lessons.tasks, traces, _INNER_FOLDS, seed):
        rest = [at for at in traces if at not in set(part)]
        said.update(zip(part, lessons.fit(rest, looseness).chances(part), strict=True))
    return [said[at] for at in traces]


def _sureness(left_out: Sequence[Chances], labels: Sequence[Claims], modes: Sequence[str]) -> tuple[float, float]:
    odds: list[float] = []
    right: list[bool] = []
    for chances, true in zip(left_out, labels, strict=True):
        for place, row in enumerate(chances):
            for mode, chance in enumerate(row):
                if chance > 0:
                    odds.append(log_odds(chance))
                    right.append((place, modes[mode]) in true)
    return as_sure_as_right(odds, right)


def _agent(lessons: Lessons, usual: float) -> Agent:
    actors = {each.place.actor for found in lessons.described for each in found if each.place.kind == "step"}
    tools = {tool for trace in lessons.traces for tool in tools_called(trace)}
    return Agent(tuple(sorted(actors)), tuple(sorted(tools)), usual)
