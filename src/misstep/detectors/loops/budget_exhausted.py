"""Trace → conversations that ended because turns, calls, seconds or steps had run out."""

import re
from collections.abc import Iterator

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.outcomes import told

_NAMED = {"turns": "turns", "calls": "calls", "seconds": "time"}
_LAST = 4
"""So many events at the end are read for what a framework says when it stops an agent."""
_LONGEST = 400
_UNITS = r"(?:steps?|iterations?|turns?|rounds?|(?:tool |function )?calls?|retries|time|tokens?|budget|recursions?)"
_RAN_OUT = re.compile(
    rf"\b(?:reached|exceeded|hit|exhausted|over)\b.{{0,25}}\b(?:max(?:imum)?|limit)\b.{{0,25}}\b{_UNITS}\b"
    rf"|\bmax(?:imum)?[\s_-](?:(?:number|amount) of |allowed )?{_UNITS}\b.{{0,25}}"
    r"\b(?:reached|exceeded|hit|exhausted)\b"
    rf"|\b{_UNITS}[\s_-](?:limit|budget)\b.{{0,25}}\b(?:reached|exceeded|hit|exhausted|spent|used up)\b"
    rf"|\b(?:ran|run) out of {_UNITS}\b"
    r"|\bstopped due to (?:iteration|time|step|recursion)s?(?: limit)?(?: or (?:iteration|time|step)s? limit)?\b",
    re.IGNORECASE,
)


@detector("budget-exhausted", version=1)
def budget_exhausted(trace: Trace) -> Iterator[Finding]:
    """Points at the agent's last step."""
    spent = _NAMED.get(trace.end)
    said = None if spent or trace.end != "unknown" else _announced(trace)
    if spent is None and said is None:
        return
    last = _last_step(trace)
    if last is None:
        return
    because = f"The {spent} ran out before" if spent else "It was stopped at its limit before"
    yield Finding(
        mode="budget-exhausted",
        events=(last,) if said in (None, last) else (last, said),
        because=f"{because} the agent had come to an end, after {len(trace.exchanges)} calls.",
        confidence=1.0 if spent else 0.8,
    )


def _announced(trace: Trace) -> int | None:
    """Where a foreign trace says that its budget is spent."""
    for at in range(len(trace.events) - 1, max(-1, len(trace.events) - 1 - _LAST), -1):
        event = trace.events[at]
        if isinstance(event, ToolResult):
            text = told(event, _LONGEST) if event.is_error else ""
        else:
            text = event.text if isinstance(event, (Message, Thought)) and event.actor != "user" else ""
        if len(text) <= _LONGEST and _RAN_OUT.search(text):
            return at
    return None


def _last_step(trace: Trace) -> int | None:
    for at in range(len(trace.events) - 1, -1, -1):
        event = trace.events[at]
        if event.actor == "user":
            continue
        if isinstance(event, (ToolCall, Thought, Handoff)) or (isinstance(event, Message) and event.role == "agent"):
            return at
    return None
