"""A trace and a place in it → the step that a person would name: a tool, or the reply."""

from collections.abc import Iterable

from misstep.core.event import Blocked, Handoff, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Trace

START = "start"
REPLY = "reply"
NOWHERE = "no step"
"""A trial that failed where no finding points at an event."""


def step_at(trace: Trace, at: int) -> str:
    """The tool that was called or answered there; `reply` for everything that was said."""
    event = trace.events[at] if 0 <= at < len(trace.events) else None
    if isinstance(event, ToolCall | Blocked):
        return event.tool
    if isinstance(event, ToolResult):
        answered = (exchange.call.tool for exchange in trace.exchanges if exchange.result_at == at)
        return next(answered, event.actor)
    if isinstance(event, Handoff):
        return f"handoff to {event.to}"
    return NOWHERE if event is None else REPLY


def guilty(finding: Finding) -> int | None:
    """The event that a finding blames: its cause once attributed, its first event before that."""
    return finding.cause if finding.cause is not None else next(iter(finding.events), None)


def transition(trace: Trace, findings: Iterable[Finding]) -> tuple[str, str]:
    """The last good step before the first guilty event, and the step there."""
    places = [at for at in map(guilty, findings) if at is not None]
    first = min(places, default=None)
    until = _began(trace, first) if first is not None else len(trace.events)
    good = START
    for exchange in trace.exchanges:
        if exchange.succeeded and exchange.result_at is not None and exchange.result_at < until:
            good = exchange.call.tool
    return good, step_at(trace, first) if first is not None else NOWHERE


def _began(trace: Trace, at: int) -> int:
    """A guilty result belongs to its call: the step began there."""
    return next((exchange.at for exchange in trace.exchanges if exchange.result_at == at), at)
