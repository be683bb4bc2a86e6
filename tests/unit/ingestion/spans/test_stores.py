"""Traces as the stores of Langfuse and MLflow write them, in exports and in the attributes of spans."""

import json

_EXPECTED = [
    "system system: Be brief.",
    "user user: Where is parcel 7?",
    'clerk calls look {"id": 7} as c1',
    "look answers c1: {'place': 'Oslo'}",
    "agent clerk: In Oslo.",
]


_LANGFUSE = [
    {"id": "a", "type": "AGENT", "name": "clerk", "at": (0, 9), "input": None, "output": "In Oslo."},
    {
        "id": "m1",
        "type": "GENERATION",
        "name": "ask",
        "at": (1, 2),
        "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where is parcel 7?"}],
        "output": {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": 7}'}}],
        },
        "usageDetails": {"input": 4, "output": 1},
    },
    {"id": "w1", "type": "TOOL", "name": "look", "at": (3, 4), "input": {"id": 7}, "output": {"place": "Oslo"}},
    {
        "id": "m2",
        "type": "GENERATION",
        "name": "ask",
        "at": (5, 6),
        "input": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Where is parcel 7?"},
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": 7}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": '{"place": "Oslo"}'},
        ],
        "output": {"role": "assistant", "content": "In Oslo."},
    },
]


def test_an_export_of_langfuse(file, told):
    observations = [
        {**each, "traceId": "t1", "parentObservationId": None if each["id"] == "a" else "a"}
        | {"startTime": f"2025-01-01T10:00:0{each['at'][0]}.000Z", "endTime": f"2025-01-01T10:00:0{each['at'][1]}.000Z"}
        for each in _LANGFUSE
    ]
    trace = {"id": "t1", "name": "desk", "sessionId": "s1", "userId": "ada", "observations": observations}
    read = file.read(trace)
    assert told(read) == _EXPECTED
    assert (read.id, read.origin.user, read.origin.dialect) == ("s1", "ada", "langfuse")
    assert read.usage.input_tokens == 4
    assert file.read({"data": [trace], "meta": {"page": 1}}) == read
    rows = "\n".join(json.dumps(each | {"sessionId": "s1", "userId": "ada"}) for each in observations)
    assert told(file.read(rows, "spans.jsonl")) == _EXPECTED


def test_langfuse_in_the_attributes_of_spans(file, told):
    for each in _LANGFUSE:
        attributes = {"langfuse.observation.type": each["type"].lower(), "session.id": "s1"}
        attributes |= {
            f"langfuse.observation.{name}": json.dumps(each[name])
            for name in ("input", "output")
            if each[name] is not None
        }
        file.span(each["name"], each["id"], "" if each["id"] == "a" else "a", at=each["at"], told=attributes)
    assert told(file.read()) == _EXPECTED


def _mlflow_spans():
    kinds = {"AGENT": "AGENT", "GENERATION": "CHAT_MODEL", "TOOL": "TOOL"}
    for each in _LANGFUSE:
        inputs = {"messages": each["input"]} if each["type"] == "GENERATION" else each["input"]
        yield (
            each,
            {
                "mlflow.spanType": json.dumps(kinds[each["type"]]),
                "mlflow.spanInputs": json.dumps(inputs),
                "mlflow.spanOutputs": json.dumps(each["output"]),
                "mlflow.traceRequestId": json.dumps("tr-1"),
            },
        )


def test_an_export_of_mlflow(file, told):
    spans = [
        {
            "trace_id": "b64==",
            "span_id": each["id"],
            "parent_span_id": "" if each["id"] == "a" else "a",
            "name": each["name"],
            "start_time_unix_nano": (1000 + each["at"][0]) * 10**9,
            "end_time_unix_nano": (1000 + each["at"][1]) * 10**9,
            "status": {"code": "STATUS_CODE_OK", "message": ""},
            "attributes": attributes,
            "events": [],
        }
        for each, attributes in _mlflow_spans()
    ]
    info = {"trace_id": "tr-1", "trace_metadata": {"mlflow.trace.session": "s1", "mlflow.trace.user": "ada"}}
    trace = file.read({"info": info, "data": {"spans": spans}})
    assert told(trace) == _EXPECTED
    assert (trace.id, trace.origin.user, trace.origin.dialect) == ("s1", "ada", "mlflow")


def test_mlflow_in_the_attributes_of_spans(file, told):
    for each, attributes in _mlflow_spans():
        file.span(each["name"], each["id"], "" if each["id"] == "a" else "a", at=each["at"], told=attributes)
    assert told(file.read()) == _EXPECTED
