"""Findings → SARIF 2.1.0, which code hosts and editors show beside the code."""

from collections.abc import Iterable, Mapping

import msgspec

from misstep import taxonomy
from misstep.core.finding import FailureMode, Finding, Severity
from misstep.core.tool import JSON
from misstep.diagnosis.examining import Examined

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Mapping[Severity, str] = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}
_SCORES: Mapping[Severity, str] = {"critical": "9.5", "high": "8.0", "medium": "5.0", "low": "2.0"}
"""What code hosts sort by, on the scale of CVSS."""


class SarifLog:
    """Collects results; holds findings, never traces."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._results: list[JSON] = []
        self._modes: dict[str, Severity] = {}

    def add(self, examined: Examined) -> None:
        for finding in examined.findings:
            if finding.present:
                self._modes.setdefault(finding.mode, finding.severity)
                self._results.append(_result(examined, finding, rule=list(self._modes).index(finding.mode)))

    def encoded(self) -> bytes:
        driver = {
            "name": "Misstep",
            "version": self._version,
            "rules": [_rule(mode, severity) for mode, severity in self._modes.items()],
        }
        run = {"tool": {"driver": driver}, "results": self._results, "columnKind": "unicodeCodePoints"}
        log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        return msgspec.json.format(msgspec.json.encode(log), indent=2) + b"\n"


def _rule(mode: str, severity: Severity) -> JSON:
    known: FailureMode | None = taxonomy.modes().get(mode)
    return {
        "id": mode,
        "shortDescription": {"text": mode},
        "fullDescription": {"text": known.definition if known else mode},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {
            "tags": ["agent", *(each.id for each in known.owasp if each.relation == "direct")] if known else ["agent"],
            "security-severity": _SCORES[severity],
        },
    }


def _result(examined: Examined, finding: Finding, *, rule: int) -> JSON:
    trace = examined.trace
    return {
        "ruleId": finding.mode,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.because},
        "locations": [_location(examined, at) for at in finding.events[:1]] or [_location(examined, None)],
        "relatedLocations": [_location(examined, at) for at in finding.events[1:8]],
        "partialFingerprints": {"misstep/1": _fingerprint(trace.id, finding)},
        "properties": {
            "confidence": finding.confidence,
            "severity": finding.severity,
            "claimedBy": finding.claimed_by,
            "taxonomy": finding.taxonomy,
        },
    }


def _location(examined: Examined, at: int | None) -> JSON:
    event = examined.trace.events[at] if at is not None else None
    name = examined.trace.id if at is None else f"{examined.trace.id}#{at}"
    logical = {"fullyQualifiedName": name, "kind": "event" if event else "trace"}
    if event is not None:
        logical["name"] = f"{event.actor} at {event.source if event.source is not None else at}"
    uri = examined.file.as_posix()
    return {
        "physicalLocation": {"artifactLocation": {"uri": _escaped(uri)}},
        "logicalLocations": [logical],
    }


def _fingerprint(trace: str, finding: Finding) -> str:
    return ":".join((trace, finding.mode, *map(str, finding.events[:1])))


def _escaped(path: str) -> str:
    """As a URI: what has a meaning in one is written as its code."""
    plain: Iterable[str] = (
        chr(byte) if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "/-._~") else f"%{byte:02X}"
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return "".join(plain)
