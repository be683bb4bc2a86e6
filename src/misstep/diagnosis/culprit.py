"""A failed trace that cannot be run again → the turn that most likely made it fail, and the next two."""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import joined
from misstep.diagnosis.evidence import WEIGHTS, Accused, evidence

_REASONS = 3
_CAUTION = 1.5
"""What scores are divided by before they become confidences: with it these were, on average over 52 labelled
conversations, the share of those in which the turn was the right one."""


class Suspect(Struct, frozen=True):
    """A turn that may have made a conversation fail."""

    at: int
    """Its place in the trace."""
    actor: str
    confidence: float
    because: str


class Culprit(Struct, frozen=True):
    """The turn that most likely made a conversation fail, and those that come next."""

    at: int
    actor: str
    confidence: float
    because: str
    others: tuple[Suspect, ...] = ()


def culprit(trace: Trace, findings: Sequence[Finding] = ()) -> Culprit | None:
    """Where it most likely went wrong; None where nothing says that it did, or no agent took a turn.

    Of a trace of unknown outcome only turns in which something was found can be guilty, no more surely than it failed.
    """
    if trace.origin.failed is not True and not any(finding.present for finding in findings):
        return None
    accused, sure = evidence(trace, findings), 1.0
    if trace.origin.failed is not True:
        accused = tuple(each for each in accused if any(mark.kind == "finding" for mark in each.evidence))
        sure = max(finding.confidence for finding in findings if finding.present)
    ranked = [structs.replace(each, confidence=sure * each.confidence) for each in suspects(accused)[:3]]
    if not ranked:
        return None
    first, *others = ranked
    return Culprit(first.at, first.actor, first.confidence, first.because, tuple(others))


def suspects(accused: Sequence[Accused], weights: Mapping[str, float] = WEIGHTS) -> tuple[Suspect, ...]:
    """All turns, the likeliest first; of equal ones the earlier. Their confidences add up to 1."""
    if not accused:
        return ()
    scores = [score(each, weights) for each in accused]
    most = max(scores)
    shares = [math.exp((each - most) / _CAUTION) for each in scores]
    total = sum(shares)
    ranked = sorted(range(len(accused)), key=lambda at: (-scores[at], at))
    return tuple(
        Suspect(accused[at].turn.at, accused[at].turn.actor, shares[at] / total, _because(accused[at], weights))
        for at in ranked
    )


def score(accused: Accused, weights: Mapping[str, float] = WEIGHTS) -> float:
    """What all evidence against a turn comes to."""
    return sum(weights.get(each.kind, 0.0) * each.amount for each in accused.evidence)


def _because(accused: Accused, weights: Mapping[str, float]) -> str:
    """The weightiest reasons in a sentence."""
    told = sorted(
        (each for each in accused.evidence if each.because), key=lambda each: -weights.get(each.kind, 0.0) * each.amount
    )
    if any(each.kind == "first-act" for each in told):
        told = [each for each in told if each.kind != "act"]
    if not told:
        return "Nothing speaks against it but that it comes early."
    text = joined([each.because for each in told[:_REASONS]])
    return f"{text[0].upper()}{text[1:]}."
