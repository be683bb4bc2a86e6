"""OTLP as protobuf: requests to export spans or logs, one after another, bare or each with its length before it."""

import base64
import math
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Literal

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.ingestion.spans.span import Note, Span, SpanEvent, Status

if TYPE_CHECKING:
    from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
    from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs
    from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans
    from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage

Framing = Literal["bare", "varint", "four-bytes"]
"""What stands before each request: nothing, its length as protobuf writes numbers, or as the Collector does."""

_LARGEST = 256 * 1024 * 1024
_ITEM = 0x0A
"""The tag of a request's only field, and of the first field of most messages within it."""
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WITHIN = (0x0A, 0x12, 0x1A)
_STATUS: dict[int, Status] = {1: "ok", 2: "error"}


def framing_of(head: bytes) -> Framing | None:
    """How the requests of a file are told apart, by its first bytes; nothing for what is no OTLP."""
    if (
        _CONTROL.search(head) is None
    ):  # what begins with an empty line may look like a message, but text has no such bytes
        return None
    if _is_request(head):
        return "bare"
    if len(head) > 5 and int.from_bytes(head[:4]) <= _LARGEST and _is_request(head[4:]):
        return "four-bytes"
    length, rest = _varint(head)
    return "varint" if 0 < length <= _LARGEST and _is_request(head[rest:]) else None


def _is_request(head: bytes) -> bool:
    """Whether three levels of messages begin here as OTLP's do, the inner ones no longer than the outer."""
    if not head or head[0] != _ITEM:
        return False
    outer, at = _varint(head, 1)
    if not 0 < outer <= _LARGEST or len(head) < at + 4 or head[at] not in _WITHIN:
        return False
    inner, after = _varint(head, at + 1)
    if not 0 <= inner <= outer or len(head) <= after:
        return False
    return inner == 0 or head[after] in (0x0A, 0x10, 0x12, 0x1A)


def _varint(data: bytes, at: int = 0) -> tuple[int, int]:
    """A number and where it ends; -1 for what is none."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    return -1, at


def batches(stream: BinaryIO, framing: Framing) -> Iterator[bytes]:
    """The items of all requests, one at a time; FormatError where the file is cut off or is something else."""
    if framing == "bare":
        yield from _items(stream)
        return
    while (length := _length(stream, framing)) is not None:
        data = _exactly(stream, length)
        at = 0
        while at < len(data):
            if data[at] != _ITEM:
                raise FormatError("This is no request to export spans or logs.")
            size, at = _varint(data, at + 1)
            if size < 0 or at + size > len(data):
                raise FormatError("A request holds more than it says.")
            yield data[at : at + size]
            at += size


def _items(stream: BinaryIO) -> Iterator[bytes]:
    while tag := stream.read(1):
        if tag[0] != _ITEM:
            raise FormatError("This is no request to export spans or logs.")
        yield _exactly(stream, _streamed(stream, stream.read(1)))


def _length(stream: BinaryIO, framing: Framing) -> int | None:
    first = stream.read(1)
    if not first:
        return None
    if framing == "varint":
        return _streamed(stream, first)
    return int.from_bytes(first + _exactly(stream, 3))


def _streamed(stream: BinaryIO, first: bytes) -> int:
    data = first
    while data and data[-1] >= 0x80 and len(data) < 10:
        data += stream.read(1) or b"\x00"
    value, _ = _varint(data)
    return value


def _exactly(stream: BinaryIO, size: int) -> bytes:
    if not 0 <= size <= _LARGEST:
        raise FormatError(f"A request of {size} bytes is more than Misstep reads at once.")
    data = stream.read(size)
    if len(data) < size:
        raise FormatError("The file ends in the middle of a request.")
    return data


def spans(batch: bytes) -> Iterator[Span | Note]:
    """The spans of one batch, or its log records: which of them it holds is told by their ids."""
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - heavy, and needed for such files alone
    from opentelemetry.proto.logs.v1.logs_pb2 import ResourceLogs  # noqa: PLC0415
    from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans  # noqa: PLC0415

    try:
        found = ResourceSpans.FromString(batch)
    except DecodeError:
        found = ResourceSpans()
    if any(each.trace_id for scope in found.scope_spans for each in scope.spans):
        return _of_spans(found)
    try:
        return _of_logs(ResourceLogs.FromString(batch))
    except DecodeError as error:
        raise FormatError(f"A batch cannot be read: {error}.") from None


def _of_spans(found: "ResourceSpans") -> Iterator[Span]:
    resource = _attributes(found.resource.attributes)
    for scope in found.scope_spans:
        for each in scope.spans:
            yield _span(each, resource, scope.scope.name)


def _of_logs(found: "ResourceLogs") -> Iterator[Note]:
    for scope in found.scope_logs:
        for each in scope.log_records:
            if each.trace_id:
                yield _note(each)


def _span(given: "SpanMessage", resource: dict[str, JSON], scope: str) -> Span:
    return Span(
        trace_id=given.trace_id.hex(),
        span_id=given.span_id.hex(),
        parent_id=given.parent_span_id.hex() if any(given.parent_span_id) else "",
        name=given.name,
        start_ns=given.start_time_unix_nano,
        end_ns=given.end_time_unix_nano,
        status=_STATUS.get(given.status.code, "unset"),
        message=given.status.message,
        attributes=_attributes(given.attributes),
        events=tuple(SpanEvent(each.name, each.time_unix_nano, _attributes(each.attributes)) for each in given.events),
        resource=resource,
        scope=scope,
    )


def _note(given: "LogRecord") -> Note:
    told = _attributes(given.attributes)
    body = _value(given.body)
    if body is not None:
        told["body"] = body
    name = getattr(given, "event_name", "") or str(told.get("event.name", ""))
    event = SpanEvent(name, given.time_unix_nano or given.observed_time_unix_nano, told)
    return Note(given.trace_id.hex(), given.span_id.hex(), event)


def _attributes(given: "Iterable[KeyValue]") -> dict[str, JSON]:
    return {each.key: _value(each.value) for each in given}


def _value(given: "AnyValue") -> JSON:
    match given.WhichOneof("value"):
        case "string_value":
            return given.string_value
        case "bool_value":
            return given.bool_value
        case "int_value":
            return given.int_value
        case "double_value":
            return given.double_value if math.isfinite(given.double_value) else str(given.double_value)
        case "array_value":
            return [_value(each) for each in given.array_value.values]
        case "kvlist_value":
            return _attributes(given.kvlist_value.values)
        case "bytes_value":
            return _text(given.bytes_value)
        case _:
            return None


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()
