"""Trace → tool errors after which the agent went on as if there had been none."""

from collections.abc import Iterator

from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.aftermath import aftermath, found_another_way, let_on, was_tried_again, went_on
from misstep.detectors.evidence.outcomes import effect_of, failed, told


@detector("ignored-tool-error", version=6)
def ignored_tool_error(trace: Trace) -> Iterator[Finding]:
    """Points at where the agent went on, then at the error. Where only calls are seen, what it said cannot be known."""
    if not any(message.role == "agent" for _, message in trace.messages):
        return
    for place, exchange in enumerate(trace.exchanges):
        result, result_at = exchange.result, exchange.result_at
        if result is None or result_at is None or not failed(result, effect_of(trace, exchange.call)):
            continue
        after = aftermath(trace, place)
        if was_tried_again(trace, exchange, after.later) or found_another_way(trace, exchange, after.later):
            continue
        if let_on(trace, exchange, after.spoken):
            continue
        on = went_on(trace, after.later, after.spoken)
        if on is not None:
            yield Finding(
                mode="ignored-tool-error",
                events=(on, result_at),
                because=f"{exchange.call.tool} answered with an error ({told(result, 100)}); the agent neither tried "
                "again nor told the user, and went on.",
            )
