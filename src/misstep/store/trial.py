"""A Trial as it is kept: what happened, what was found in it and what follows; and the lines that hold one on disk."""

from typing import Literal

import msgspec
from msgspec import Raw, Struct

from misstep.core.errors import FormatError
from misstep.core.finding import Finding, Verdict
from misstep.core.scenario import Scenario
from misstep.core.trace import Trace


class Trial(Struct, frozen=True, kw_only=True):
    """One run of a scenario, finished and judged."""

    scenario: Scenario
    trial: int
    """Which one of the scenario's trials, from 1."""
    seed: int
    """The run's seed."""
    trace: Trace
    findings: tuple[Finding, ...] = ()
    verdict: Verdict
    errors: tuple[str, ...] = ()
    """What went wrong in our own code without deciding the trial, as a detector that raised."""
    strained: bool = False
    """The user had to say the same wish twice running: a mark, not a verdict."""
    stood_in: tuple[str, ...] = ()
    """For each turn that the plain person took in place of the model that plays the user, why."""


class VerdictLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of `verdicts.jsonl`: it stands at the same place as its trace in `traces.jsonl`."""

    trace: str
    scenario: str
    trial: int
    seed: int
    verdict: Verdict
    findings: int = 0
    """How many of the next lines of `findings.jsonl` belong to this trial."""
    errors: tuple[str, ...] = ()
    strained: bool = False
    stood_in: tuple[str, ...] = ()


class Entry(Struct, frozen=True):
    """A trial in bytes: a line of a journal, and what the finished files are cut from."""

    verdict: Raw
    trace: Raw
    findings: tuple[Raw, ...] = ()


class _Place(Struct, frozen=True):
    scenario: str
    trial: int


class _Placed(Struct, frozen=True):
    verdict: _Place
    trace: Raw
    findings: tuple[Raw, ...] = ()


_UNREADABLE = (msgspec.DecodeError, ValueError, RecursionError)

_encoder = msgspec.json.Encoder(order="deterministic")
_entries = msgspec.json.Decoder(Entry)
_places = msgspec.json.Decoder(_Placed)
_verdicts = msgspec.json.Decoder(VerdictLine)
_findings = msgspec.json.Decoder(Finding)
_traces = msgspec.json.Decoder(Trace)


def encode_trial(trial: Trial) -> bytes:
    """A trial as one line, with its line end."""
    verdict = VerdictLine(
        trace=trial.trace.id,
        scenario=trial.scenario.name,
        trial=trial.trial,
        seed=trial.seed,
        verdict=trial.verdict,
        findings=len(trial.findings),
        errors=trial.errors,
        strained=trial.strained,
        stood_in=trial.stood_in,
    )
    try:
        line = _encoder.encode({"verdict": verdict, "trace": trial.trace, "findings": trial.findings})
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise FormatError(f"The trial {trial.trace.id} cannot be written as JSON: {error}.") from None
    return line + b"\n"


class DamagedError(FormatError):
    """A part of a trial that cannot be read."""

    def __init__(self, part: Literal["verdict", "trace", "finding"], because: object) -> None:
        super().__init__(f"the {part} cannot be read: {because}")
        self.part: Literal["verdict", "trace", "finding"] = part


def decode_entry(line: bytes) -> Entry:
    try:
        return _entries.decode(line)
    except _UNREADABLE as error:
        raise DamagedError("verdict", error) from None


def decode_trial(entry: Entry, scenario: Scenario) -> Trial:
    """DamagedError says which part of it is none."""
    line, trace, findings = demand_trial(entry)
    return Trial(
        scenario=scenario,
        trial=line.trial,
        seed=line.seed,
        trace=trace,
        findings=findings,
        verdict=line.verdict,
        errors=line.errors,
        strained=line.strained,
        stood_in=line.stood_in,
    )


def demand_trial(entry: Entry) -> tuple[VerdictLine, Trace, tuple[Finding, ...]]:
    """The parts of a trial, which must be of one and the same."""
    line = decode_verdict(entry.verdict)
    try:
        trace = _traces.decode(entry.trace)
    except _UNREADABLE as error:
        raise DamagedError("trace", error) from None
    if trace.id != line.trace:
        raise DamagedError("trace", f"it is of {trace.id!r}, and the verdict of {line.trace!r}")
    try:
        findings = tuple(_findings.decode(each) for each in entry.findings)
    except _UNREADABLE as error:
        raise DamagedError("finding", error) from None
    for finding in findings:
        if finding.trace not in ("", trace.id) or not all(0 <= at < len(trace.events) for at in finding.events):
            raise DamagedError("finding", f"it is of {finding.trace!r}, or of events that {trace.id!r} does not have")
    if len(findings) != line.findings:
        raise DamagedError("finding", f"there are {len(findings)}, and the verdict rests on {line.findings}")
    return line, trace, findings


def decode_verdict(line: bytes | Raw) -> VerdictLine:
    try:
        return _verdicts.decode(line)
    except _UNREADABLE as error:
        raise DamagedError("verdict", error) from None


def place_of(line: bytes) -> tuple[str, int] | None:
    """Which trial a line of a journal holds; None where it is torn."""
    try:
        place = _places.decode(line).verdict
    except _UNREADABLE:
        return None
    return place.scenario, place.trial
