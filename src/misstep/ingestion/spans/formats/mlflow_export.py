"""Traces as MLflow writes them to JSON: `{"info", "data": {"spans"}}`, in both of its schemas."""

from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.formats.otlp_json import attributes, status_of
from misstep.ingestion.spans.formats.times import moment, nanoseconds
from misstep.ingestion.spans.span import Span, SpanEvent
from misstep.ingestion.spans.values import fields, first, first_text, is_object, items, text


def recognises(value: JSON) -> bool:
    return is_object(value) and "info" in value and "spans" in fields(value.get("data"))


def spans(value: JSON) -> Iterator[Span]:
    whole = fields(value)
    info = fields(whole.get("info"))
    metadata = {**_pairs(info.get("request_metadata")), **_pairs(info.get("trace_metadata"))}
    trace_id = first_text(info, "trace_id", "request_id")
    about = {name: metadata[name] for name in ("mlflow.trace.session", "mlflow.trace.user") if name in metadata}
    for each in items(fields(whole.get("data")).get("spans")):
        if is_object(each):
            yield _span(each, trace_id, about)


def _pairs(value: JSON) -> Mapping[str, JSON]:
    return attributes(value)


def _span(given: Mapping[str, JSON], trace_id: str, about: Mapping[str, JSON]) -> Span:
    context = fields(given.get("context")) or given
    status = fields(given.get("status"))
    start = first(given, "start_time_unix_nano", "start_time_ns", "start_time")
    end = first(given, "end_time_unix_nano", "end_time_ns", "end_time")
    return Span(
        trace_id=trace_id or text(context.get("trace_id")),
        span_id=text(context.get("span_id")),
        parent_id=first_text(given, "parent_span_id", "parent_id"),
        name=text(given.get("name")),
        start_ns=nanoseconds(start) or moment(start),
        end_ns=nanoseconds(end) or moment(end),
        status=status_of(status.get("code") or given.get("status_code")),
        message=first_text(status, "message") or text(given.get("status_message")),
        attributes={**attributes(given.get("attributes")), **about},
        events=tuple(_event(fields(each)) for each in items(given.get("events"))),
        scope="mlflow",
    )


def _event(given: Mapping[str, JSON]) -> SpanEvent:
    at = first(given, "time_unix_nano", "timestamp")
    return SpanEvent(text(given.get("name")), moment(at), attributes(given.get("attributes")))
