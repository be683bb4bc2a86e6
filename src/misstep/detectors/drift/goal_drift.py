"""goal-drift: the agent does, or speaks of, something else than what it was asked for or had planned for it."""

from collections.abc import Iterator

from misstep.core.event import Handoff, Message, Thought, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.plans import Plan, ends_the_work, plan_in
from misstep.detectors.evidence.straying import strays
from misstep.detectors.evidence.wandering import wanderings
from misstep.objectives.once import once_per_trace


@detector("goal-drift", version=3)
def goal_drift(trace: Trace) -> Iterator[Finding]:
    """One finding for each plan that was left for an answer from nowhere, one for each turn about something else."""
    for at, planned_at, plan in _abandoned(trace):
        what = f"use {joined(sorted(plan.names))}" if plan.names else f"find out what {plan.fetching} of its steps need"
        yield Finding(
            mode="goal-drift",
            events=(at, planned_at),
            because=f"The plan was to {what}, and the answer was given without doing any of that.",
            confidence=0.7,
        )
    for stray in wanderings(trace):
        yield Finding(
            mode="goal-drift",
            events=(stray.at, stray.asked_at),
            because=f"The user had asked “{stray.asked}”; from here on, the agent looked into something else, and that "
            "is what its answer is about.",
            confidence=0.75,
        )
    for stray in strays(trace):
        yield Finding(
            mode="goal-drift",
            events=(stray.at, stray.asked_at),
            because=f"The user had asked “{stray.asked}”, and nothing that the agent then did or said is about that.",
            confidence=0.75,
        )


def _abandoned(trace: Trace) -> Iterator[tuple[int, int, Plan]]:
    """Where an agent answers, the place of its plan, and the plan of which it did nothing."""
    if not _has_means(trace):
        return
    open_plans: dict[str, tuple[int, Plan]] = {}
    spoke: dict[str, int] = {}
    used: dict[str, set[str]] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, (Message, Thought)) and (isinstance(event, Thought) or event.role == "agent"):
            plan = plan_in(event.text)
            if plan is not None and _binds(plan, used.get(event.actor)):
                open_plans[event.actor] = (at, plan)
                _ = spoke.pop(event.actor, None)
            else:
                spoke[event.actor] = at
        elif isinstance(event, ToolCall) and ends_the_work(event.tool):
            if event.actor in open_plans:
                planned_at, plan = open_plans.pop(event.actor)
                yield spoke.get(event.actor, at), planned_at, plan
        elif isinstance(event, (ToolCall, Handoff)):
            used.setdefault(event.actor, set()).add(event.tool if isinstance(event, ToolCall) else event.to)
            _ = open_plans.pop(event.actor, None)
    last = _last_word(trace)
    if last is not None and trace.events[last].actor in open_plans:
        planned_at, plan = open_plans[trace.events[last].actor]
        if last > planned_at:
            yield last, planned_at, plan


def _binds(plan: Plan, used: set[str] | None) -> bool:
    """Nothing of it was done before it was made: who plans anew in the midst of work may have found out enough."""
    if used:
        return bool(plan.names) and used.isdisjoint(plan.names)
    return bool(plan.names) or plan.fetching > 1


def _has_means(trace: Trace) -> bool:
    """There are tools, or helpers, that could have been used."""
    return bool(trace.tools) or _calls_or_hands_on(trace)


@once_per_trace
def _calls_or_hands_on(trace: Trace) -> bool:
    return any(isinstance(event, (ToolCall, Handoff)) for event in trace.events)


def _last_word(trace: Trace) -> int | None:
    at = len(trace.events) - 1
    event = trace.events[at] if trace.events else None
    return at if isinstance(event, Message) and event.role == "agent" else None
