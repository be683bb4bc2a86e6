"""One trace as a tree: `{"trace_id", "spans"}`, each span holding its `child_spans`.

Logs that stand beside the spans are not read: they are not part of what the agent did, and may hold answers.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from misstep.core.tool import JSON
from misstep.ingestion.spans.span import Span, SpanEvent, Status
from misstep.ingestion.spans.values import fields, first, first_text, is_object, items, text

_DURATION = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?$")
_STATUS: dict[str, Status] = {"ok": "ok", "error": "error"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def recognises(value: JSON) -> bool:
    found = items(fields(value).get("spans")) if is_object(value) else []
    return bool(found) and "span_attributes" in fields(found[0])


def spans(value: JSON) -> Iterator[Span]:
    """Every span of the tree, without recursion: it may be deep."""
    whole = fields(value)
    trace_id = text(whole.get("trace_id"))
    waiting = [(each, "") for each in reversed(items(whole.get("spans")))]
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


def instant(value: JSON) -> int:
    """An ISO date and time, UTC unless it says otherwise, as nanoseconds since 1970; 0 for what is none."""
    if not isinstance(value, str):
        return 0
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return 0
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
    return max(0, (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000)


def duration(value: JSON) -> int:
    """An ISO duration in nanoseconds; 0 for what is none."""
    found = _DURATION.match(value) if isinstance(value, str) and len(value) < 64 else None
    if found is None:
        return 0
    days, hours, minutes, seconds = (int(found[group] or 0) for group in range(1, 5))
    fraction = int((found[5] or "").ljust(9, "0")[:9])
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000_000_000 + fraction
