"""A file of spans for tests, written by hand in OTLP's JSON and read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Loss
from misstep.ingestion.spans.reading import recognises, traces

SECOND = 1_000_000_000


def any_value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [any_value(each) for each in value]}}
        case _:
            return {"kvlistValue": {"values": attributes(value)}}


def attributes(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": any_value(value)} for key, value in given.items()]


class SpanFile:
    """Spans of one file; times are seconds from its beginning."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spans: list[dict[str, Any]] = []
        self.logs: list[dict[str, Any]] = []
        self.losses: tuple[Loss, ...] = ()
        self.bad: list[BadRecord] = []

    def span(
        self,
        name: str,
        span_id: str,
        parent: str = "",
        *,
        at: tuple[float, float] = (0, 0),
        told: Mapping[str, Any] | None = None,
        error: str | None = None,
        **more: Any,
    ) -> None:
        """`more` may hold `events`, `trace` and `scope`."""
        given: dict[str, Any] = {
            "traceId": more.get("trace", "t1"),
            "spanId": span_id,
            "parentSpanId": parent,
            "name": name,
            "startTimeUnixNano": str(int((1000 + at[0]) * SECOND)),
            "endTimeUnixNano": str(int((1000 + at[1]) * SECOND)),
            "attributes": attributes(told or {}),
            "events": more.get("events", []),
            "status": {"code": 2, "message": error} if error is not None else {},
        }
        self.spans.append({"scope": {"name": more.get("scope", "test")}, "spans": [given]})

    def event(self, name: str, told: Mapping[str, Any]) -> dict[str, Any]:
        return {"name": name, "timeUnixNano": "1", "attributes": attributes(told)}

    def log(self, name: str, span_id: str, body: Any, told: Mapping[str, Any] | None = None) -> None:
        self.logs.append(
            {
                "traceId": "t1",
                "spanId": span_id,
                "timeUnixNano": "1",
                "eventName": name,
                "body": any_value(body),
                "attributes": attributes(told or {}),
            }
        )

    def request(self) -> dict[str, Any]:
        resource = {"attributes": attributes({"service.name": "desk"})}
        found: dict[str, Any] = {"resourceSpans": [{"resource": resource, "scopeSpans": self.spans}]}
        if self.logs:
            found["resourceLogs"] = [{"resource": resource, "scopeLogs": [{"logRecords": self.logs}]}]
        return found

    def read_all(self, value: Any = None, name: str = "spans.json", dialect: str | None = None) -> list[Trace]:
        """Read what was put in, or a value, or text or bytes; and check that what comes out can be kept."""
        path = self.folder / name
        value = self.request() if value is None else value
        data = (
            value
            if isinstance(value, bytes)
            else value.encode()
            if isinstance(value, str)
            else json.dumps(value).encode()
        )
        path.write_bytes(data)
        losses = Losses()
        found = list(traces(path, losses, dialect))
        self.losses = losses.report()
        self.bad = [each for each in found if isinstance(each, BadRecord)]
        read = [each for each in found if isinstance(each, Trace)]
        assert [decode_trace(encode_trace(each)) for each in read] == read
        if isinstance(value, dict):
            assert recognises(data, value)
        return read

    def read(self, value: Any = None, name: str = "spans.json", dialect: str | None = None) -> Trace:
        (trace,) = self.read_all(value, name, dialect)
        return trace


@pytest.fixture
def file(tmp_path: Path) -> SpanFile:
    return SpanFile(tmp_path)


@pytest.fixture
def told() -> Any:
    """A trace as short lines: who does what."""
    return lines


def lines(trace: Trace) -> list[str]:
    return [line(event) for event in trace.events]


def line(event: Any) -> str:
    match type(event).__name__:
        case "Message":
            return f"{event.role} {event.actor}: {event.text}"
        case "Thought":
            return f"{event.actor} thinks: {event.text}"
        case "ToolCall":
            given = event.malformed if event.malformed is not None else json.dumps(event.arguments, sort_keys=True)
            return f"{event.actor} calls {event.tool} {given} as {event.call_id}"
        case "ToolResult":
            return f"{event.actor} {'fails' if event.is_error else 'answers'} {event.call_id}: {event.content}"
        case "Handoff":
            return f"{event.actor} hands to {event.to}: {event.text}"
        case _:
            return f"{event.actor} {event.action}s {event.key}: {event.content}"
