"""One trace as a tree: `{"trace_id", "spans"}`, each span holding its `child_spans`.

Logs that stand beside the spans are not read: they are not part of what the agent did, and may hold answers.
"""

from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.formats.times import duration, instant
from misstep.ingestion.spans.span import Span, SpanEvent, Status
from misstep.ingestion.spans.values import fields, first, first_text, is_object, items, text

_STATUS: dict[str, Status] = {"ok": "ok", "error": "error"}


def recognises(value: JSON) -> bool:
    """Also one tree of a file that is too large to be read at once."""
    if not is_object(value):
        return False
    found = items(value.get("spans")) or [value]
    return "span_attributes" in fields(found[0]) and "child_spans" in fields(found[0])


def spans(value: JSON) -> Iterator[Span]:
    """Every span of the tree, without recursion: it may be deep."""
    whole = fields(value)
    trace_id = text(whole.get("trace_id"))
    roots = items(whole.get("spans")) if "span_attributes" not in whole else [value]
    waiting = [(each, "") for each in reversed(roots)]
    while waiting:
        each, parent = waiting.pop()
        given = fields(each)
        if not given:
            continue
        span = _span(given, trace_id, parent)
        yield span
        waiting += [(child, span.span_id) for child in reversed(items(given.get("child_spans")))]


def _span(given: Mapping[str, JSON], trace_id: str, parent: str) -> Span:
    start = instant(given.get("timestamp"))
    return Span(
        trace_id=trace_id or text(given.get("trace_id")),
        span_id=text(given.get("span_id")),
        parent_id=parent or text(given.get("parent_span_id")),
        name=text(given.get("span_name")),
        start_ns=start,
        end_ns=start + duration(given.get("duration")) if start else 0,
        status=_STATUS.get(text(given.get("status_code")).lower(), "unset"),
        message=text(given.get("status_message")),
        attributes=dict(fields(given.get("span_attributes"))),
        events=tuple(_event(fields(each)) for each in items(given.get("events"))),
        resource=dict(fields(given.get("resource_attributes"))),
        scope=text(given.get("scope_name")),
    )


def _event(given: Mapping[str, JSON]) -> SpanEvent:
    return SpanEvent(
        name=first_text(given, "Name", "name"),
        at_ns=instant(first(given, "Timestamp", "timestamp")),
        attributes=dict(fields(first(given, "Attributes", "attributes"))),
    )
