"""A file of traces, foreign or our own → each trace with what was found in it and where that began."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from misstep.core.finding import Finding
from misstep.core.gist import Gist
from misstep.core.objective import Objective
from misstep.core.roles import Detector
from misstep.core.trace import Trace
from misstep.detectors import DetectorError, detect_with_errors
from misstep.detectors.gists import gist_of
from misstep.detectors.suspicion import suspicion
from misstep.diagnosis.culprit import Culprit, culprit
from misstep.ingestion.ingesting import Ingestion, ingest
from misstep.ingestion.nouns import BadRecord

_SESSIONS = 400
"""So many of the latest sessions of one agent are remembered, to see whether it gets worse."""


class Fitted(Protocol):
    """What was fitted to somebody's labels: it knows what the built-in detectors say, and takes their place."""

    @property
    def modes(self) -> Collection[str]: ...

    def findings(self, trace: Trace, rules: Sequence[Finding] | None = None) -> Iterable[Finding]:
        """`rules` are what the built-in detectors found."""
        ...


class Examined(Struct, frozen=True, kw_only=True):
    """One trace, looked at."""

    file: Path
    trace: Trace
    findings: tuple[Finding, ...]
    errors: tuple[DetectorError, ...]
    suspicion: float
    """How likely the session failed, from 0 to 1."""
    culprit: Culprit | None


class Means(Struct, frozen=True, kw_only=True):
    """What traces are looked at with."""

    detectors: tuple[Detector, ...] | None = None
    """None: the built-in ones."""
    fitted: tuple[Fitted, ...] = ()
    objectives: Mapping[str, Objective] = {}
    """By scenario or task: what success was."""


class Examination:
    """Iterate it once; afterwards `ingestion` says what was lost in reading."""

    def __init__(self, file: Path, means: Means, *, dialect: str | None = None) -> None:
        self._file = file
        self._means = means
        self.ingestion: Ingestion = ingest(file, dialect=dialect)
        self._dialect = dialect
        self._trials: Mapping[str, Sequence[Gist]] | None = None
        self._sessions: defaultdict[str, deque[Gist]] = defaultdict(lambda: deque(maxlen=_SESSIONS))

    def __iter__(self) -> Iterator[Examined | BadRecord]:
        for each in self.ingestion:
            yield self._examined(each) if isinstance(each, Trace) else each

    def _examined(self, trace: Trace) -> Examined:
        task = trace.origin.scenario
        if self._trials is None:
            self._trials = _trials(self._file, self._dialect) if task is not None else {}
        trials = tuple(gist for gist in self._trials.get(task or "", ()) if gist.trace != trace.id)
        sessions = () if task else tuple(self._sessions[_agent(trace)])
        findings, errors = detect_with_errors(
            trace,
            self._means.objectives.get(task or ""),
            trials=trials,
            sessions=sessions,
            detectors=self._means.detectors,
        )
        for fitted in self._means.fitted:
            findings = _replaced(findings, fitted, trace)
        if task is None:
            self._sessions[_agent(trace)].append(gist_of(trace, findings))
        return Examined(
            file=self._file,
            trace=trace,
            findings=findings,
            errors=errors,
            suspicion=suspicion(trace, findings, trials=trials),
            culprit=culprit(trace, findings),
        )


def _agent(trace: Trace) -> str:
    return trace.origin.service or trace.origin.agent or ""


def _trials(file: Path, dialect: str | None) -> Mapping[str, Sequence[Gist]]:
    """The gist of each trial, by task; asked for only where the first trace is of a task.

    A second reading of the file: nobody can keep all its traces.
    """
    gists: defaultdict[str, list[Gist]] = defaultdict(list)
    for each in ingest(file, dialect=dialect):
        if isinstance(each, Trace):
            if each.origin.scenario is None:
                break
            gists[each.origin.scenario].append(gist_of(each))
    return {task: trials for task, trials in gists.items() if len(trials) > 1}


def _replaced(findings: Sequence[Finding], fitted: Fitted, trace: Trace) -> tuple[Finding, ...]:
    """What was fitted has the last word on its modes."""
    kept = [finding for finding in findings if finding.mode not in fitted.modes]
    every = (*kept, *fitted.findings(trace, findings))
    return tuple(sorted(every, key=lambda finding: (finding.events[:1], finding.mode, finding.events)))
