"""What `detect --json` writes: a list with an entry for each trace, one after another, so that none is kept."""

from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.core.finding import Finding, Severity
from misstep.core.trace import Trace


class FoundThere(Struct, frozen=True, kw_only=True):
    """A finding, with its places in the words of the file that the trace came from too."""

    mode: str
    at: tuple[int, ...]
    sources: tuple[str | int | None, ...]
    actor: str | None
    confidence: float
    severity: Severity
    because: str
    asi: tuple[str, ...]
    claimed_by: str


class FoundIn(Struct, frozen=True, kw_only=True):
    """What was found in one trace."""

    trace: str
    file: str
    findings: tuple[FoundThere, ...]
    culprit: None = None
    """Not looked for yet."""


class FindingsFile:
    """Open for as long as a `with` lasts; does nothing where there is no path."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._separator = b"[\n"

    def __enter__(self) -> "FindingsFile":
        if self._path is not None:
            try:
                self._file = self._path.open("wb")
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror or error}.") from None
        return self

    def __exit__(self, *exception: object) -> None:
        if self._file is not None:
            self._file.write(b"[]\n" if self._separator == b"[\n" else b"\n]\n")
            self._file.close()

    def add(self, file: Path, trace: Trace, findings: tuple[Finding, ...]) -> None:
        if self._file is not None:
            entry = FoundIn(trace=trace.id, file=str(file), findings=tuple(_there(trace, each) for each in findings))
            self._file.write(self._separator + msgspec.json.encode(entry))
            self._separator = b",\n"


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
