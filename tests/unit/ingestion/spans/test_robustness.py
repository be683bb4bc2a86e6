"""Files that are damaged, disordered, repeated or larger than memory."""

import json

from misstep.ingestion.spans.shortfalls import NO_PARENT

_MODEL = {"openinference.span.kind": "LLM"}


def _said(words, heard="Hello"):
    return _MODEL | {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": heard,
        "llm.output_messages.0.message.content": words,
    }


def _agent(name):
    return {"openinference.span.kind": "AGENT", "agent.name": name}


def _tool(name, given="{}", answer="ok"):
    return {"openinference.span.kind": "TOOL", "tool.name": name, "input.value": given, "output.value": answer}


def test_a_parent_that_is_missing_makes_a_root_and_is_counted(file, told):
    file.span("ask", "m1", "gone", at=(1, 2), told=_said("Hi"))
    assert told(file.read()) == ["user user: Hello", "agent agent: Hi"]
    assert (NO_PARENT, 1, 1) in [(loss.what, loss.lost, loss.of) for loss in file.losses]


def test_parents_that_go_round_in_a_circle_do_no_harm(file, told):
    file.span("ask", "m1", "m2", at=(1, 2), told=_said("One."))
    file.span("work", "m2", "m3", at=(0, 9))
    file.span("work", "m3", "m1", at=(0, 9))
    file.span("ask", "m4", "m4", at=(3, 4), told=_said("Two."))
    assert told(file.read()) == ["user user: Hello", "agent agent: One.", "agent agent: Two."]


def test_a_span_that_is_there_twice_is_one(file, told):
    file.span("ask", "m1", at=(1, 2), told=_MODEL)
    file.span("ask", "m1", at=(1, 2), told=_said("Hi"))
    file.span("ask", "m1", at=(1, 2), told=_MODEL)
    assert told(file.read()) == ["user user: Hello", "agent agent: Hi"]


def test_a_child_that_began_before_its_parent_is_moved_with_all_that_it_holds(file):
    file.span("run", "a", at=(100, 110), told=_agent("clerk"))
    file.span("server", "x", "a", at=(40, 44))
    file.span("look", "w1", "x", at=(41, 43), told=_tool("look"))
    call, result = file.read().events
    assert (call.at_s, result.at_s) == (1.0, 3.0)


def test_spans_without_times_stand_in_the_order_of_the_tree(file, told):
    file.span("run", "a", at=(-1000, -1000), told=_agent("clerk"))
    for number in range(3):
        file.span("look", f"w{number}", "a", at=(-1000, -1000), told=_tool(f"look{number}"))
    assert [line.split()[2] for line in told(file.read()) if "calls" in line] == ["look0", "look1", "look2"]


def test_a_call_id_that_repeats_answers_each_call_with_its_own_result(file):
    for number in (1, 2):
        call = {
            "llm.output_messages.0.message.tool_calls.0.tool_call.id": "same",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": json.dumps({"id": number}),
        }
        file.span("ask", f"m{number}", at=(number * 10, number * 10 + 1), told=_MODEL | call)
        did = _tool("look", json.dumps({"id": number}), f"answer {number}") | {"tool_call.id": "same"}
        file.span("look", f"w{number}", at=(number * 10 + 2, number * 10 + 3), told=did)
    trace = file.read()
    assert [(each.call.arguments, each.result.content) for each in trace.exchanges] == [
        ({"id": 1}, "answer 1"),
        ({"id": 2}, "answer 2"),
    ]


def test_agents_that_work_side_by_side_keep_their_names_in_the_order_of_time(file, told):
    file.span("run", "a", at=(0, 9), told=_agent("lead"))
    for name, offset in (("left", 0.0), ("right", 0.5)):
        file.span("run", f"a-{name}", "a", at=(1 + offset, 8), told=_agent(name))
        for number in (1, 2):
            said = _MODEL | {"llm.output_messages.0.message.content": f"{name} {number}"}
            file.span(
                "ask", f"m-{name}{number}", f"a-{name}", at=(number * 2 + offset, number * 2 + 1 + offset), told=said
            )
    assert told(file.read()) == [
        "lead hands to left: ",
        "lead hands to right: ",
        "agent left: left 1",
        "agent right: right 1",
        "agent left: left 2",
        "agent right: right 2",
    ]


def test_work_that_goes_from_one_agent_to_the_next_is_handed_over(file, told):
    file.span("workflow", "x", at=(0, 20))
    file.span("run", "a1", "x", at=(1, 5), told=_agent("triage"))
    file.span(
        "ask", "m1", "a1", at=(2, 3), told=_MODEL | {"llm.output_messages.0.message.content": "This is for billing."}
    )
    file.span("run", "a2", "x", at=(6, 9), told=_agent("billing") | {"input.value": "Handle the refund, please."})
    assert told(file.read()) == [
        "agent triage: This is for billing.",
        "triage hands to billing: Handle the refund, please.",
    ]


def test_an_error_of_a_framework_is_on_the_tape(file, told):
    file.span("run", "a", at=(0, 9), told=_agent("clerk"))
    file.span("graph", "x", "a", at=(1, 2), told={"openinference.span.kind": "CHAIN"}, error="Recursion limit reached")
    assert told(file.read()) == ["environment fails : Recursion limit reached"]


def test_several_sessions_within_one_trace_are_told_apart(file):
    file.span("batch", "x", at=(0, 99))
    for number in (1, 2):
        file.span(
            "run",
            f"a{number}",
            "x",
            at=(number * 10, number * 10 + 5),
            told=_agent("clerk") | {"session.id": f"s{number}"},
        )
        file.span("ask", f"m{number}", f"a{number}", at=(number * 10 + 1, number * 10 + 2), told=_said(f"Hi {number}"))
    traces = file.read_all()
    assert [(trace.id, trace.events[-1].text) for trace in traces] == [("s1", "Hi 1"), ("s2", "Hi 2")]
    assert [trace.usage.turns for trace in traces] == [1, 1]


def test_an_agent_that_serves_another_under_its_own_session_stays_in_the_conversation(file):
    file.span("run", "a", at=(0, 9), told=_agent("lead") | {"session.id": "outer"})
    file.span("run", "b", "a", at=(1, 8), told=_agent("helper") | {"session.id": "inner"})
    file.span("ask", "m1", "b", at=(2, 3), told=_said("Hi"))
    assert file.read().id == "outer"


def test_turns_of_one_session_stay_together_though_an_agent_in_them_has_a_session_of_its_own(file, told):
    for turn in (1, 2):
        at, trace = turn * 10, f"t{turn}"
        file.span("run", f"a{turn}", at=(at, at + 9), told=_agent("lead") | {"session.id": "outer"}, trace=trace)
        inner = _agent("helper") | {"session.id": f"inner {turn}"}
        file.span("run", f"b{turn}", f"a{turn}", at=(at + 1, at + 8), told=inner, trace=trace)
        said = _MODEL | {"llm.output_messages.0.message.content": f"Hi {turn}"}
        file.span("ask", f"m{turn}", f"b{turn}", at=(at + 2, at + 3), told=said, trace=trace)
    trace = file.read()
    assert trace.id == "outer"
    assert [line for line in told(trace) if "agent helper" in line] == ["agent helper: Hi 1", "agent helper: Hi 2"]


def test_attributes_that_no_field_holds_are_kept_but_not_without_end(file):
    told_of = (
        _said("Hi")
        | {"app.version": "2", "app.blob": "x" * 10_000}
        | {f"app.n{number}": number for number in range(500)}
    )
    file.span("ask", "m1", at=(1, 2), told=told_of)
    raw = file.read().events[-1].raw
    assert raw["app.version"] == "2"
    assert len(json.dumps(raw)) < 4000


def test_prompts_that_were_cut_do_not_repeat_what_was_said(file, told):
    long = "The parcel left the depot in Oslo on Monday and will be with you on Thursday before noon. " * 3
    file.span("ask", "m1", at=(1, 2), told=_said(long))
    again = _MODEL | {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Hello",
        "llm.input_messages.1.message.role": "assistant",
        "llm.input_messages.1.message.content": long[:100] + "...",
        "llm.input_messages.2.message.role": "user",
        "llm.input_messages.2.message.content": "Thanks",
        "llm.output_messages.0.message.content": "Bye.",
    }
    file.span("ask", "m2", at=(3, 4), told=again)
    assert told(file.read()) == ["user user: Hello", f"agent agent: {long}", "user user: Thanks", "agent agent: Bye."]


def test_a_file_that_is_too_large_for_memory_reads_the_same(file, monkeypatch):
    for number in range(20):
        trace = f"t{number % 4}"
        file.span("run", f"a{number}", at=(number, number + 1), told=_agent("clerk"), trace=trace)
        file.span(
            "ask",
            f"m{number}",
            f"a{number}",
            at=(number, number + 1),
            told=_said(f"Hi {number}", f"Hello {number}"),
            trace=trace,
        )
    small = file.read_all()
    monkeypatch.setattr("misstep.ingestion.spans.reading.IN_MEMORY", 100)
    assert file.read_all() == small
    assert len(small) == 4


def test_history_that_every_prompt_repeats_costs_no_more_than_to_read_it(file):
    messages: list[tuple[str, str]] = []
    for number in range(60):
        messages.append(("user", f"Question number {number}, and please answer it as well as you can."))
        told_of = dict(_MODEL)
        for at, (role, content) in enumerate(messages):
            told_of |= {
                f"llm.input_messages.{at}.message.role": role,
                f"llm.input_messages.{at}.message.content": content,
            }
        told_of["llm.output_messages.0.message.content"] = f"Answer number {number}, which is as good as I can make it."
        file.span("ask", f"m{number}", at=(number, number + 0.5), told=told_of)
        messages.append(("assistant", f"Answer number {number}, which is as good as I can make it."))
    assert [event.text for event in file.read().events] == [content for _, content in messages]


def test_an_agent_that_streams_has_not_answered_before_it_worked(file, told):
    file.span("run", "a", at=(1, 2), told=_agent("clerk") | {"input.value": "Hello", "output.value": "Done."})
    file.span("ask", "m1", "a", at=(2, 3), told=_said("Let me see."))
    file.span("look", "t1", "a", at=(3, 4), told=_tool("look"))
    assert told(file.read())[-1] == "agent clerk: Done."
