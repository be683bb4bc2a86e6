"""missing-call: a call that the task needs was never made, and nothing more specific explains it."""

from collections.abc import Iterator

from misstep.core.event import Message
from misstep.core.finding import Finding
from misstep.core.objective import Objective
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.objectives.calls import match_calls


@detector("missing-call", version=1, needs="objective", residual=True)
def missing_call(trace: Trace, objective: Objective) -> Iterator[Finding]:
    """One finding for all needed calls that were not even tried; it points at the agent's last word."""
    if trace.end in ("agent-raised", "agent-hung", "agent-nonsense", "simulator") or not trace.events:
        return
    never = [each.expected.tool for each in match_calls(trace, objective.calls).missing if each.nearest is None]
    if never:
        last = max(
            (at for at, event in enumerate(trace.events) if isinstance(event, Message) and event.role == "agent"),
            default=len(trace.events) - 1,
        )
        names = list(dict.fromkeys(never))
        more = f" (nor were {len(names) - 1} more)" if len(names) > 1 else ""
        yield Finding(
            mode="missing-call",
            events=(last,),
            because=f"The task needs {names[0]}{more}, and the agent never called it.",
            confidence=0.9,
        )
