"""Trace → findings: each detector looks for one failure mode, and sees the conversation only."""

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct, structs

from misstep import taxonomy
from misstep.core.finding import Finding
from misstep.core.objective import Objective
from misstep.core.roles import Detector, ObjectiveReader, TraceReader
from misstep.core.trace import Trace
from misstep.detectors.acted_without_asking import acted_without_asking
from misstep.detectors.destructive_action import destructive_action
from misstep.detectors.dropped_constraint import dropped_constraint
from misstep.detectors.duplicate_effect import duplicate_effect
from misstep.detectors.fabricated_argument import fabricated_argument
from misstep.detectors.false_success import false_success
from misstep.detectors.goal_hijack import goal_hijack
from misstep.detectors.ignored_tool_error import ignored_tool_error
from misstep.detectors.missing_call import missing_call
from misstep.detectors.repeated_call import repeated_call
from misstep.detectors.wrong_argument import wrong_argument
from misstep.detectors.wrong_tool import wrong_tool

# In the order in which they run: those that read the trace alone first, those that need an objective last.
_BUILT_IN: tuple[Detector, ...] = (
    repeated_call,
    ignored_tool_error,
    fabricated_argument,
    false_success,
    acted_without_asking,
    destructive_action,
    duplicate_effect,
    goal_hijack,
    dropped_constraint,
    wrong_argument,
    wrong_tool,
    missing_call,
)


class DetectorError(Struct, frozen=True):
    """A detector that raised, or claimed what no trace can show: our error, never the agent's failure."""

    mode: str
    version: int
    trace: str
    error: str


def detectors() -> tuple[Detector, ...]:
    """The built-in ones, in the order in which they run."""
    return _BUILT_IN


def detect(
    trace: Trace, objective: Objective | None = None, *, detectors: Iterable[Detector] | None = None
) -> tuple[Finding, ...]:
    """What the detectors find, by place in the trace. Those that need an objective are silent without one."""
    return detect_with_errors(trace, objective, detectors=detectors)[0]


def detect_with_errors(
    trace: Trace, objective: Objective | None = None, *, detectors: Iterable[Detector] | None = None
) -> tuple[tuple[Finding, ...], tuple[DetectorError, ...]]:
    """The findings, and what went wrong in finding them."""
    blind = trace.blinded()
    found: list[Finding] = []
    errors: list[DetectorError] = []
    chosen = _BUILT_IN if detectors is None else tuple(detectors)
    for residual in (False, True):
        if residual and found:
            break
        for each in chosen:
            if each.residual != residual or not _is_given(each, blind, objective):
                continue
            try:
                found.extend(_stamped(each, _claims(each, blind, objective), trace))
            except Exception as error:  # noqa: BLE001 - a detector may be anybody's code
                errors.append(DetectorError(each.mode, each.version, trace.id, f"{type(error).__name__}: {error}"))
    found.sort(key=lambda finding: (finding.events[:1], finding.mode, finding.events))
    return tuple(found), tuple(errors)


def _is_given(detector: Detector, trace: Trace, objective: Objective | None) -> bool:
    """Who sees only calls, as a gateway does, cannot say what the user had asked for."""
    if detector.needs == "conversation":
        return any(message.role == "user" for _, message in trace.messages)
    return detector.needs == "trace" or objective is not None


def _claims(detector: Detector, blind: Trace, objective: Objective | None) -> tuple[Finding, ...]:
    if detector.needs == "objective" and objective is not None:
        return tuple(cast(ObjectiveReader, detector.find)(blind, objective))
    return tuple(cast(TraceReader, detector.find)(blind))


def _stamped(detector: Detector, claims: Iterable[Finding], trace: Trace) -> Iterator[Finding]:
    known = taxonomy.modes().get(detector.mode)
    measured = taxonomy.held_out().get(detector.mode)
    for claim in claims:
        if claim.mode != detector.mode:
            raise ValueError(f"a detector of {detector.mode!r} claimed {claim.mode!r}; it may only claim its own mode")
        if any(not 0 <= at < len(trace.events) for at in claim.events):
            raise ValueError(f"events {claim.events} are not all among the {len(trace.events)} events of the trace")
        yield structs.replace(
            claim,
            trace=trace.id,
            severity=known.severity if known else claim.severity,
            asi=tuple(each.id for each in known.owasp if each.relation == "direct") if known else claim.asi,
            # No surer than its detector has shown itself to be on conversations that nobody had tuned it on.
            confidence=min(claim.confidence, measured.trust) if measured else claim.confidence,
            claimed_by=f"detector:{detector.mode}",
            version=detector.version,
            taxonomy=taxonomy.VERSION,
        )
