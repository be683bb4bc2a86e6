"""goal-drift: the agent does, or speaks of, something else than what it was asked for or had planned for it."""

from collections.abc import Iterator

from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.straying import strays
from misstep.detectors.evidence.unread import unread
from misstep.detectors.evidence.unresearched import unresearched
from misstep.detectors.evidence.wandering import sidetracks, wanderings


@detector("goal-drift", version=5)
def goal_drift(trace: Trace) -> Iterator[Finding]:
    """One finding for each plan that was left for an answer from nowhere, one for each turn about something else."""
    for at, planned_at, plan in unresearched(trace):
        what = f"use {joined(sorted(plan.names))}" if plan.names else f"find out what {plan.fetching} of its steps need"
        yield Finding(
            mode="goal-drift",
            events=(at, planned_at),
            because=f"The plan was to {what}, and the answer was given without doing any of that.",
            confidence=0.7,
        )
    planned = {each.planned_at for each in unresearched(trace)}
    for at, planned_at, _ in unread(trace):
        if planned_at not in planned:
            yield Finding(
                mode="goal-drift",
                events=(at, planned_at),
                because="The plan was to find something and to read it; none of it was read, and the answer has "
                "nothing of what was found.",
                confidence=0.75,
            )
    for stray in wanderings(trace):
        yield Finding(
            mode="goal-drift",
            events=(stray.at, stray.asked_at),
            because=f"The user had asked “{stray.asked}”; from here on, the agent looked into something else, and that "
            "is what its answer is about.",
            confidence=0.75,
        )
    for stray in sidetracks(trace):
        yield Finding(
            mode="goal-drift",
            events=(stray.at, stray.asked_at),
            because=f"The user had only asked “{stray.asked}”; the agent changed something else, and never answered.",
            confidence=0.7,
        )
    for stray in strays(trace):
        yield Finding(
            mode="goal-drift",
            events=(stray.at, stray.asked_at),
            because=f"The user had asked “{stray.asked}”, and nothing that the agent then did or said is about that.",
            confidence=0.75,
        )
