import json

import pytest

from misstep.core.event import ToolResult
from misstep.ingestion.losses import NO_RESULT, NO_SESSION, NO_TOOLS

_CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}


def _text(role, words):
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def _call(call_id, name, arguments):
    return {"role": "assistant", "parts": [{"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}]}


_ANSWER = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"place": "Oslo"}}]}
_EXPECTED = [
    "system system: Be brief.",
    "user user: Where is parcel 7?",
    'clerk calls look {"id": 7} as c1',
    "look answers c1: {'place': 'Oslo'}",
    "agent clerk: In Oslo.",
]


def _desk(file, *, as_text):
    def written(value):
        return json.dumps(value) if as_text else value

    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "clerk", "gen_ai.conversation.id": "s1"}
    file.span("invoke_agent clerk", "a", at=(0, 9), told=agent)
    heard = [_text("user", "Where is parcel 7?")]
    file.span(
        "chat m",
        "m1",
        "a",
        at=(1, 2),
        told=_CHAT
        | {
            "gen_ai.system_instructions": written([{"type": "text", "content": "Be brief."}]),
            "gen_ai.input.messages": written(heard),
            "gen_ai.output.messages": written([_call("c1", "look", {"id": 7})]),
            "gen_ai.tool.definitions": written(
                [{"type": "function", "name": "look", "parameters": {"type": "object"}}]
            ),
            "gen_ai.usage.input_tokens": 5,
            "gen_ai.usage.output_tokens": 3,
        },
    )
    file.span(
        "execute_tool look",
        "w1",
        "a",
        at=(3, 4),
        told={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.arguments": written({"id": 7}),
            "gen_ai.tool.call.result": written({"place": "Oslo"}),
        },
    )
    file.span(
        "chat m",
        "m2",
        "a",
        at=(5, 6),
        told=_CHAT
        | {
            "gen_ai.system_instructions": written([{"type": "text", "content": "Be brief."}]),
            "gen_ai.input.messages": written([*heard, _call("c1", "look", {"id": 7}), _ANSWER]),
            "gen_ai.output.messages": written([_text("assistant", "In Oslo.")]),
        },
    )


def test_messages_may_be_structures_or_text(file, told):
    _desk(file, as_text=True)
    first = file.read()
    assert told(first) == _EXPECTED
    file.spans.clear()
    _desk(file, as_text=False)
    assert file.read() == first
    assert first.id == "s1"
    assert first.usage.input_tokens == 5
    assert first.tools[0].input_schema == {"type": "object"}


def test_messages_may_be_span_events_of_the_old_kind(file, told):
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": 7}'}}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": json.dumps({"tool_calls": [call]})}
    file.span(
        "chat m",
        "m1",
        at=(1, 2),
        told=_CHAT,
        events=[
            file.event("gen_ai.system.message", {"content": "Be brief."}),
            file.event("gen_ai.user.message", {"content": "Where is parcel 7?"}),
            file.event("gen_ai.choice", choice),
        ],
    )
    file.span(
        "chat m",
        "m2",
        at=(3, 4),
        told=_CHAT,
        events=[
            file.event("gen_ai.system.message", {"content": "Be brief."}),
            file.event("gen_ai.user.message", {"content": "Where is parcel 7?"}),
            file.event("gen_ai.assistant.message", {"tool_calls": json.dumps([call])}),
            file.event("gen_ai.tool.message", {"id": "c1", "content": '{"place": "Oslo"}'}),
            file.event("gen_ai.choice", {"index": 0, "message": "In Oslo."}),
        ],
    )
    assert told(file.read()) == [line.replace("clerk", "agent") for line in _EXPECTED]


def test_messages_may_be_log_records_of_the_old_kind(file, told):
    file.span("chat m", "m1", at=(1, 2), told=_CHAT)
    file.log("gen_ai.system.message", "m1", {"content": "Be brief."})
    file.log("gen_ai.user.message", "m1", {"content": "Hello"})
    file.log("gen_ai.choice", "m1", {"index": 0, "message": {"role": "assistant", "content": "Hi"}})
    assert told(file.read()) == ["system system: Be brief.", "user user: Hello", "agent agent: Hi"]


def test_messages_may_stand_in_one_event_with_all_details(file, told):
    file.span("chat m", "m1", at=(1, 2), told=_CHAT)
    details = {
        "gen_ai.input.messages": [_text("user", "Hello")],
        "gen_ai.output.messages": [_text("assistant", "Hi")],
    }
    file.log("gen_ai.client.inference.operation.details", "m1", "", details)
    assert told(file.read()) == ["user user: Hello", "agent agent: Hi"]


def test_log_records_whose_span_is_missing_are_still_read(file, told):
    file.span("chat m", "m1", at=(1, 2), told=_CHAT | {"gen_ai.output.messages": [_text("assistant", "One.")]})
    file.log("gen_ai.user.message", "m2", {"content": "Hello"})
    file.log("gen_ai.choice", "m2", {"message": {"content": "Hi"}})
    assert told(file.read()) == ["user user: Hello", "agent agent: Hi", "agent agent: One."]


def test_every_kind_of_part_leaves_something(file, told):
    parts = [
        {"type": "reasoning", "content": "Hm."},
        {"type": "thinking", "content": "Hm again."},
        {"type": "text", "content": "Look at this."},
        {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "aGk="},
        {"type": "uri", "modality": "video", "uri": "https://example.org/v"},
        {"type": "server_tool_call", "id": "s1", "name": "browse", "server_tool_call": {"type": "browse"}},
        {"type": "server_tool_call_response", "id": "s1", "server_tool_call_response": {"found": 1}},
    ]
    said = {"gen_ai.output.messages": [{"role": "assistant", "parts": parts}]}
    file.span("chat m", "m1", at=(1, 2), told=_CHAT | said)
    assert told(file.read()) == [
        "agent thinks: Hm.",
        "agent thinks: Hm again.",
        "agent agent: Look at this.\n[blob image]\n[uri video]",
        "agent calls browse {} as s1",
        "browse answers s1: {'found': 1}",
    ]


def test_spans_without_content_are_counted_with_what_to_switch_on(file):
    file.span(
        "invoke_agent x", "a", at=(0, 9), told={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "x"}
    )
    file.span("chat m", "m1", "a", at=(1, 2), told=_CHAT)
    file.span(
        "execute_tool look",
        "w1",
        "a",
        at=(3, 4),
        told={"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"},
    )
    trace = file.read()
    assert [type(event).__name__ for event in trace.events] == ["ToolCall", "ToolResult"]
    assert [(loss.what, loss.lost, loss.of) for loss in file.losses] == [
        (NO_SESSION, 1, 1),
        ("spans of models carry no prompt", 1, 1),
        ("spans of models carry no answer", 1, 1),
        ("spans of tools carry no arguments", 1, 1),
        (NO_RESULT, 1, 1),
        (NO_TOOLS, 1, 1),
    ]
    switch = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
    assert [switch in loss.advice for loss in file.losses] == [False, True, True, True, True, False]


def test_memory_is_read_and_written(file, told):
    file.span(
        "update_memory notes",
        "w1",
        at=(1, 2),
        told={
            "gen_ai.operation.name": "update_memory",
            "gen_ai.memory.id": "likes",
            "gen_ai.memory.content": "tea",
        },
    )
    assert told(file.read()) == ["agent writes likes: tea"]


def test_one_call_seen_by_the_agent_the_client_and_the_server_is_one_call(file, told):
    file.span(
        "execute_tool look",
        "w1",
        at=(1, 9),
        told={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "desk__look",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.arguments": '{"id": 7}',
        },
    )
    protocol = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "look", "gen_ai.operation.name": "execute_tool"}
    file.span("tools/call look", "w2", "w1", at=(2, 8), told=protocol, scope="mcp-client")
    file.span(
        "tools/call look",
        "w3",
        "w2",
        at=(3, 7),
        told=protocol | {"gen_ai.tool.call.result": "Oslo"},
        scope="mcp-server",
    )
    file.span("tools/list", "w4", "w1", at=(1, 2), told={"mcp.method.name": "tools/list"})
    trace = file.read()
    assert told(trace) == ['agent calls desk__look {"id": 7} as c1', "desk__look answers c1: Oslo"]
    assert trace.events[0].source == "w1"


def test_one_question_seen_by_two_instrumentations_is_one(file, told):
    heard, said = [_text("user", "Hello")], [_text("assistant", "Hi")]
    messages = {"gen_ai.input.messages": heard, "gen_ai.output.messages": said, "gen_ai.usage.input_tokens": 4}
    file.span(
        "ChatModel",
        "m1",
        at=(1, 4),
        scope="framework",
        told={
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Hello",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "Hi",
        },
    )
    file.span("chat m", "m2", "m1", at=(2, 3), told=_CHAT | messages, scope="client")
    trace = file.read()
    assert told(trace) == ["user user: Hello", "agent agent: Hi"]
    assert trace.usage.input_tokens == 4


def test_retries_within_one_question_are_there_as_errors(file, told):
    said = {"gen_ai.input.messages": [_text("user", "Hello")], "gen_ai.output.messages": [_text("assistant", "Hi")]}
    file.span("ask", "m1", at=(1, 6), told=_CHAT | said)
    file.span("try", "m2", "m1", at=(2, 3), told=_CHAT, error="503")
    file.span("try", "m3", "m1", at=(4, 5), told=_CHAT | said)
    trace = file.read()
    assert told(trace) == ["user user: Hello", "agent agent: ", "agent agent: Hi"]
    assert trace.events[1].raw["error"] == "503"


@pytest.mark.parametrize(
    "body",
    [
        [{"id": 1}, {"id": 2}],
        ["A-1", "A-2"],
        [{"text": "Lovely.", "stars": 5}],
        [{"type": "room", "price": 90}],
        {"type": "room", "value": 90},
        [{"json": {"id": 1}}],
    ],
)
@pytest.mark.parametrize("key", ["response", "result", "content"])
def test_a_list_or_an_object_that_a_tool_gives_back_stays_as_it_is(file, body, key):
    answer = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", key: body}]}
    asked = [_text("user", "Which?"), _call("c1", "look", {}), answer]
    file.span("chat m", "m1", told=_CHAT | {"gen_ai.input.messages": json.dumps(asked)})
    (exchange,) = file.read().exchanges
    assert exchange.result.content == body


def test_parts_of_text_that_a_tool_gives_back_are_one_text(file):
    body = [{"type": "text", "text": "One."}, {"text": "Two."}]
    answer = {"role": "tool", "tool_call_id": "c1", "content": body}
    file.span("chat m", "m1", told=_CHAT | {"gen_ai.input.messages": [_call("c1", "look", {}), answer]})
    (exchange,) = file.read().exchanges
    assert exchange.result.content == "One.\nTwo."


def _worked(file, *, told, heard, at=(3, 4), call_id="c1"):
    """A call whose result the tool's own span tells, or the next prompt, or both."""
    asked = [_text("user", "Where is parcel 7?"), _call("c1", "look", {"id": 7})]
    answer = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", **heard}]}
    first = {"gen_ai.input.messages": asked[:1], "gen_ai.output.messages": asked[1:]}
    file.span("chat m", "m1", at=(1, 2), told=_CHAT | first)
    work = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"}
    work["gen_ai.tool.call.arguments"] = {"id": 7}
    file.span("execute_tool look", "w1", at=at, told=work | told | {"gen_ai.tool.call.id": call_id})
    last = {"gen_ai.input.messages": [*asked, answer], "gen_ai.output.messages": [_text("assistant", "In Oslo.")]}
    file.span("chat m", "m2", at=(5, 6), told=_CHAT | last)
    return file.read()


_FOUND = {"gen_ai.tool.call.result": {"place": "Oslo"}}


@pytest.mark.parametrize(
    ("told", "heard", "at"),
    [
        (_FOUND, {}, (3, 4)),
        (_FOUND, {"response": ""}, (3, 7)),
        (_FOUND, {"response": []}, (3, 7)),
        (_FOUND, {}, (3, 7)),
        ({}, {"response": {"place": "Oslo"}}, (3, 4)),
        ({}, {"response": {"place": "Oslo"}}, (3, 7)),
        (_FOUND, {"response": {"place": "Oslo"}}, (3, 7)),
    ],
)
@pytest.mark.parametrize("call_id", ["c1", ""])
def test_a_result_that_only_the_span_or_only_the_message_carries_is_there_once(file, told, heard, at, call_id):
    trace = _worked(file, told=told, heard=heard, at=at, call_id=call_id)
    assert [event.content for event in trace.events if isinstance(event, ToolResult)] == [{"place": "Oslo"}]
    assert not any("result" in loss.what for loss in file.losses)
