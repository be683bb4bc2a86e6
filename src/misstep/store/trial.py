"""A Trial as it is kept: what happened, what was found in it and what follows; and the lines that hold one on disk."""

import msgspec
from msgspec import Raw, Struct

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
    )
    line = _encoder.encode({"verdict": verdict, "trace": trial.trace, "findings": trial.findings})
    return line + b"\n"


def decode_entry(line: bytes) -> Entry:
    return _entries.decode(line)


def decode_trial(entry: Entry, scenario: Scenario) -> Trial:
    line = decode_verdict(entry.verdict)
    return Trial(
        scenario=scenario,
        trial=line.trial,
        seed=line.seed,
        trace=_traces.decode(entry.trace),
        findings=tuple(_findings.decode(each) for each in entry.findings),
        verdict=line.verdict,
        errors=line.errors,
    )


def decode_verdict(line: bytes | Raw) -> VerdictLine:
    return _verdicts.decode(line)


def place_of(line: bytes) -> tuple[str, int] | None:
    """Which trial a line of a journal holds; None where it is torn."""
    try:
        place = _places.decode(line).verdict
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return place.scenario, place.trial
