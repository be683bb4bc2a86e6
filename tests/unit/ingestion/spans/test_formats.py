"""The same spans in every way to write them."""

import gzip
import json

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList

from misstep.ingestion.spans.formats.otlp_protobuf import framing_of
from misstep.ingestion.spans.reading import recognises

TRACE, MODEL, TOOL = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
_CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "Look."}]}],
    "gen_ai.output.messages": [
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"id": 7}}]}
    ],
}
_TOOL = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.result": "Oslo",
}
_EXPECTED = ["user user: Look.", 'agent calls look {"id": 7} as c1', "look answers c1: Oslo"]


def _put(file):
    file.span("chat", MODEL, at=(1, 2), told=_CHAT, trace=TRACE)
    file.span("execute_tool look", TOOL, MODEL, at=(3, 4), told=_TOOL, trace=TRACE)


def _snake(value):
    if isinstance(value, dict):
        return {
            "".join(f"_{c.lower()}" if c.isupper() else c for c in key): _snake(each) for key, each in value.items()
        }
    return [_snake(each) for each in value] if isinstance(value, list) else value


def _any(value):
    match value:
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=value)
        case float():
            return AnyValue(double_value=value)
        case bytes():
            return AnyValue(bytes_value=value)
        case list():
            return AnyValue(array_value=ArrayValue(values=[_any(each) for each in value]))
        case dict():
            return AnyValue(kvlist_value=KeyValueList(values=_pairs(value)))
        case _:
            return AnyValue(string_value=value)


def _pairs(given):
    return [KeyValue(key=key, value=_any(value)) for key, value in given.items()]


def _request(*spans):
    request = ExportTraceServiceRequest()
    holder = request.resource_spans.add()
    holder.resource.attributes.extend(_pairs({"service.name": "desk"}))
    scope = holder.scope_spans.add()
    scope.scope.name = "test"
    for name, span_id, parent, at, told in spans:
        scope.spans.add(
            trace_id=bytes.fromhex(TRACE),
            span_id=bytes.fromhex(span_id),
            parent_span_id=bytes.fromhex(parent),
            name=name,
            start_time_unix_nano=(1000 + at[0]) * 10**9,
            end_time_unix_nano=(1000 + at[1]) * 10**9,
            attributes=_pairs(told),
        )
    return request


_ASK = ("chat", MODEL, "", (1, 2), _CHAT)
_LOOK = ("execute_tool look", TOOL, MODEL, (3, 4), _TOOL)


def test_snake_case_and_camel_case_are_read_alike(file, told):
    _put(file)
    trace = file.read()
    assert told(trace) == _EXPECTED
    assert file.read(_snake(file.request())) == trace


def test_spans_of_one_trace_may_be_spread_over_lines_and_batches(file, told):
    _put(file)
    trace = file.read()
    one, other = file.spans
    rows = [
        json.dumps(
            {"resourceSpans": [{"resource": file.request()["resourceSpans"][0]["resource"], "scopeSpans": [part]}]}
        )
        for part in (other, one)
    ]
    assert file.read("\n".join(rows), "dump.jsonl").events == trace.events


@pytest.mark.parametrize("framing", ["bare", "varint", "four-bytes"])
def test_protobuf_is_read_whatever_stands_between_requests(file, told, framing):
    requests = [_request(_LOOK).SerializeToString(), _request(_ASK).SerializeToString()]
    lengths = {"bare": lambda data: b"", "varint": _varint, "four-bytes": lambda data: len(data).to_bytes(4)}
    data = b"".join(lengths[framing](each) + each for each in requests)
    assert framing_of(data) == framing
    assert recognises(data, None)
    assert told(file.read(data, "spans.pb")) == _EXPECTED
    assert told(file.read(gzip.compress(data), "spans.pb.gz")) == _EXPECTED


def _varint(data):
    size, found = len(data), b""
    while size > 0x7F:
        found += bytes([size & 0x7F | 0x80])
        size >>= 7
    return found + bytes([size])


def test_protobuf_and_json_are_the_same_trace(file):
    _put(file)
    trace = file.read()
    assert file.read(_request(_ASK, _LOOK).SerializeToString(), "spans.json").events == trace.events


def test_log_records_in_protobuf_belong_to_their_spans(file, told):
    logs = ExportLogsServiceRequest()
    scope = logs.resource_logs.add().scope_logs.add()
    for name, body in (
        ("gen_ai.user.message", {"content": "Hello"}),
        ("gen_ai.choice", {"message": {"content": "Hi"}}),
    ):
        scope.log_records.add(
            trace_id=bytes.fromhex(TRACE),
            span_id=bytes.fromhex(MODEL),
            event_name=name,
            body=_any(body),
            time_unix_nano=5,
        )
    spans = _request(("chat", MODEL, "", (1, 2), {"gen_ai.operation.name": "chat"}))
    data = spans.SerializeToString() + logs.SerializeToString()
    assert told(file.read(data, "spans.pb")) == ["user user: Hello", "agent agent: Hi"]


def test_all_kinds_of_values_are_kept(file):
    values = {
        "x.text": "t",
        "x.flag": True,
        "x.count": 2**40,
        "x.part": 0.5,
        "x.bytes": b"raw",
        "x.list": [1, "a"],
        "x.map": {"k": [False]},
        "x.inf": float("inf"),
    }
    data = _request(("chat", MODEL, "", (1, 2), _CHAT | values)).SerializeToString()
    raw = file.read(data, "spans.pb").events[-1].raw
    assert {name: raw[name] for name in values} == values | {"x.bytes": "raw", "x.inf": "inf"}


def test_a_protobuf_file_that_is_cut_off_gives_what_came_before(file, told):
    data = _request(_ASK, _LOOK).SerializeToString()
    read = file.read(data + data[:-5], "spans.pb")
    assert told(read) == _EXPECTED
    (bad,) = file.bad
    assert (bad.place, bad.because) == ("after batch 1", "The file ends in the middle of a request.")


def test_text_is_never_taken_for_protobuf():
    for text in (
        '{"resourceSpans": []}',
        '\n{\n\n\n"a": 1}',
        '\n{\n  "a": 1}',
        "\n[\n 1]",
        "hello",
        "",
        "\n\n\n",
        "id,name\n1,2\n",
    ):
        assert framing_of(text.encode()) is None, text


def test_spans_as_sdks_print_them_one_a_line(file, told):
    def printed(name, span_id, parent, at, told_of):
        return {
            "name": name,
            "context": {"trace_id": f"0x{TRACE}", "span_id": f"0x{span_id}", "trace_state": "[]"},
            "kind": "SpanKind.CLIENT",
            "parent_id": f"0x{parent}" if parent else None,
            "start_time": f"2025-01-01T10:00:0{at[0]}.000000Z",
            "end_time": f"2025-01-01T10:00:0{at[1]}.000000Z",
            "status": {"status_code": "UNSET"},
            "attributes": told_of,
            "events": [],
            "links": [],
            "resource": {"attributes": {"service.name": "desk"}},
        }

    rows = [printed(*_LOOK), printed(*_ASK)]
    trace = file.read("\n".join(json.dumps(each) for each in rows), "printed.jsonl")
    assert told(trace) == _EXPECTED
    assert [event.source for event in trace.events] == [MODEL, MODEL, TOOL]
    assert told(file.read(json.dumps(rows, indent=2))) == _EXPECTED


def test_attributes_that_an_export_made_a_tree_of_are_read(file, told):
    row = {
        "name": "ask",
        "context": {"trace_id": "t1", "span_id": "m1"},
        "parent_id": None,
        "start_time": "2025-01-01T10:00:00+00:00",
        "end_time": "2025-01-01T10:00:01+00:00",
        "status_code": "OK",
        "attributes": {
            "openinference": {"span": {"kind": "LLM"}},
            "llm": {
                "input_messages": [{"message": {"role": "user", "content": "Hello"}}],
                "output_messages": [{"message": {"role": "assistant", "content": "Hi"}}],
            },
        },
    }
    assert told(file.read(json.dumps(row), "phoenix.jsonl")) == ["user user: Hello", "agent agent: Hi"]


def test_a_broken_line_is_reported_with_its_place_and_the_rest_is_read(file, told):
    _put(file)
    rows = [json.dumps({"resourceSpans": [{"scopeSpans": [part]}]}) for part in file.spans]
    assert told(file.read("\n".join([rows[0], '{"resourceSpans": [', rows[1]]), "dump.jsonl")) == _EXPECTED
    assert [bad.place for bad in file.bad] == ["line 2"]


def test_spans_in_which_nobody_did_anything_are_a_loss_and_no_trace(file):
    file.span("GET /health", "x", told={"http.request.method": "GET"})
    assert file.read_all() == []
    assert [(loss.what, loss.lost) for loss in file.losses] == [
        ("conversations have no span of a model, a tool or an agent", 1)
    ]
