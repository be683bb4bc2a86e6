"""OTLP as JSON: requests to export spans or logs, or one `resourceSpans` item of one; in camel case or snake case."""

import base64
import binascii
from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.formats.times import instant, nanoseconds
from misstep.ingestion.spans.span import Note, Span, SpanEvent, Status
from misstep.ingestion.spans.values import fields, first, first_text, is_object, items, text

_HOLDERS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_LOG_SCOPES = ("scopeLogs", "scope_logs")
_DEEPEST = 60


def recognises(value: JSON) -> bool:
    return is_object(value) and any(name in value for name in (*_HOLDERS, *_SCOPES, *_LOG_SCOPES))


def spans(value: JSON) -> Iterator[Span | Note]:
    """Every span and every log record that names one."""
    whole = fields(value)
    holders = [each for name in _HOLDERS for each in items(whole.get(name))] or [value]
    for holder in map(fields, holders):
        resource = attributes(fields(holder.get("resource")).get("attributes"))
        for scope in map(fields, _listed(holder, _SCOPES)):
            name = first_text(fields(first(scope, "scope", "instrumentationLibrary")), "name")
            for each in items(scope.get("spans")):
                if is_object(each):
                    yield _span(each, resource, name)
        for scope in map(fields, _listed(holder, _LOG_SCOPES)):
            for each in _listed(scope, ("logRecords", "log_records")):
                if is_object(each):
                    yield _note(each)


def _listed(holder: Mapping[str, JSON], names: tuple[str, ...]) -> list[JSON]:
    return [each for name in names for each in items(holder.get(name))]


def _span(given: Mapping[str, JSON], resource: dict[str, JSON], scope: str) -> Span:
    status = fields(given.get("status"))
    return Span(
        trace_id=identity(first(given, "traceId", "trace_id")),
        span_id=identity(first(given, "spanId", "span_id")),
        parent_id=identity(first(given, "parentSpanId", "parent_span_id")),
        name=text(given.get("name")),
        start_ns=nanoseconds(first(given, "startTimeUnixNano", "start_time_unix_nano")),
        end_ns=nanoseconds(first(given, "endTimeUnixNano", "end_time_unix_nano")),
        status=status_of(status.get("code")),
        message=text(status.get("message")),
        attributes=attributes(given.get("attributes")),
        events=tuple(_event(fields(each)) for each in items(given.get("events"))),
        resource=resource,
        scope=scope,
    )


def _event(given: Mapping[str, JSON]) -> SpanEvent:
    at = first(given, "timeUnixNano", "time_unix_nano")
    return SpanEvent(
        name=text(given.get("name")),
        at_ns=nanoseconds(at) or instant(first(given, "timestamp", "time")),
        attributes=attributes(given.get("attributes")),
    )


def _note(given: Mapping[str, JSON]) -> Note:
    told = attributes(given.get("attributes"))
    body = plain(given.get("body"))
    if body is not None:
        told["body"] = body
    name = first_text(given, "eventName", "event_name") or text(told.get("event.name"))
    at = first(given, "timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano")
    return Note(
        trace_id=identity(first(given, "traceId", "trace_id")),
        span_id=identity(first(given, "spanId", "span_id")),
        event=SpanEvent(name, nanoseconds(at), told),
    )


def attributes(value: JSON) -> dict[str, JSON]:
    """A list of keys and values, as OTLP has them; or an object, as some exporters do."""
    if is_object(value):
        return value
    found: dict[str, JSON] = {}
    for pair in items(value):
        if is_object(pair) and isinstance(name := pair.get("key"), str):
            inner = pair.get("value")
            words = inner.get("stringValue") if is_object(inner) else None
            found[name] = words if words is not None else plain(inner)  # nearly all values are texts
    return found


def plain(value: JSON, depth: int = 0) -> JSON:
    """An OTLP value of any kind as the JSON value that it is."""
    if not is_object(value) or len(value) != 1 or depth > _DEEPEST:
        return value if depth <= _DEEPEST else None
    kind, inner = next(iter(value.items()))
    match kind:
        case "stringValue" | "string_value" | "boolValue" | "bool_value":
            return inner
        case "doubleValue" | "double_value":
            return _number(inner)
        case "intValue" | "int_value":
            return _whole(inner)
        case "arrayValue" | "array_value":
            return [plain(each, depth + 1) for each in items(fields(inner).get("values"))]
        case "kvlistValue" | "kvlist_value":
            pairs = map(fields, items(fields(inner).get("values")))
            return {text(pair.get("key")): plain(pair.get("value"), depth + 1) for pair in pairs}
        case "bytesValue" | "bytes_value":
            return _bytes(inner)
        case _:
            return value


def _whole(value: JSON) -> JSON:
    try:
        return int(value) if isinstance(value, str) and len(value) < 25 else value
    except ValueError:
        return value


def _number(value: JSON) -> JSON:
    """`NaN` and the infinities are texts in OTLP, and stay texts."""
    return value


def _bytes(value: JSON) -> JSON:
    try:
        return base64.b64decode(text(value), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return value


def identity(value: JSON) -> str:
    """An id as the file writes it, but for a parent that is all zeros: that is none."""
    found = value if isinstance(value, str) else text(value)
    return "" if found and not found.strip("0") else found


def status_of(code: JSON) -> Status:
    if code in (2, "2", "STATUS_CODE_ERROR", "ERROR", "Error", "error"):
        return "error"
    return "ok" if code in (1, "1", "STATUS_CODE_OK", "OK", "Ok", "ok") else "unset"
