"""A trace with its findings → the card that a page shows it as."""

import re
from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from misstep.core.finding import Finding, Verdict
from misstep.core.trace import Trace
from misstep.reporting.conversation import Clipped, RecordChange, Row, clipped, conversation, record_changes

_MANY_CHANGES = 12


class Ran(Struct, frozen=True, kw_only=True):
    """What is known of a trace that comes from a run of our own."""

    task: str
    wanted: str
    verdict: Verdict
    command: str
    dispute: str = ""
    """The command that sets the verdict aside; empty where there is nothing to dispute."""
    strained: bool = False

    @property
    def reasons(self) -> tuple[Clipped, ...]:
        return _listed(self.verdict.reasons)

    @property
    def notes(self) -> tuple[Clipped, ...]:
        return _listed(self.verdict.notes)


class Card(Struct, frozen=True, kw_only=True):
    """One conversation as a page shows it."""

    anchor: str
    title: str
    where: str
    findings: tuple[Finding, ...]
    others: tuple[str, ...]
    """The modes of what else was found in it."""
    rows: tuple[Row, ...]
    changes: tuple[RecordChange, ...]
    more_changes: int
    has_state: bool
    end: str
    error: str
    run: Ran | None
    culprit: str
    """Where it began, in words; empty where nobody was asked."""


def card(
    anchor: str,
    trace: Trace,
    findings: tuple[Finding, ...],
    *,
    title: str,
    where: str,
    others: tuple[str, ...] = (),
    run: Ran | None = None,
    culprit: str = "",
) -> Card:
    changes = trace.changes or ()
    return Card(
        anchor=anchor,
        title=title,
        where=where,
        findings=findings,
        others=others,
        rows=conversation(trace, findings),
        changes=record_changes(changes, most=_MANY_CHANGES),
        more_changes=max(0, len(changes) - _MANY_CHANGES),
        has_state=trace.changes is not None,
        end=trace.end,
        error=(trace.error or "")[:600],
        run=run,
        culprit=culprit,
    )


def _listed(sentences: Iterable[str]) -> tuple[Clipped, ...]:
    return tuple(clipped(sentence, 300, 1200) for sentence in islice(sentences, 8))


def earliest(findings: Iterable[Finding]) -> Finding:
    """The one that points furthest back."""
    return min(findings, key=lambda finding: finding.events[:1] or (1 << 30,))


def anchors_of(modes: Iterable[str]) -> dict[str, str]:
    """A name for each mode's section that is safe in an address, and its own."""
    return {mode: f"{_slug(mode)}-{place}" for place, mode in enumerate(modes, 1)}


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:60].strip("-") or "mode"
