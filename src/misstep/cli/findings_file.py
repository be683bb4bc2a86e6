"""What `detect --json` writes: a list with an entry for each trace, one after another, so that none is kept."""

import msgspec
from msgspec import Struct

from misstep.cli.whole_file import WholeFile
from misstep.core.finding import Finding, Severity
from misstep.core.trace import Trace
from misstep.diagnosis.culprit import Culprit, Suspect
from misstep.diagnosis.examining import Examined
from misstep.reporting.visible import visible

Source = str | int | None
"""A place in the words of the file that the trace came from: a span id, a message index."""


class FoundThere(Struct, frozen=True, kw_only=True):
    """A finding, with its places in the words of the file too."""

    mode: str
    at: tuple[int, ...]
    sources: tuple[Source, ...]
    actor: str | None
    confidence: float
    severity: Severity
    because: str
    asi: tuple[str, ...]
    claimed_by: str


class SuspectThere(Struct, frozen=True, kw_only=True):
    """An event that may have been where it began."""

    at: int
    source: Source
    actor: str
    confidence: float
    because: str


class CulpritThere(SuspectThere, frozen=True, kw_only=True):
    """The likeliest one, and the next candidates."""

    others: tuple[SuspectThere, ...]


class FoundIn(Struct, frozen=True, kw_only=True):
    """What was found in one trace."""

    trace: str
    file: str
    findings: tuple[FoundThere, ...]
    culprit: CulpritThere | None
    suspicion: float


class FindingsList:
    """Writes the entries into a file as they come."""

    def __init__(self, file: WholeFile) -> None:
        self._file = file
        self._separator = b"[\n"

    def add(self, examined: Examined) -> None:
        if self._file.wanted:
            self._file.write(self._separator + msgspec.json.encode(_entry(examined)))
            self._separator = b",\n"

    def end(self) -> None:
        self._file.write(b"[]\n" if self._separator == b"[\n" else b"\n]\n")


def _entry(examined: Examined) -> FoundIn:
    trace = examined.trace
    return FoundIn(
        trace=trace.id,
        file=visible(str(examined.file)),
        findings=tuple(_there(trace, each) for each in examined.findings),
        culprit=_culprit(trace, examined.culprit) if examined.culprit else None,
        suspicion=round(examined.suspicion, 4),
    )


def _there(trace: Trace, finding: Finding) -> FoundThere:
    return FoundThere(
        mode=finding.mode,
        at=finding.events,
        sources=tuple(trace.events[at].source for at in finding.events),
        actor=trace.events[finding.events[0]].actor if finding.events else None,
        confidence=finding.confidence,
        severity=finding.severity,
        because=finding.because,
        asi=finding.asi,
        claimed_by=finding.claimed_by,
    )


def _culprit(trace: Trace, culprit: Culprit) -> CulpritThere:
    return CulpritThere(
        at=culprit.at,
        source=trace.events[culprit.at].source,
        actor=culprit.actor,
        confidence=culprit.confidence,
        because=culprit.because,
        others=tuple(_suspect(trace, each) for each in culprit.others),
    )


def _suspect(trace: Trace, suspect: Suspect) -> SuspectThere:
    return SuspectThere(
        at=suspect.at,
        source=trace.events[suspect.at].source,
        actor=suspect.actor,
        confidence=suspect.confidence,
        because=suspect.because,
    )
