"""Whatever is done to a file of spans, reading it ends, and what is read can be kept."""

import copy
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord
from misstep.ingestion.spans.reading import recognises, traces

_MESSAGES = [
    {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
    {"role": "user", "content": [{"type": "text", "text": "Where?"}, {"type": "image_url", "image_url": {}}]},
    {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": '{"id": 7}'}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "Oslo"},
]
_SPANS = [
    {"openinference.span.kind": "AGENT", "agent.name": "clerk", "input.value": '{"task": "Where?"}', "session.id": "s"},
    {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.content": "Where?",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
        "llm.tools.0.tool.json_schema": '{"name": "look"}',
    },
    {"openinference.span.kind": "TOOL", "tool.name": "look", "tool.parameters": "{}", "output.value": "Oslo"},
    {"gen_ai.operation.name": "chat", "gen_ai.input.messages": _MESSAGES, "gen_ai.output.messages": _MESSAGES[2:3]},
    {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.arguments": '{"id": 7}'},
    {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi", "gen_ai.completion.0.tool_calls.0.name": "look"},
    {"traceloop.span.kind": "tool", "traceloop.entity.input": '{"args": [1], "kwargs": {}}'},
    {"gcp.vertex.agent.llm_request": json.dumps({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})},
    {"gcp.vertex.agent.tool_call_args": '{"id": 7}', "gen_ai.tool.name": "look", "gen_ai.system": "gcp.vertex.agent"},
    {"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(_MESSAGES)},
    {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "look", "ai.toolCall.args": "{}"},
    {"mlflow.spanType": '"CHAT_MODEL"', "mlflow.spanInputs": json.dumps({"messages": _MESSAGES})},
    {"langfuse.observation.type": "generation", "langfuse.observation.input": json.dumps(_MESSAGES)},
    {"all_messages_events": json.dumps([{"event.name": "gen_ai.user.message", "content": "Hi"}]), "final_result": "x"},
    {"pydantic_ai.all_messages": json.dumps(_MESSAGES), "gen_ai.operation.name": "invoke_agent"},
    {"mcp.method.name": "tools/call", "gen_ai.tool.name": "look"},
    {"gen_ai.operation.name": "search_memory", "gen_ai.memory.id": "m"},
]
_EVENTS = [
    {"name": "gen_ai.choice", "attributes": {"message": '{"content": "Hi"}'}},
    {"name": "exception", "attributes": {"exception.type": "E", "exception.message": "m"}},
]


def _flat(number, attributes):
    return {
        "name": f"Step {number}",
        "context": {"trace_id": "t", "span_id": str(number)},
        "parent_id": str(number // 2) if number else None,
        "start_time": 1000 + number,
        "end_time": 1001 + number,
        "status": {"status_code": "ERROR", "description": "no"} if number % 3 == 0 else {},
        "attributes": attributes,
        "events": _EVENTS,
    }


_FLAT = [_flat(number, attributes) for number, attributes in enumerate(_SPANS)]
_OTLP = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "t",
                            "spanId": each["context"]["span_id"],
                            "parentSpanId": each["parent_id"] or "",
                            "startTimeUnixNano": "5",
                            "endTimeUnixNano": 6,
                            "attributes": [
                                {"key": key, "value": {"stringValue": value} if isinstance(value, str) else value}
                                for key, value in each["attributes"].items()
                            ],
                            "events": _EVENTS,
                        }
                        for each in _FLAT
                    ]
                }
            ]
        }
    ],
    "resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": "t", "spanId": "3", "body": {"kvlistValue": {}}}]}]}],
}
_NESTED = {
    "trace_id": "t",
    "spans": [
        {"span_id": "a", "span_attributes": _SPANS[0], "child_spans": [{"span_id": "b", "span_attributes": _SPANS[1]}]}
    ],
}
_LANGFUSE = {
    "id": "t",
    "sessionId": "s",
    "observations": [
        {"id": "o", "traceId": "t", "type": "GENERATION", "input": _MESSAGES, "output": "Hi", "level": "ERROR"}
    ],
}
_MLFLOW = {"info": {"trace_id": "t"}, "data": {"spans": [{"span_id": "a", "attributes": _SPANS[11], "status": {}}]}}
_FILES = [_OTLP, _FLAT, _NESTED, _LANGFUSE, _MLFLOW]

_DEEP = "[" * 3000 + "]" * 3000
_HOSTILE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(
        [
            "",
            "\x00",
            "<script>alert(1)</script>",
            "\x1b[2J",
            "{}",
            "[]",
            '{"a"',
            _DEEP,
            "9" * 5000,
            "0",
            "LLM",
            "tool",
            "\ud800",
        ]
    ),
    st.text(max_size=20),
    st.recursive(
        st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
)


def _places(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield from _places(each, (*path, key))


def _put(value, path, new):
    if not path:
        return new
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return value


@st.composite
def _damaged(draw):
    value = draw(st.sampled_from(_FILES))
    for _ in range(draw(st.integers(1, 4))):
        value = _put(value, draw(st.sampled_from(list(_places(value)))), draw(_HOSTILE))
    return value


def _read(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for found in traces(path, Losses()):
        assert isinstance(found, (Trace, BadRecord))
        if isinstance(found, Trace):
            assert decode_trace(encode_trace(found)) == found
            assert all(event.at_s >= 0 for event in found.events)


_BOUNDED = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@_BOUNDED
@given(value=_damaged(), suffix=st.sampled_from([".json", ".jsonl"]))
def test_a_file_with_wrong_values_in_it_is_read_as_far_as_it_goes(tmp_path, value, suffix):
    recognises(b"", value)
    rows = value if isinstance(value, list) and suffix == ".jsonl" else [value]
    _read(tmp_path / f"spans{suffix}", "\n".join(json.dumps(each) for each in rows).encode())


@_BOUNDED
@given(value=st.sampled_from(_FILES), data=st.data())
def test_a_file_that_is_cut_or_has_wrong_bytes_in_it_is_read_as_far_as_it_goes(tmp_path, value, data):
    content = bytearray(json.dumps(value).encode())
    for at in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=5)):
        content[at] = data.draw(st.integers(0, 255))
    _read(tmp_path / "spans.json", bytes(content[: data.draw(st.integers(0, len(content)))]))


def _protobuf() -> bytes:
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    for number, attributes in enumerate(_SPANS):
        span = scope.spans.add(trace_id=b"t" * 16, span_id=bytes([number] * 8), name="x", start_time_unix_nano=number)
        for key, value in attributes.items():
            added = span.attributes.add(key=key)
            added.value.string_value = value if isinstance(value, str) else json.dumps(value)
    return request.SerializeToString()


_BINARY = _protobuf()


@_BOUNDED
@given(data=st.data())
def test_protobuf_with_wrong_bytes_in_it_is_read_as_far_as_it_goes(tmp_path, data):
    content = bytearray(_BINARY)
    for at in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=5)):
        content[at] = data.draw(st.integers(0, 255))
    prefix = data.draw(st.sampled_from([b"", len(_BINARY).to_bytes(4), b"\xff\xff\xff\xff", b"\x0a"]))
    _read(tmp_path / "spans.pb", prefix + bytes(content[: data.draw(st.integers(0, len(content)))]))


def test_a_tree_of_spans_that_is_very_deep_is_read(file):
    for number in range(3000):
        parent = f"x{number - 1}" if number else ""
        file.span("work", f"x{number}", parent, at=(number, 9000 - number), told={"openinference.span.kind": "CHAIN"})
    said = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "Hi"}
    file.span("ask", "m1", "x2999", at=(3000, 3001), told=said)
    assert [event.text for event in file.read().events] == ["Hi"]


def test_what_is_hostile_in_a_trace_stays_text(file):
    hostile = "<script>alert(1)</script>\x1b[2J\x00"
    said = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": hostile}
    file.span("ask", "m1", told=said)
    assert file.read().events[0].text == hostile
