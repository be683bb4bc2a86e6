"""A trace → answers that were given with nothing looked up, though the agent's own plan was to look it up."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from misstep.core.event import Handoff, Message, Thought, ToolCall
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.detectors.evidence.plans import Plan, ends_the_work, plan_in, plan_on_one_line, plan_told_in
from misstep.objectives.once import once_per_trace


class Unresearched(NamedTuple):
    """Where an agent answers, where it had planned otherwise, and what of."""

    at: int
    planned_at: int
    plan: Plan


@once_per_trace
def unresearched(trace: Trace) -> tuple[Unresearched, ...]:
    """Each plan of which nothing was done before the answer."""
    return tuple(filter(lambda each: _counts(trace, each), _unresearched(trace))) if _has_means(trace) else ()


def _counts(trace: Trace, found: Unresearched) -> bool:
    """What was only said in passing may be done some other time, unless the answer itself says that it was not."""
    event = trace.events[found.at]
    ground = grounds(event.text) if found.plan.in_prose and isinstance(event, (Message, Thought)) else None
    return not found.plan.in_prose or (ground is not None and ground[0] == "memory")


def _unresearched(trace: Trace) -> Iterator[Unresearched]:
    open_plans: dict[str, tuple[int, Plan]] = {}
    spoke: dict[str, int] = {}
    used: dict[str, set[str]] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, (Message, Thought)) and (isinstance(event, Thought) or event.role == "agent"):
            plan = plan_in(event.text)
            if plan is None and event.actor not in open_plans:
                plan = plan_on_one_line(event.text) or plan_told_in(event.text)
            if plan is not None and _binds(plan, used.get(event.actor)):
                open_plans[event.actor] = (at, plan)
                _ = spoke.pop(event.actor, None)
            else:
                spoke[event.actor] = at
        elif isinstance(event, ToolCall) and ends_the_work(event.tool):
            if event.actor in open_plans:
                planned_at, plan = open_plans.pop(event.actor)
                yield Unresearched(spoke.get(event.actor, at), planned_at, plan)
        elif isinstance(event, (ToolCall, Handoff)):
            used.setdefault(event.actor, set()).add(event.tool if isinstance(event, ToolCall) else event.to)
            _ = open_plans.pop(event.actor, None)
    last = _last_word(trace)
    if last is not None and trace.events[last].actor in open_plans:
        planned_at, plan = open_plans[trace.events[last].actor]
        if last > planned_at:
            yield Unresearched(last, planned_at, plan)


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


Ground = Literal["work", "memory"]
"""`work`: it says that it had looked; `memory`: it says how it comes to know, and not from looking."""

_WORK = re.compile(
    r"\b(?:based on|from|through|via|after|following|per|using|thanks to|by|upon|on)\b[^.;\n]{0,40}?"
    r"\b(?:investigati(?:on|ng)|verif(?:ication|ying)|retriev(?:al|ing)|quer(?:y|ies|ying)|search(?:es|ing)?"
    r"|cross-?(?:checks?|references?|referencing|checking)|confirmation|inspecti(?:on|ng)|checking|consult(?:ation|ing)"
    r"|looking (?:up|into)|review(?:ing)?|examin(?:ation|ing))\b"
    r"|\b(?:i|we)(?:'ve| have)?(?: already| carefully| also| now| just)* (?:verified|confirmed|checked|searched"
    r"|looked (?:up|into)|consulted|retrieved|queried|examined|reviewed|cross-?(?:checked|referenced)|visited)\b"
    r"|\b(?:our|my|the) (?:[a-z]+ )?(?:investigation|research|search|findings|checks?|verification)"
    r" (?:showed?|shows|indicate[sd]?|reveal(?:s|ed)?|confirm(?:s|ed)?|concentrated|found|established)\b"
    r"|\b(?:provided|returned|reported|indicated|confirmed|given) by (?:our|the|my) [a-z]+_[a-z_]+"
    r"|\b(?:our|the) [a-z]+_[a-z_]+ (?:indicate[sd]?|found|(?:return|report|confirm|show)(?:s|ed))\b"
    r"|\bthe following results were obtained\b",
    re.IGNORECASE,
)
_MEMORY = re.compile(
    r"\b(?:i|we) (?:know|recall|remember|believe|assume)\b|\bfrom memory\b"
    r"|\bmy (?:knowledge|understanding|recollection)\b"
    r"|\b(?:general|common|prior|background|domain) knowledge\b|\bknowledge of\b"
    r"|\bwell[- ](?:known|established|documented|attested)\b|\b(?:is|are|been) (?:widely |generally |commonly )?known\b"
    r"|\bit is (?:said|believed)\b|\btypical(?:ly)?\b|\bplausible\b|\bthe literature\b|\bsourced from\b"
    r"|\bsimulat\w+|\bassum(?:e|es|ed|ing|ption)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:will|shall|let me|i'll|we'll|going to|need to|must|should|would|could|can(?:not|'t)?|unable|not|if|next"
    r"|to be|plan(?:ned)?)\b|n't\b",
    re.IGNORECASE,
)
_TOLD_OFF = re.compile(
    r"\b(?:cannot|can't|could not|couldn't|(?:unable|not able|no access|no way) to|sorry|unavailable|not available)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^\W*(?:thoughts?|reasoning|answer)\s*:\s*", re.IGNORECASE)
_FORMS: tuple[tuple[Ground, re.Pattern[str]], ...] = (("work", _WORK), ("memory", _MEMORY))


def grounds(text: str) -> tuple[Ground, str] | None:
    """What an answer rests on by its own words, and the sentence that says so; work before memory."""
    if _TOLD_OFF.search(text):
        return None  # an answer that owns up to what it lacks pretends nothing
    spoken = sentences(text.partition("```")[0])
    for ground, form in _FORMS:
        for sentence in spoken:
            said = form.search(sentence)
            if said is not None and not _NOT_YET.search(sentence[: said.start()]):
                return ground, " ".join(_HEADING.sub("", sentence).split())
    return None


def resting_on(trace: Trace, ground: Ground) -> Iterator[tuple[int, int, str]]:
    """Such answers that say they rest on one of the two: their places, those of the plans, and the sentences."""
    for at, planned_at, _ in unresearched(trace):
        event = trace.events[at]
        told = grounds(event.text) if isinstance(event, (Message, Thought)) else None
        if told is not None and told[0] == ground:
            yield at, planned_at, told[1]
