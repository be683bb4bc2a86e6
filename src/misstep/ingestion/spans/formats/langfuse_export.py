"""Traces with their observations as Langfuse's API and its exports write them."""

from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.spans.formats.times import moment
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.values import fields, first, first_text, is_object, items, text

_PREFIX = "langfuse.observation."


def recognises(value: JSON) -> bool:
    """A trace with observations, an observation alone, or a page of either."""
    if not is_object(value):
        return False
    found = items(value.get("data"))[:1]
    one = fields(found[0]) if found else value
    return _is_observation(one) or (is_object(one) and "observations" in one and "id" in one)


def _is_observation(value: Mapping[str, JSON]) -> bool:
    return ("traceId" in value or "trace_id" in value) and any(
        name in value for name in ("parentObservationId", "parent_observation_id")
    )


def spans(value: JSON) -> Iterator[Span]:
    whole = fields(value)
    for each in items(whole.get("data")) if "data" in whole else [value]:
        given = fields(each)
        if _is_observation(given):
            yield _span(given, {})
        else:
            observations = items(given.get("observations"))
            # A list of ids alone, as the listing of traces has them, tells nothing.
            for inner in observations:
                if is_object(inner):
                    yield _span(inner, given)


def _span(given: Mapping[str, JSON], trace: Mapping[str, JSON]) -> Span:
    told: dict[str, JSON] = {
        f"{_PREFIX}type": text(given.get("type")).lower(),
        f"{_PREFIX}input": given.get("input"),
        f"{_PREFIX}output": given.get("output"),
        f"{_PREFIX}usage_details": first(given, "usageDetails", "usage_details", "usage"),
        f"{_PREFIX}cost_details": first(given, "costDetails", "cost_details"),
        f"{_PREFIX}level": given.get("level"),
        "gen_ai.request.model": given.get("model"),
        "langfuse.session.id": first(trace, "sessionId", "session_id") or first(given, "sessionId", "session_id"),
        "langfuse.user.id": first(trace, "userId", "user_id") or first(given, "userId", "user_id"),
        "metadata": given.get("metadata"),
    }
    failed = given.get("level") == "ERROR"
    return Span(
        trace_id=first_text(given, "traceId", "trace_id") or text(trace.get("id")),
        span_id=text(given.get("id")),
        parent_id=first_text(given, "parentObservationId", "parent_observation_id"),
        name=text(given.get("name")),
        start_ns=moment(first(given, "startTime", "start_time")),
        end_ns=moment(first(given, "endTime", "end_time")),
        status="error" if failed else "unset",
        message=first_text(given, "statusMessage", "status_message"),
        attributes={name: each for name, each in told.items() if each is not None and each != ""},
        scope="langfuse",
    )
