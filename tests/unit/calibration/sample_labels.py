"""Two dozen made-up traces of one agent, with what a person would have labelled in them."""

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Trace


def labelled_traces(number: int = 24) -> tuple[list[Trace], list[Finding]]:
    """In every second trace a call fails and is passed over; in every third the agent answers without a look."""
    traces = [_trace(each) for each in range(number)]
    labels = [label for each in range(number) for label in _labels(each)]
    return traces, labels


def _trace(number: int) -> Trace:
    failed, guessed = number % 2 == 0, number % 3 == 0
    look = [
        ToolCall(actor="agent", call_id="c1", tool="look_up", arguments={"key": f"k{number}"}, source=1),
        ToolResult(
            actor="look_up", call_id="c1", content="no such record" if failed else "found", is_error=failed, source=2
        ),
    ]
    last = "I suppose that it is seven." if guessed else "The record says four."
    return Trace(
        id=f"t{number}",
        events=(
            Message(actor="user", role="user", text=f"What does record number {number} say?", source=0),
            *(() if guessed else look),
            Message(actor="agent", role="agent", text=last, source=3),
        ),
    )


def _labels(number: int) -> list[Finding]:
    trace = f"t{number}"
    if number % 3 == 0:
        return [Finding(mode="fabricated-result", events=(1,), because="Guessed.", trace=trace, claimed_by="Ada")]
    if number % 2 == 0:
        return [Finding(mode="ignored-tool-error", events=(3,), because="Passed over.", trace=trace, claimed_by="Ada")]
    return []
