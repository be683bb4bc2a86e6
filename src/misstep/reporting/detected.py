"""Traces that were looked at, one at a time → what a page, a table and a SARIF file tell of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from misstep import taxonomy
from misstep.core.finding import SEVERITIES, FailureMode, Finding, Interval, Severity
from misstep.core.statistics import wilson
from misstep.core.trace import Trace
from misstep.diagnosis.culprit import Culprit
from misstep.reporting.cards import Card, anchors_of, card, earliest
from misstep.reporting.ingested import Losses

_EXAMPLES_A_MODE = 6
_EXAMPLES = 120


class ModeFound(Struct, frozen=True, kw_only=True):
    """One failure mode: in how many traces, and three places to look at."""

    mode: str
    severity: Severity
    traces: int
    findings: int
    share: Interval
    examples: tuple["Place", ...]


class Place(Struct, frozen=True):
    """Where a finding points, in the words of the file."""

    file: str
    trace: str
    source: str
    because: str


class Section(Struct, frozen=True, kw_only=True):
    """The conversations of one failure mode."""

    anchor: str
    mode: str
    known: FailureMode | None
    severity: str
    total: int
    cards: tuple[Card, ...]


class _Kept(Struct, frozen=True):
    file: Path
    trace: Trace
    findings: tuple[Finding, ...]
    culprit: Culprit | None


class Detected:
    """Counters, and a bounded number of conversations: a set of files may be as large as it likes."""

    def __init__(self, *, keep: bool = False) -> None:
        """`keep` conversations for a page."""
        self._keep = keep
        self.traces = 0
        self.events = 0
        self.showing = 0
        self.unread = 0
        self.files: Counter[str] = Counter()
        self.dialects: Counter[str] = Counter()
        self.losses = Losses()
        self._in_traces: Counter[str] = Counter()
        self._findings: Counter[str] = Counter()
        self._severity: dict[str, Severity] = {}
        self._places: defaultdict[str, list[Place]] = defaultdict(list)
        self._kept: defaultdict[str, list[_Kept]] = defaultdict(list)

    def add(self, file: Path, trace: Trace, findings: Sequence[Finding], culprit: Culprit | None = None) -> None:
        present = [finding for finding in findings if finding.present]
        self.traces += 1
        self.events += len(trace.events)
        self.showing += bool(present)
        self.files[str(file)] += 1
        self.dialects[trace.origin.dialect or "misstep"] += 1
        by_mode: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in present:
            by_mode[finding.mode].append(finding)
            graver = max(SEVERITIES.index(finding.severity), SEVERITIES.index(self._severity.get(finding.mode, "low")))
            self._severity[finding.mode] = SEVERITIES[graver]
        for mode, found in by_mode.items():
            self._in_traces[mode] += 1
            self._findings[mode] += len(found)
            if len(self._places[mode]) < 3:
                self._places[mode].append(_place(file, trace, earliest(found)))
            if self._keep and len(self._kept[mode]) < _EXAMPLES_A_MODE:
                self._kept[mode].append(_Kept(file, trace, tuple(present), culprit))

    def modes(self) -> tuple[ModeFound, ...]:
        """Worst first."""
        ranked = sorted(
            self._in_traces, key=lambda mode: (-SEVERITIES.index(self._severity[mode]), -self._in_traces[mode], mode)
        )
        return tuple(
            ModeFound(
                mode=mode,
                severity=self._severity[mode],
                traces=self._in_traces[mode],
                findings=self._findings[mode],
                share=wilson(self._in_traces[mode], self.traces),
                examples=tuple(self._places[mode]),
            )
            for mode in ranked
        )

    def sections(self) -> tuple[Section, ...]:
        found = self.modes()
        anchors = anchors_of(row.mode for row in found)
        each = max(1, min(_EXAMPLES_A_MODE, _EXAMPLES // max(1, len(found))))
        return tuple(
            Section(
                anchor=anchors[row.mode],
                mode=row.mode,
                known=taxonomy.modes().get(row.mode),
                severity=row.severity,
                total=row.traces,
                cards=tuple(_cards(row.mode, anchors[row.mode], self._kept[row.mode][:each])),
            )
            for row in found
        )

    def risks(self) -> tuple[tuple[str, str, Mapping[str, int]], ...]:
        """OWASP's ten, each with the modes that are the risk itself, by traces."""
        return tuple(
            (
                risk,
                title,
                {
                    mode: self._in_traces[mode]
                    for mode, known in taxonomy.modes().items()
                    if self._in_traces[mode] and any(m.id == risk and m.relation == "direct" for m in known.owasp)
                },
            )
            for risk, title in sorted(taxonomy.OWASP.items())
        )


def culprit_text(culprit: Culprit | None) -> str:
    """Who and where, how sure, and why."""
    if culprit is None:
        return ""
    others = ", ".join(f"#{each.at} {each.actor}" for each in culprit.others)
    told = f"#{culprit.at} {culprit.actor} (confidence {culprit.confidence:.0%}): {culprit.because}"
    return f"{told} Next candidates: {others}." if others else told


def _cards(mode: str, anchor: str, kept: Sequence[_Kept]) -> Iterable[Card]:
    for number, each in enumerate(kept, 1):
        mine = tuple(finding for finding in each.findings if finding.mode == mode)
        yield card(
            f"{anchor}-{number}",
            each.trace,
            mine,
            title=earliest(mine).because,
            where=f"{each.file.name}, {each.trace.id}" if each.trace.id not in each.file.name else each.file.name,
            others=tuple(dict.fromkeys(finding.mode for finding in each.findings if finding.mode != mode)),
            culprit=culprit_text(each.culprit),
        )


def _place(file: Path, trace: Trace, finding: Finding) -> Place:
    at = finding.events[0] if finding.events else None
    source = trace.events[at].source if at is not None else None
    told = "" if at is None else f"#{at}" if source is None or source == at else f"#{at} ({source})"
    return Place(str(file), trace.id, told, finding.because)
