"""Disputes, and what a run comes to with them → the words that the command line says."""

from collections.abc import Collection, Iterable

from misstep.reporting.figures import counted, percent
from misstep.reporting.summary import Summary
from misstep.reporting.visible import one_line
from misstep.store.disputes import Dispute


def disputes_text(disputes: Iterable[Dispute], lapsed: Collection[Dispute]) -> str:
    """Each in two lines: which verdict, by whom and when; and why."""
    lines = [
        f"{one_line(each.place, 200)}  {each.on}, {one_line(each.label.claimed_by, 80)}"
        f"{'  LAPSED: the scenario says something else by now' if each in lapsed else ''}\n"
        f"  {one_line(each.label.because, 400)}"
        for each in disputes
    ]
    return "\n".join(lines) or "Nothing is disputed."


def aside_text(summary: Summary) -> str:
    """How many verdicts of a run are set aside, and what the others come to."""
    said = f"{counted(summary.disputed, 'verdict')} of {counted(summary.trials, 'trial')} set aside."
    rest = f"Of the others, {percent(summary.success.rate)} succeeded." if summary.success.n else "No other is decided."
    return f"{said} {rest}" if summary.decided else f"{said} {UNDECIDED}"


UNDECIDED = "More than one verdict in twenty is set aside, so that this run decides nothing."
