"""A trace → where each value of each call came from, and which later calls rest on what one call gave."""

from collections.abc import Mapping, Sequence

from misstep.core.event import Handoff, Message
from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace
from misstep.provenance import ArgumentSource, sources
from misstep.provenance.reading import canonical, tokens


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
def told_by_agents(trace: Trace) -> Mapping[str, int]:
    """Each token of what agents said or passed on, with the place where first."""
    found: dict[str, int] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, Handoff) or (isinstance(event, Message) and event.role == "agent"):
            for token in tokens(event.text):
                found.setdefault(canonical(token), at)
    return found
