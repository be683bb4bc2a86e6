"""What frameworks and products write instead of the general conventions, or besides them."""

import json

_EXPECTED = [
    "system system: Be brief.",
    "user user: Where is parcel 7?",
    'clerk calls look {"id": 7} as c1',
    "look answers c1: {'place': 'Oslo'}",
    "agent clerk: In Oslo.",
]


def test_pydantic_ai_in_its_first_version(file, told):
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id":7}'}}
    system = {"content": "Be brief.", "role": "system", "event.name": "gen_ai.system.message"}
    user = {"content": "Where is parcel 7?", "role": "user", "event.name": "gen_ai.user.message"}
    asks = {"role": "assistant", "tool_calls": [call]}
    answer = {
        "content": {"place": "Oslo"},
        "role": "tool",
        "id": "c1",
        "name": "look",
        "event.name": "gen_ai.tool.message",
    }
    final = {"index": 0, "message": {"role": "assistant", "content": "In Oslo."}, "event.name": "gen_ai.choice"}
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    everything = [
        system,
        user,
        asks | {"event.name": "gen_ai.assistant.message"},
        answer,
        final["message"] | {"event.name": "gen_ai.assistant.message"},
    ]
    file.span(
        "agent run",
        "a",
        at=(0, 9),
        scope="pydantic-ai",
        told={
            "agent_name": "clerk",
            "model_name": "m",
            "all_messages_events": json.dumps(everything),
            "final_result": "In Oslo.",
            "gen_ai.usage.input_tokens": 9,
        },
    )
    first = [system, user, {"index": 0, "message": asks, "event.name": "gen_ai.choice"}]
    file.span("chat m", "m1", "a", at=(1, 2), scope="pydantic-ai", told=chat | {"events": json.dumps(first)})
    file.span("running tools", "r", "a", at=(3, 4), scope="pydantic-ai", told={"tools": ["look"]})
    file.span(
        "running tool",
        "w1",
        "r",
        at=(3, 4),
        scope="pydantic-ai",
        told={
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "tool_arguments": '{"id":7}',
            "tool_response": '{"place":"Oslo"}',
        },
    )
    second = [system, user, asks | {"event.name": "gen_ai.assistant.message"}, answer, final]
    file.span("chat m", "m2", "a", at=(5, 6), scope="pydantic-ai", told=chat | {"events": json.dumps(second)})
    trace = file.read()
    assert sorted(told(trace)) == sorted(_EXPECTED)
    assert told(trace)[2:] == _EXPECTED[2:]
    assert (trace.origin.dialect, trace.usage.input_tokens) == ("pydantic-ai", 9)


def test_pydantic_ai_in_its_third_version(file, told):
    def text(role, words):
        return {"role": role, "parts": [{"type": "text", "content": words}]}

    asks = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"id": 7}}]}
    answer = {
        "role": "user",
        "parts": [{"type": "tool_call_response", "id": "c1", "name": "look", "result": {"place": "Oslo"}}],
    }
    history = [text("system", "Be brief."), text("user", "Where is parcel 7?")]
    file.span(
        "invoke_agent clerk",
        "a",
        at=(0, 9),
        scope="pydantic-ai",
        told={
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "clerk",
            "pydantic_ai.all_messages": json.dumps([*history, asks, answer, text("assistant", "In Oslo.")]),
            "final_result": "In Oslo.",
        },
    )
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    file.span(
        "chat m",
        "m1",
        "a",
        at=(1, 2),
        scope="pydantic-ai",
        told=chat
        | {
            "gen_ai.input.messages": json.dumps(history),
            "gen_ai.output.messages": json.dumps([asks]),
            "model_request_parameters": json.dumps(
                {"function_tools": [{"name": "look", "parameters_json_schema": {"type": "object"}}]}
            ),
        },
    )
    file.span(
        "execute_tool look",
        "w1",
        "a",
        at=(3, 4),
        scope="pydantic-ai",
        told={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.arguments": '{"id":7}',
            "gen_ai.tool.call.result": '{"place":"Oslo"}',
        },
    )
    file.span(
        "chat m",
        "m2",
        "a",
        at=(5, 6),
        scope="pydantic-ai",
        told=chat
        | {
            "gen_ai.input.messages": json.dumps([*history, asks, answer]),
            "gen_ai.output.messages": json.dumps([text("assistant", "In Oslo.")]),
        },
    )
    trace = file.read()
    assert sorted(told(trace)) == sorted(_EXPECTED)
    assert trace.tools[0].name == "look"


def test_a_run_without_spans_of_its_models_is_read_from_its_messages(file, told):
    def text(role, words):
        return {"role": role, "parts": [{"type": "text", "content": words}]}

    messages = [text("system", "Be brief."), text("user", "Hello"), text("assistant", "Hi, what can I do?")]
    file.span(
        "invoke_agent clerk",
        "a",
        at=(0, 9),
        scope="pydantic-ai",
        told={
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "clerk",
            "pydantic_ai.all_messages": json.dumps(messages),
            "final_result": "Hi, what can I do?",
        },
    )
    assert told(file.read()) == ["user user: Hello", "system system: Be brief.", "agent clerk: Hi, what can I do?"]


def test_adk(file, told):
    def content(role, **part):
        return {"role": role, "parts": [part]}

    asks = content("model", function_call={"id": "c1", "name": "look", "args": {"id": 7}})
    answer = content("user", function_response={"id": "c1", "name": "look", "response": {"place": "Oslo"}})
    user = content("user", text="Where is parcel 7?")
    config = {
        "system_instruction": "Be brief.",
        "tools": [{"function_declarations": [{"name": "look", "parameters": {"type": "OBJECT"}}]}],
    }

    def exchange(contents, reply):
        request = {"model": "g", "config": config, "contents": contents}
        response = {"content": reply, "usage_metadata": {"prompt_token_count": 4, "candidates_token_count": 1}}
        return {
            "gen_ai.system": "gcp.vertex.agent",
            "gcp.vertex.agent.session_id": "s1",
            "gcp.vertex.agent.llm_request": json.dumps(request),
            "gcp.vertex.agent.llm_response": json.dumps(response),
        }

    file.span("invocation", "i", at=(0, 9))
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "clerk", "gen_ai.system": "gcp.vertex.agent"}
    file.span("invoke_agent clerk", "a", "i", at=(0, 9), told=agent)
    file.span("call_llm", "m1", "a", at=(1, 2), told=exchange([user], asks))
    file.span(
        "execute_tool look",
        "w1",
        "a",
        at=(3, 4),
        told={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "look",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.system": "gcp.vertex.agent",
            "gcp.vertex.agent.tool_call_args": '{"id": 7}',
            "gcp.vertex.agent.tool_response": '{"place": "Oslo"}',
            "gcp.vertex.agent.llm_request": "{}",
            "gcp.vertex.agent.llm_response": "{}",
        },
    )
    file.span(
        "execute_tool (merged)",
        "w2",
        "a",
        at=(4, 4),
        told={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "(merged tools)",
            "gcp.vertex.agent.tool_response": "{}",
        },
    )
    file.span("call_llm", "m2", "a", at=(5, 6), told=exchange([user, asks, answer], content("model", text="In Oslo.")))
    trace = file.read()
    assert told(trace) == _EXPECTED
    assert (trace.id, trace.usage.input_tokens, trace.tools[0].name) == ("s1", 8, "look")


def test_vercel_ai(file, told):
    system, user = (
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Where is parcel 7?"}]},
    )
    asks = {
        "role": "assistant",
        "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"id": 7}}],
    }
    answer = {
        "role": "tool",
        "content": [
            {
                "type": "tool-result",
                "toolCallId": "c1",
                "toolName": "look",
                "output": {"type": "json", "value": {"place": "Oslo"}},
            }
        ],
    }
    named = {"ai.telemetry.functionId": "clerk", "ai.telemetry.metadata.sessionId": "s1"}
    file.span(
        "ai.generateText",
        "a",
        at=(0, 9),
        told=named
        | {
            "ai.operationId": "ai.generateText",
            "ai.prompt": json.dumps({"system": "Be brief.", "prompt": "Where is parcel 7?"}),
            "ai.response.text": "In Oslo.",
            "ai.usage.promptTokens": 99,
        },
    )
    file.span(
        "ai.generateText.doGenerate",
        "m1",
        "a",
        at=(1, 2),
        told=named
        | {
            "ai.operationId": "ai.generateText.doGenerate",
            "ai.prompt.messages": json.dumps([system, user]),
            "ai.prompt.tools": [json.dumps({"type": "function", "name": "look", "inputSchema": {"type": "object"}})],
            "ai.response.toolCalls": json.dumps([{"toolCallId": "c1", "toolName": "look", "input": '{"id": 7}'}]),
            "ai.usage.promptTokens": 4,
            "gen_ai.usage.input_tokens": 4,
            "gen_ai.request.model": "m",
        },
    )
    file.span(
        "ai.toolCall",
        "w1",
        "a",
        at=(3, 4),
        told=named
        | {
            "ai.operationId": "ai.toolCall",
            "ai.toolCall.id": "c1",
            "ai.toolCall.name": "look",
            "ai.toolCall.args": '{"id":7}',
            "ai.toolCall.result": '{"place":"Oslo"}',
        },
    )
    file.span(
        "ai.generateText.doGenerate",
        "m2",
        "a",
        at=(5, 6),
        told=named
        | {
            "ai.operationId": "ai.generateText.doGenerate",
            "ai.prompt.messages": json.dumps([system, user, asks, answer]),
            "ai.response.text": "In Oslo.",
        },
    )
    trace = file.read()
    assert told(trace) == _EXPECTED
    assert (trace.id, trace.usage.input_tokens, trace.tools[0].name) == ("s1", 4, "look")


def test_traceloop(file, told):
    call = {"tool_calls.0.id": "c1", "tool_calls.0.name": "look", "tool_calls.0.arguments": '{"id": 7}'}

    def flat(kind, number, **fields):
        return {f"gen_ai.{kind}.{number}.{name}": value for name, value in fields.items()}

    session = {"traceloop.association.properties.session_id": "s1"}
    prompt = flat("prompt", 0, role="system", content="Be brief.") | flat(
        "prompt", 1, role="user", content="Where is parcel 7?"
    )
    file.span(
        "clerk.agent", "a", at=(0, 9), told=session | {"traceloop.span.kind": "agent", "traceloop.entity.name": "clerk"}
    )
    file.span(
        "openai.chat",
        "m1",
        "a",
        at=(1, 2),
        told=session
        | prompt
        | flat("completion", 0, role="assistant", **call)
        | {
            "llm.request.type": "chat",
            "llm.request.functions.0.name": "look",
            "llm.request.functions.0.parameters": '{"type": "object"}',
            "gen_ai.usage.prompt_tokens": 4,
        },
    )
    file.span(
        "look.tool",
        "w1",
        "a",
        at=(3, 4),
        told=session
        | {
            "traceloop.span.kind": "tool",
            "traceloop.entity.name": "look",
            "traceloop.entity.input": json.dumps({"args": [], "kwargs": {"id": 7}}),
            "traceloop.entity.output": '{"place": "Oslo"}',
        },
    )
    history = (
        prompt
        | flat("prompt", 2, role="assistant", **call)
        | flat("prompt", 3, role="tool", tool_call_id="c1", content='{"place": "Oslo"}')
    )
    file.span(
        "openai.chat",
        "m2",
        "a",
        at=(5, 6),
        told=session
        | history
        | flat("completion", 0, role="assistant", content="In Oslo.")
        | {"llm.request.type": "chat"},
    )
    trace = file.read()
    assert told(trace) == _EXPECTED
    assert (trace.id, trace.usage.input_tokens, trace.tools[0].name) == ("s1", 4, "look")


def test_a_dialect_that_is_named_is_the_only_one_that_is_read(file, told):
    both = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "from one"}
    both |= {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "from the other"}]}],
    }
    file.span("ask", "m1", at=(1, 2), told=both)
    assert told(file.read()) == ["agent agent: from one"]
    assert told(file.read(dialect="otel-genai")) == ["agent agent: from the other"]
