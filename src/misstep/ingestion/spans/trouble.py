"""What went wrong in a span, in its own words."""

from misstep.core.tool import JSON
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.values import first_text, text

_LONGEST = 4000


def failed(span: Span) -> bool:
    return span.status == "error"


def trouble(span: Span) -> str:
    """What its exception says, or its status; at least that it failed."""
    return (
        _exception(span)
        or span.message
        or first_text(span.attributes, "error.message", "exception.message", "error.type", "error")
        or "failed"
    )[:_LONGEST]


def kind_of_trouble(span: Span) -> str:
    """The exception's type with what it says, where the span tells both."""
    for event in span.events:
        if event.name == "exception" and (kind := text(event.attributes.get("exception.type"))):
            return f"{kind.rpartition('.')[2]}: {trouble(span)}"[:_LONGEST]
    told = trouble(span)
    kind = first_text(span.attributes, "error.type")
    return f"{kind}: {told}" if kind and kind not in told else span.message[:_LONGEST] or told


def _exception(span: Span) -> str:
    said: JSON = next(
        (event.attributes.get("exception.message") for event in span.events if event.name == "exception"), ""
    )
    return text(said)
