"""Traces and people's labels → a Learned detector, with figures from traces that were left out of the fit."""

from collections.abc import Iterable, Sequence

from misstep import taxonomy
from misstep.calibration import features
from misstep.calibration.agent import Agent, tools_called
from misstep.calibration.choosing import Asked, Chances
from misstep.calibration.fitting import as_sure_as_right
from misstep.calibration.learned import Learned, log_odds
from misstep.calibration.lessons import Lessons
from misstep.calibration.measures import Claims, measured
from misstep.calibration.validating import LOOSENESS, planned, validated
from misstep.core.errors import UsageError
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors import detectors


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
    scenario, or the same first words of the user) are never on both sides of a fold. How many places are claimed is
    chosen anew in every fold, without what it is measured on.
    """
    lessons = Lessons.of(tuple(traces), labels)
    asked = Asked(precision, claims_a_trace)
    _demand_enough(lessons, folds)
    validation = validated(lessons, asked, folds=folds, seed=seed)
    everything = range(len(lessons.traces))
    plan = planned(lessons, everything, asked, seed=seed)
    model = lessons.fit(everything, LOOSENESS)
    weights = model.weights()
    slope, shift = _sureness(plan.left_out, lessons.labels, lessons.modes)
    return Learned(
        name=name,
        features=features.VERSION,
        taxonomy=taxonomy.VERSION,
        rules={each.mode: each.version for each in detectors()},
        modes=model.modes,
        weights=weights.by_feature,
        offsets=weights.offsets,
        slope=slope,
        shift=shift,
        choice=plan.choice,
        agent=_agent(lessons, validation.usual),
        measures=measured(validation.claims, lessons.labels, model.modes, tasks=len(set(lessons.tasks)), folds=folds),
    )


def cross_validated(
    traces: Iterable[Trace],
    labels: Iterable[Finding],
    *,
    seed: int = 0,
    folds: int = 5,
    precision: float = 0.45,
    claims_a_trace: float = 5.0,
) -> tuple[tuple[Finding, ...], ...]:
    """For each trace, what a detector claims that was fitted without it and its task: for whoever wants to score it."""
    lessons = Lessons.of(tuple(traces), labels)
    _demand_enough(lessons, folds)
    validation = validated(lessons, Asked(precision, claims_a_trace), folds=folds, seed=seed)
    return tuple(
        tuple(
            Finding(
                mode=mode,
                events=lessons.described[number][place].place.events[:1],
                because="Claimed by a detector that was fitted without this trace.",
                trace=trace.id,
                claimed_by="learned:left-out",
            )
            for place, mode in sorted(claims)
        )
        for number, (trace, claims) in enumerate(zip(lessons.traces, validation.claims, strict=True))
    )


def _demand_enough(lessons: Lessons, folds: int) -> None:
    tasks = len(set(lessons.tasks))
    if tasks < folds:
        raise UsageError(
            f"There are labelled traces of {tasks} different tasks; {folds} folds need at least {folds}, and some"
            " twenty traces are needed for anything to be learned. Label more, or ask for fewer folds."
        )
    if not lessons.learnable(range(len(lessons.traces))):
        raise UsageError(
            "No failure mode is labelled often enough to be learned: it takes 4 places in traces of 3 different tasks."
            " Label more traces, or use fewer names for what is the same."
        )


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
