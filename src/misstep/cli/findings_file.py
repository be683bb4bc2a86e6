"""What `detect --json` writes: a list with an entry for each trace, one after another, so that none is kept."""

from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.core.finding import Finding, Severity
from misstep.core.trace import Trace
from misstep.store.journal import StorageError


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
    """Open for as long as a `with` lasts; does nothing where there is no path.

    It is written beside its place, and put there when it is whole: what broke on the way leaves the older one alone.
    """

    def __init__(self, path: Path | None) -> None:
        # A device or a pipe is no file that could be replaced, not even where /dev/stdout leads to one.
        through = path is None or path.is_relative_to("/dev") or (path.exists() and not path.is_file())
        # Through links, so that a link stays one.
        self._path = path if path is None or through else path.resolve()
        self._beside = self._path if self._path is None or through else self._path.with_name(f"{self._path.name}.new")
        self._file: BinaryIO | None = None
        self._separator = b"[\n"

    def __enter__(self) -> "FindingsFile":
        if self._beside is not None:
            try:
                self._file = self._beside.open("wb")
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror or error}.") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self._file is None or self._path is None or self._beside is None:
            return
        try:
            if kind is None:
                self._write(b"[]\n" if self._separator == b"[\n" else b"\n]\n")
            self._file.close()
            if kind is None and self._beside != self._path:
                self._beside.replace(self._path)
        except OSError as error:
            raise self._unwritten(error) from None
        finally:
            with suppress(OSError):
                self._file.close()
            if self._beside != self._path:
                self._beside.unlink(missing_ok=True)

    def add(self, file: Path, trace: Trace, findings: tuple[Finding, ...]) -> None:
        if self._file is not None:
            entry = FoundIn(trace=trace.id, file=str(file), findings=tuple(_there(trace, each) for each in findings))
            self._write(self._separator + msgspec.json.encode(entry))
            self._separator = b",\n"

    def _write(self, data: bytes) -> None:
        if self._file is not None:
            try:
                self._file.write(data)
            except OSError as error:
                raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> StorageError:
        return StorageError(
            f"{self._path} cannot be written: {error.strerror or error}. Make room, or write elsewhere."
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
