"""A trace, what was found in it and other trials of its task → how likely the session failed, with no answer key.

Nothing here is fitted. Each piece of evidence has a round weight: what a session changed can be wrong, in each value
that it set; a long session had more chances to go wrong; one that passed the work on has done little harm; and where
several trials of one task did different things, at most one of those things was right.
"""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from misstep.core.event import Handoff, Message
from misstep.core.finding import Finding, Severity
from misstep.core.gist import Gist
from misstep.core.trace import Trace
from misstep.detectors.evidence.doing import deeds, did_something, hands_over, values_set
from misstep.detectors.gists import gist_of

_USUAL = 30
"""Events of a session of middling length."""

_HARM: Mapping[Severity, float] = {"critical": 1.0, "high": 1.0, "medium": 0.8, "low": 0.5}


class Clues(Struct, frozen=True):
    """What speaks for a failure, each as a plain number."""

    values_set: int
    """By calls that did something."""
    events: int
    errors: int
    """Calls that failed."""
    passed_on: bool
    found: float
    """The confidence of the surest finding of each mode, added up."""
    dissent: float | None
    """The share of other trials that did something else; None where there are none."""


def suspicion(trace: Trace, findings: Sequence[Finding], *, trials: Sequence[Gist] = ()) -> float:
    """From 0 to 1: how likely the session failed. Good for ranking sessions; no verdict on one."""
    # However short and quiet a session was: as sure as a grave failure was seen, it failed; a mild one may do no harm.
    seen = (each.confidence * _HARM[each.severity] for each in findings if each.present)
    return max(weighed(clues(trace, findings, trials=trials)), *seen, 0.0)


def clues(trace: Trace, findings: Sequence[Finding], *, trials: Sequence[Gist] = ()) -> Clues:
    """The evidence behind the number."""
    gist = gist_of(trace)
    surest: dict[str, float] = {}
    for finding in findings:
        if finding.present:
            surest[finding.mode] = max(finding.confidence, surest.get(finding.mode, 0.0))
    mine = deeds(gist)
    others = [deeds(trial) for trial in trials]
    return Clues(
        values_set=sum(values_set(call) for call in gist.calls if did_something(call)),
        events=sum(1 for event in trace.events if not (isinstance(event, Message) and event.role == "system")),
        errors=sum(1 for call in gist.calls if not call.succeeded),
        passed_on=any(isinstance(event, Handoff) and event.to in ("human", "user") for event in trace.events)
        or any(call.succeeded and hands_over(call.tool) for call in gist.calls),
        found=sum(surest.values()),
        dissent=sum(1 for other in others if other != mine) / len(others) if others else None,
    )


def weighed(clues: Clues) -> float:
    """The clues as one number."""
    sum_of_all = (
        -1.5
        + 0.8 * math.log1p(clues.values_set)
        + 0.6 * math.log(max(clues.events, 1) / _USUAL)
        - 1.0 * clues.passed_on
        + 0.3 * math.log1p(clues.errors)
        + 0.5 * math.log1p(clues.found)
        + 3.0 * (0.0 if clues.dissent is None else clues.dissent - 0.5)
    )
    return 1 / (1 + math.exp(-sum_of_all))
