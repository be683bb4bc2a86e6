import json

from misstep.ingestion.losses import NO_SESSION

_SYSTEM = "You are a desk clerk. Answer in one line and be brief about it."


def _message(kind: str, number: int, **fields: object) -> dict[str, object]:
    return {f"llm.{kind}_messages.{number}.message.{name}": value for name, value in fields.items()}


def _asked(file, span_id, parent="", *, at, heard, said, **more):
    told = {"openinference.span.kind": "LLM", "llm.token_count.prompt": 10, "llm.token_count.completion": 2}
    for number, fields in enumerate(heard):
        told |= _message("input", number, **fields)
    for number, fields in enumerate(said):
        told |= _message("output", number, role="assistant", **fields)
    file.span("ChatCompletion", span_id, parent, at=at, told=told | more)


def test_a_call_that_a_model_asks_for_and_a_span_carries_out_is_one_call(file, told):
    schema = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    file.span("desk", "a", told={"openinference.span.kind": "AGENT", "agent.name": "clerk"}, at=(0, 9))
    call = {
        "tool_calls.0.tool_call.id": "c1",
        "tool_calls.0.tool_call.function.name": "look",
        "tool_calls.0.tool_call.function.arguments": '{"id": 7}',
    }
    system, user = {"role": "system", "content": _SYSTEM}, {"role": "user", "content": "Where is parcel 7?"}
    offered = {"llm.tools.0.tool.json_schema": json.dumps(schema)}
    _asked(file, "m1", "a", at=(1, 2), heard=[system, user], said=[call], **offered)
    file.span(
        "look",
        "w1",
        "a",
        at=(3, 4),
        told={
            "openinference.span.kind": "TOOL",
            "tool.name": "look",
            "input.value": '{"id": 7}',
            "output.value": '{"place": "Oslo"}',
        },
    )
    history = [
        system,
        user,
        {"role": "assistant"} | call,
        {"role": "tool", "tool_call_id": "c1", "content": '{"place": "Oslo"}'},
    ]
    _asked(file, "m2", "a", at=(5, 6), heard=history, said=[{"content": "It is in Oslo."}])
    trace = file.read()
    assert told(trace) == [
        f"system system: {_SYSTEM}",
        "user user: Where is parcel 7?",
        'clerk calls look {"id": 7} as c1',
        "look answers c1: {'place': 'Oslo'}",
        "agent clerk: It is in Oslo.",
    ]
    assert [event.source for event in trace.events] == ["m1", "m1", "m1", "w1", "m2"]
    assert trace.events[2].raw["executed_by"] == "w1"
    assert trace.events[2].raw["announced_by"] == "m1"
    assert trace.events[2].at_s == 3.0
    assert [tool.name for tool in trace.tools] == ["look"]
    assert (trace.usage.input_tokens, trace.usage.output_tokens, trace.usage.calls) == (20, 4, 1)
    assert (trace.origin.dialect, trace.origin.service) == ("openinference", "desk")
    assert [loss.what for loss in file.losses] == [NO_SESSION]


def test_a_call_that_no_span_carries_out_is_answered_by_the_next_prompt(file, told):
    call = {"tool_calls.0.tool_call.id": "c1", "tool_calls.0.tool_call.function.name": "look"}
    _asked(file, "m1", at=(1, 2), heard=[{"role": "user", "content": "Look."}], said=[call])
    answer = {"role": "tool", "tool_call_id": "c1", "content": "nothing there"}
    history = [{"role": "user", "content": "Look."}, {"role": "assistant"} | call, answer]
    _asked(file, "m2", at=(3, 4), heard=history, said=[{"content": "Nothing."}])
    trace = file.read()
    assert told(trace) == [
        "user user: Look.",
        "agent calls look {} as c1",
        "look answers c1: nothing there",
        "agent agent: Nothing.",
    ]
    assert trace.events[2].source == "m2"


def test_arguments_that_are_no_object_are_kept_as_they_are(file):
    call = {
        "tool_calls.0.tool_call.function.name": "look",
        "tool_calls.0.tool_call.function.arguments": '{"id": 7',
    }
    _asked(file, "m1", at=(1, 2), heard=[{"role": "user", "content": "Look."}], said=[call])
    (made,) = [event for event in file.read().events if type(event).__name__ == "ToolCall"]
    assert (made.arguments, made.malformed) == ({}, '{"id": 7')


def test_a_user_who_says_the_same_twice_is_heard_twice(file, told):
    yes = {"role": "user", "content": "yes"}
    _asked(file, "m1", at=(1, 2), heard=[yes], said=[{"content": "Sure?"}])
    _asked(
        file, "m2", at=(3, 4), heard=[yes, {"role": "assistant", "content": "Sure?"}, yes], said=[{"content": "Done."}]
    )
    assert told(file.read()) == ["user user: yes", "agent agent: Sure?", "user user: yes", "agent agent: Done."]


def test_turns_of_one_session_are_one_trace_also_where_each_prompt_holds_its_own_turn_alone(file, told):
    for number in (1, 2):
        words = {"openinference.span.kind": "LLM", "session.id": "s9"}
        words |= _message("input", 0, role="user", content="yes") | _message(
            "output", 0, role="assistant", content="Ok."
        )
        file.span("ask", f"m{number}", at=(number, number + 0.5), told=words, trace=f"t{number}")
    trace = file.read()
    assert trace.id == "s9"
    assert told(trace) == ["user user: yes", "agent agent: Ok."] * 2


def test_contents_of_several_parts_are_one_text(file, told):
    parts = {
        "role": "user",
        "contents.0.message_content.type": "text",
        "contents.0.message_content.text": "What is this?",
        "contents.1.message_content.type": "image",
    }
    _asked(file, "m1", at=(1, 2), heard=[parts], said=[{"content": "A cat."}])
    assert told(file.read())[0] == "user user: What is this?\n[image]"


def test_where_messages_are_not_spelt_out_the_values_of_the_span_are_read(file, told):
    asked = {"messages": [{"role": "user", "content": "Hello"}]}
    answer = {"choices": [{"message": {"role": "assistant", "content": "Hi", "tool_calls": None}}]}
    told_of = {"openinference.span.kind": "LLM", "input.value": json.dumps(asked), "output.value": json.dumps(answer)}
    file.span("ask", "m1", at=(1, 2), told=told_of)
    assert told(file.read()) == ["user user: Hello", "agent agent: Hi"]


def test_what_a_retriever_finds_is_the_answer_to_a_call(file, told):
    found = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "opening hours",
        "retrieval.documents.0.document.content": "Nine to five.",
    }
    file.span("archive", "r1", at=(1, 2), told=found)
    assert told(file.read()) == [
        'agent calls archive {"input": "opening hours"} as r1',
        "archive answers r1: ['Nine to five.']",
    ]


def test_a_tool_that_fails_answers_with_its_exception(file):
    raised = file.event("exception", {"exception.type": "app.LockedError", "exception.message": "The drawer is locked"})
    told_of = {"openinference.span.kind": "TOOL", "tool.name": "open"}
    file.span("open", "w1", at=(1, 2), told=told_of, error="LockedError: The drawer is locked", events=[raised])
    result = file.read().events[-1]
    assert (result.is_error, result.content) == (True, "The drawer is locked")
    assert result.raw["error"] == "LockedError: The drawer is locked"


def test_a_model_that_fails_leaves_an_empty_message_with_its_error(file):
    told_of = {"openinference.span.kind": "LLM"} | _message("input", 0, role="user", content="Hello")
    file.span("ask", "m1", at=(1, 2), told=told_of, error="RateLimitError: slow down")
    event = file.read().events[-1]
    assert (event.role, event.text, event.raw["error"]) == ("agent", "", "RateLimitError: slow down")


def test_an_answer_that_a_framework_has_made_a_message_of_is_taken_out_of_it(file, told):
    message = {"content": '{"place": "Oslo"}', "type": "tool", "tool_call_id": "c1", "status": "error"}
    for number, output in enumerate(({"type": "tool", "data": message}, message)):
        answered = {"openinference.span.kind": "TOOL", "tool.name": "look", "output.value": json.dumps(output)}
        named = {"metadata": json.dumps({"lc_agent_name": "clerk", "langgraph_step": 2})}
        file.span("look", f"w{number}", at=(number, number + 0.5), told=answered | named)
    trace = file.read()
    assert [line for line in told(trace) if "fails" in line] == [
        f"look fails w{at}: {{'place': 'Oslo'}}" for at in (0, 1)
    ]
    assert trace.events[0].actor == "clerk"
