"""A Span: one timed piece of work as OpenTelemetry sees it, whatever file it came from."""

from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON

Status = Literal["unset", "ok", "error"]


class SpanEvent(Struct, frozen=True):
    """Something noted within a span: an exception, a message."""

    name: str
    at_ns: int = 0
    attributes: dict[str, JSON] = {}


class Span(Struct, frozen=True, kw_only=True):
    """Times are nanoseconds since 1970, and 0 where the file has none."""

    trace_id: str
    span_id: str
    parent_id: str = ""
    name: str = ""
    start_ns: int = 0
    end_ns: int = 0
    status: Status = "unset"
    message: str = ""
    """What the status says beyond its code."""
    attributes: dict[str, JSON] = {}
    events: tuple[SpanEvent, ...] = ()
    resource: dict[str, JSON] = {}
    scope: str = ""
    """Which instrumentation wrote it."""


class Note(Struct, frozen=True):
    """A log record that was written within a span, which may stand elsewhere in the file."""

    trace_id: str
    span_id: str
    event: SpanEvent
