"""A trace → where each value of each call came from, and which later calls rest on what one call gave."""

from collections.abc import Mapping, Sequence

from misstep.core.event import Handoff, Message
from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace
from misstep.provenance import ArgumentSource, sources
from misstep.provenance.reading import canonical, leaves, tokens


@once_per_trace
def argument_sources(trace: Trace) -> Mapping[int, tuple[ArgumentSource, ...]]:
    """The provenance of all arguments, read once however many ask."""
    return sources(trace)


@once_per_trace
def resting_on(trace: Trace) -> Mapping[int, Sequence[int]]:
    """The place of a result → the places of the calls that pass on a value which it was the first to give."""
    found: dict[int, list[int]] = {}
    for at, given in argument_sources(trace).items():
        for event in {each.event for each in given if each.event is not None and each.origin in ("tool", "derived")}:
            found.setdefault(event, []).append(at)
    return found


@once_per_trace
def saying_calls(trace: Trace) -> frozenset[int]:
    """The places of calls that do nothing but say something: what they are given is what the agent says next."""
    found: set[int] = set()
    for exchange in trace.exchanges:
        said = {str(value).strip() for _, value in leaves(exchange.call.arguments)}
        after = exchange.at if exchange.result_at is None else exchange.result_at
        answer = exchange.result.content if exchange.result is not None else None
        if isinstance(answer, (str, int, float)) and str(answer).strip() in said:
            found.add(exchange.at)
        for event in trace.events[after + 1 : after + 1 + _NEXT]:
            if isinstance(event, Message) and event.role == "agent":
                if event.text.strip() in said:
                    found.add(exchange.at)
                break
    return frozenset(found)


_NEXT = 3


@once_per_trace
def told_by_agents(trace: Trace) -> Mapping[str, int]:
    """Each token of what agents said or passed on, with the place where first."""
    found: dict[str, int] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, Handoff) or (isinstance(event, Message) and event.role == "agent"):
            for token in tokens(event.text):
                found.setdefault(canonical(token), at)
    return found
