"""One span an object, as SDKs print them and as trace stores export them: ids plain or within `context`."""

from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.formats.otlp_json import attributes, status_of
from misstep.ingestion.spans.formats.times import moment
from misstep.ingestion.spans.span import Span, SpanEvent
from misstep.ingestion.spans.values import fields, first, first_text, is_list, is_object, items

_ATTRIBUTES = ("attributes", "span_attributes", "Attributes", "SpanAttributes")
_MOST = 20_000


def recognises(value: JSON) -> bool:
    """A span, or an object that holds a list of them."""
    if not is_object(value):
        return False
    return _is_span(value) or any(_is_span(fields(each)) for each in items(value.get("spans"))[:1])


def _is_span(value: Mapping[str, JSON]) -> bool:
    context = fields(value.get("context")) or fields(value.get("spanContext")) or value
    has_ids = any(name in context for name in ("span_id", "spanId", "SpanId"))
    return has_ids and any(name in value for name in _ATTRIBUTES)


def spans(value: JSON) -> Iterator[Span]:
    given = fields(value)
    if _is_span(given):
        yield _span(given, "")
        return
    trace_id = first_text(given, "trace_id", "traceId")
    for each in items(given.get("spans")):
        if is_object(each) and _is_span(each):
            yield _span(each, trace_id)


def _span(given: Mapping[str, JSON], trace_id: str) -> Span:
    context = fields(given.get("context")) or fields(given.get("spanContext")) or given
    status = given.get("status")
    code = first(fields(status), "status_code", "code") or first(given, "status_code", "otel_status_code", "StatusCode")
    start = moment(first(given, "start_time_unix_nano", "start_time", "startTime", "start_timestamp", "Timestamp"))
    end = moment(first(given, "end_time_unix_nano", "end_time", "endTime", "end_timestamp"))
    resource = fields(given.get("resource"))
    return Span(
        trace_id=_bare(first_text(context, "trace_id", "traceId", "TraceId")) or trace_id,
        span_id=_bare(first_text(context, "span_id", "spanId", "SpanId")),
        parent_id=_parent(given),
        name=first_text(given, "name", "span_name", "SpanName"),
        start_ns=start,
        end_ns=end,
        status=status_of(code if code is not None else status),
        message=first_text(fields(status), "description", "message")
        or first_text(given, "status_message", "otel_status_message", "StatusMessage"),
        attributes=_flat(attributes(first(given, *_ATTRIBUTES))),
        events=tuple(_event(fields(each)) for each in items(first(given, "events", "otel_events"))),
        resource=attributes(resource.get("attributes")) or attributes(given.get("resource_attributes")),
        scope=first_text(fields(first(given, "instrumentation_scope", "scope", "instrumentationScope")), "name")
        or first_text(given, "otel_scope_name", "scope_name"),
    )


def _parent(given: Mapping[str, JSON]) -> str:
    context = first(given, "parentSpanContext", "parent")
    inner = first_text(fields(context), "span_id", "spanId") or (context if isinstance(context, str) else "")
    return _bare(inner or first_text(given, "parent_id", "parentId", "parent_span_id", "parentSpanId", "ParentSpanId"))


def _event(given: Mapping[str, JSON]) -> SpanEvent:
    name = first_text(given, "name", "event_name", "Name")
    at = moment(first(given, "timestamp", "time_unix_nano", "event_timestamp", "time", "Timestamp"))
    return SpanEvent(name, at, attributes(first(given, "attributes", "Attributes")))


def _bare(found: str) -> str:
    return found.removeprefix("0x")


def _flat(told: dict[str, JSON]) -> dict[str, JSON]:
    """Attributes with dots in their names, where an export has made a tree of them."""
    if not any(is_object(told.get(root)) for root in ("openinference", "llm", "gen_ai", "ai", "tool", "input")):
        return told
    found: dict[str, JSON] = {}
    waiting: list[tuple[str, JSON]] = list(reversed(told.items()))
    while waiting and len(found) < _MOST:
        name, value = waiting.pop()
        if is_object(value) and value and name.count(".") < 12:
            waiting += [(f"{name}.{key}", each) for key, each in reversed(value.items())]
        elif is_list(value) and value and all(is_object(each) for each in value):
            waiting += [(f"{name}.{at}", each) for at, each in reversed(list(enumerate(value)))]
        else:
            found[name] = value
    return found
