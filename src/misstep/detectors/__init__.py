"""Trace → findings: each detector looks for one failure mode, and sees the conversation only."""

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from msgspec import Struct, structs

from misstep import taxonomy
from misstep.core.finding import Finding
from misstep.core.gist import Gist
from misstep.core.objective import Objective
from misstep.core.roles import Detector, ObjectiveReader, PeersReader, TraceReader
from misstep.core.trace import Trace
from misstep.detectors import (
    alignment,
    cascade,
    drift,
    form,
    hallucination,
    loops,
    security,
    several_agents,
    tool_failure,
    tool_misuse,
)
from misstep.detectors.precedence import without_consequences

_BUILT_IN: tuple[Detector, ...] = tuple(
    each
    for family in (
        loops,
        tool_misuse,
        hallucination,
        tool_failure,
        cascade,
        drift,
        form,
        alignment,
        several_agents,
        security,
    )
    for each in family.DETECTORS
)


class DetectorError(Struct, frozen=True):
    """A detector that raised, or claimed what no trace can show: our error, never the agent's failure."""

    mode: str
    version: int
    trace: str
    error: str


def detectors() -> tuple[Detector, ...]:
    """The built-in ones, family by family."""
    return _BUILT_IN


def detect(
    trace: Trace,
    objective: Objective | None = None,
    *,
    trials: Sequence[Gist] = (),
    sessions: Sequence[Gist] = (),
    detectors: Iterable[Detector] | None = None,
) -> tuple[Finding, ...]:
    """What the detectors find, by place in the trace. A detector is silent where it is not given what it needs."""
    return detect_with_errors(trace, objective, trials=trials, sessions=sessions, detectors=detectors)[0]


def detect_with_errors(
    trace: Trace,
    objective: Objective | None = None,
    *,
    trials: Sequence[Gist] = (),
    sessions: Sequence[Gist] = (),
    detectors: Iterable[Detector] | None = None,
) -> tuple[tuple[Finding, ...], tuple[DetectorError, ...]]:
    """The findings, and what went wrong in finding them."""
    given = _Given(trace.blinded(), objective, trials, sessions)
    found: list[Finding] = []
    errors: list[DetectorError] = []
    chosen = _BUILT_IN if detectors is None else tuple(detectors)
    for residual in (False, True):
        if residual and found:
            break
        for each in chosen:
            if each.residual != residual or not given.satisfies(each):
                continue
            try:
                found.extend(_stamped(each, given.to(each), trace))
            except Exception as error:  # noqa: BLE001 - a detector may be anybody's code
                errors.append(DetectorError(each.mode, each.version, trace.id, f"{type(error).__name__}: {error}"))
    found.sort(key=lambda finding: (finding.events[:1], finding.mode, finding.events))
    return tuple(without_consequences(given.trace, found)), tuple(errors)


class _Given(Struct, frozen=True):
    """What there is for detectors to read, each of which gets just what it needs."""

    trace: Trace
    objective: Objective | None
    trials: Sequence[Gist]
    sessions: Sequence[Gist]

    def satisfies(self, detector: Detector) -> bool:
        """Who sees only calls, as a gateway does, cannot say what the user had asked for."""
        match detector.needs:
            case "trace":
                return True
            case "schemas":
                return bool(self.trace.tools)
            case "conversation":
                return any(message.role == "user" for _, message in self.trace.messages)
            case "objective":
                return self.objective is not None
            case "trials":
                return bool(self.trials)
            case "sessions":
                return bool(self.sessions)

    def to(self, detector: Detector) -> tuple[Finding, ...]:
        if detector.needs == "objective" and self.objective is not None:
            return tuple(cast(ObjectiveReader, detector.find)(self.trace, self.objective))
        if detector.needs in ("trials", "sessions"):
            peers = self.trials if detector.needs == "trials" else self.sessions
            return tuple(cast(PeersReader, detector.find)(self.trace, peers))
        return tuple(cast(TraceReader, detector.find)(self.trace))


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
