"""Trace → where each value of each call first appeared: said by the user, given by a tool, in the rules, or nowhere."""

from collections.abc import Mapping

from msgspec import Struct

from misstep.core.event import ToolCall
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.provenance.deciding import of_number, of_text, unknown_identifier
from misstep.provenance.known import Known
from misstep.provenance.reading import Origin, canonical, leaves
from misstep.provenance.schemas import in_schema


class ArgumentSource(Struct, frozen=True):
    """One value of a call's arguments, and where it came from."""

    path: str
    value: JSON
    origin: Origin
    event: int | None = None
    """Where it first appeared; none for what was never said in the conversation itself."""
    unknown: str = ""
    """The part that has no source, where there is one."""


def sources(trace: Trace) -> Mapping[int, tuple[ArgumentSource, ...]]:
    """For the place of each call, each value in its arguments with its source; one pass over the events."""
    found: dict[int, tuple[ArgumentSource, ...]] = {}
    trace = trace.as_heard()  # what the user looked up counts once the user has said it
    last = max((at for at, event in enumerate(trace.events) if isinstance(event, ToolCall)), default=-1)
    known = Known(trace.policy.text if trace.policy else "")
    for at in range(last + 1):
        event = trace.events[at]
        if not isinstance(event, ToolCall):
            known.see(at, event)
            continue
        tool = trace.tool_named.get(event.tool)
        found[at] = tuple(_source(known, tool, path, value) for path, value in leaves(event.arguments))
        # An error that repeats an invented value does not make it known.
        known.invented.update(canonical(each.unknown) for each in found[at] if each.unknown)
    return found


def _source(known: Known, tool: Tool | None, path: str, value: JSON) -> ArgumentSource:
    if value is None or isinstance(value, bool) or value == "":
        return ArgumentSource(path, value, "trivial")
    if isinstance(value, (int, float)):
        origin, event = of_number(known, value)
    else:
        origin, event = of_text(known, str(value).strip())
    if origin in ("nowhere", "composed", "trivial") and in_schema(tool, path, value):
        return ArgumentSource(path, value, "schema")
    unknown = str(value) if origin == "nowhere" else ""
    if origin == "composed":
        unknown = unknown_identifier(known, str(value))
    return ArgumentSource(path, value, "nowhere" if unknown else origin, event, unknown)


__all__ = ["ArgumentSource", "Origin", "sources"]
