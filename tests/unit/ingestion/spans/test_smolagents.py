"""Traces of smolagents as trees of OpenInference spans, every value a text."""

import json

_TASK = "How many lighthouses stand on the island that was sold twice in one year?"


def _span(name, span_id, kind, *, at, told=None, children=(), error="", raised=""):
    events = []
    if raised:
        events = [
            {
                "Name": "exception",
                "Timestamp": "",
                "Attributes": {"exception.type": f"smol.{error}", "exception.message": raised},
            }
        ]
    return {
        "timestamp": f"2025-03-19T16:40:{at[0]:02}Z",
        "duration": f"PT{at[1] - at[0]}S",
        "trace_id": "t1",
        "span_id": span_id,
        "parent_span_id": "",
        "span_name": name,
        "span_kind": "Internal",
        "span_attributes": {"openinference.span.kind": kind} | (told or {}),
        "status_code": "Error" if error else "Ok",
        "status_message": f"{error}: {raised}" if error else "",
        "events": events,
        "logs": [{"body": {"true_answer": "SECRET"}}],
        "resource_attributes": {"service.name": "lab"},
        "scope_name": "",
        "child_spans": list(children),
    }


def _model(span_id, heard, said, *, at):
    told = {}
    for number, (role, content) in enumerate(heard):
        told[f"llm.input_messages.{number}.message.role"] = role
        told[f"llm.input_messages.{number}.message.content"] = content
    told["llm.output_messages.0.message.role"] = "assistant"
    if isinstance(said, str):
        told["llm.output_messages.0.message.content"] = said
    else:
        call = "llm.output_messages.0.message.tool_calls.0.tool_call"
        told |= {
            f"{call}.id": said[0],
            f"{call}.function.name": said[1],
            f"{call}.function.arguments": json.dumps(said[2]),
        }
    return _span("Model.__call__", span_id, "LLM", at=at, told=told)


def _agent(name, span_id, children, *, at, task=_TASK, told=None, **more):
    given = {"input.value": json.dumps({"task": task, "stream": False})} | (told or {})
    return _span(f"{name}.run", span_id, "AGENT", at=at, told=given, children=children, **more)


def _tree(*spans):
    return {"trace_id": "t1", "spans": list(spans)}


_CODE = "Thought: I will count them.\n\nCode:\n```py\nprint(count())\n```"


_SYSTEM = ("system", "You solve any task with code. Think first, and then write it.")
_REQUEST = ("user", f"New task:\n{_TASK}")
_FINAL = "Code:\n```py\nfinal_answer(17)\n```"
_CALLED = (
    "{'id': 'call_1', 'type': 'function', 'function': {'name': 'python_interpreter', 'arguments': 'print(count())'}}"
)
_RETOLD = [
    _SYSTEM,
    _REQUEST,
    ("assistant", _CODE + "<end_code>"),
    ("tool-call", f"Calling tools:\n[{_CALLED}]"),
    ("tool-response", "Call id: call_1\nObservation:\nExecution logs:\nseventeen of them"),
]


def _counting():
    asked = [_model("m1", [_SYSTEM, _REQUEST], _CODE, at=(1, 3))]
    first = _span("Step 1", "s1", "CHAIN", at=(1, 4), told={"output.value": _RETOLD[-1][1][29:]}, children=asked)
    answering = {
        "tool.name": "final_answer",
        "tool.parameters": json.dumps({"answer": {"type": "any"}}),
        "input.value": json.dumps({"args": [17], "sanitize_inputs_outputs": False, "kwargs": {}}),
    }
    inner = [
        _model("m2", _RETOLD, _FINAL, at=(5, 7)),
        _span("FinalAnswerTool", "w1", "TOOL", at=(8, 8), told=answering),
    ]
    second = _span("Step 2", "s2", "CHAIN", at=(5, 9), told={"output.value": "Execution logs:\n17"}, children=inner)
    return _tree(_agent("CodeAgent", "a", [first, second], at=(0, 10), told={"output.value": "17"}))


def test_what_running_code_gave_is_an_answer_without_a_call(file, told):
    trace = file.read(_counting())
    assert told(trace) == [
        f"user user: {_TASK}",
        f"system system: {_SYSTEM[1]}",
        f"agent CodeAgent: {_CODE}",
        "environment answers : Execution logs:\nseventeen of them",
        f"agent CodeAgent: {_FINAL}",
        'CodeAgent calls final_answer {"answer": 17} as w1',
        "final_answer answers w1: None",
        "environment answers : Execution logs:\n17",
        "agent CodeAgent: 17",
    ]
    assert trace.events[3].source == "s1"
    assert trace.events[4].raw["parent_name"] == "Step 2"
    assert "SECRET" not in str(trace)


def test_calls_of_an_earlier_run_that_is_in_no_file_are_told_with_their_arguments(file, told):
    retold = [
        _SYSTEM,
        ("tool-call", "Calling tools:\n[{'id': 'c1', 'function': {'name': 'find', 'arguments': {'id': \"A-7's\"}}}]"),
        ("tool-call", "Calling tools:\n[{'id': 'c2', 'function': {'name': 'cut"),
        _REQUEST,
    ]
    trace = file.read(_tree(_model("m1", retold, "There are none.", at=(1, 3))))
    assert [line for line in told(trace) if "calls" in line] == ['agent calls find {"id": "A-7\'s"} as c1']


def test_code_that_cannot_be_run_is_an_answer_that_says_why(file, told):
    why = "Code parsing failed on line 1 due to: SyntaxError"
    first = _span(
        "Step 1",
        "s1",
        "CHAIN",
        at=(1, 4),
        error="AgentExecutionError",
        raised=why,
        children=[
            _model("m1", [("user", _TASK)], _CODE, at=(1, 3)),
        ],
    )
    retold = (
        "tool-response",
        f"Call id: call_1\nError:\n{why}\nNow let's retry: take care not to repeat previous errors!",
    )
    second = _span(
        "Step 2",
        "s2",
        "CHAIN",
        at=(5, 9),
        children=[
            _model("m2", [("user", _TASK), ("assistant", _CODE), retold], "I give up on this one.", at=(5, 7)),
        ],
    )
    trace = file.read(_tree(_agent("CodeAgent", "a", [first, second], at=(0, 10))))
    assert told(trace)[1:] == [
        f"agent CodeAgent: {_CODE}",
        f"environment fails : {why}",
        "agent CodeAgent: I give up on this one.",
    ]
    assert trace.events[2].raw["error"] == f"AgentExecutionError: {why}"


def test_a_managed_agent_gets_its_work_handed_over(file, told):
    task = "You're a helpful agent named 'scout'. Find the island that was sold twice in one year."
    scout = _agent(
        "ToolCallingAgent",
        "b",
        [
            _span(
                "Step 1",
                "s2",
                "CHAIN",
                at=(4, 6),
                told={"output.value": "Found: Lundy"},
                children=[
                    _model("m2", [("user", f"New task:\n{task}")], ("c1", "search", {"query": "island"}), at=(4, 5)),
                    _span(
                        "SearchTool",
                        "w1",
                        "TOOL",
                        at=(5, 6),
                        told={
                            "tool.name": "search",
                            "tool.parameters": json.dumps({"query": {"type": "string"}}),
                            "input.value": json.dumps({"args": [], "kwargs": {"query": "island"}}),
                            "output.value": "Found: Lundy",
                        },
                    ),
                ],
            ),
        ],
        at=(3, 7),
        task=task,
        told={"output.value": "It is Lundy, as far as I can tell."},
    )
    outer = _agent(
        "CodeAgent",
        "a",
        [
            _span(
                "Step 1", "s1", "CHAIN", at=(1, 8), children=[_model("m1", [("user", _TASK)], _CODE, at=(1, 2)), scout]
            ),
        ],
        at=(0, 9),
        told={"smolagents.managed_agents.0.name": "scout"},
    )
    trace = file.read(_tree(outer))
    assert told(trace)[2:] == [
        f"CodeAgent hands to scout: {task}",
        'scout calls search {"query": "island"} as c1',
        "search answers c1: Found: Lundy",
        "agent scout: It is Lundy, as far as I can tell.",
    ]


def test_a_call_of_a_tool_that_does_not_exist_is_answered_by_the_error_of_its_round(file, told):
    why = "Unknown tool serch, should be instead one of: search, final_answer."
    step = _span(
        "Step 1",
        "s1",
        "CHAIN",
        at=(1, 4),
        error="AgentExecutionError",
        raised=why,
        children=[
            _model("m1", [("user", _TASK)], ("c1", "serch", {"query": "x"}), at=(1, 3)),
        ],
    )
    assert told(file.read(_tree(_agent("ToolCallingAgent", "a", [step], at=(0, 5)))))[1:] == [
        'ToolCallingAgent calls serch {"query": "x"} as c1',
        f"serch fails c1: {why}",
    ]


def test_a_prompt_that_holds_the_request_is_not_the_user_speaking(file, told):
    plan = (
        f"Below is a task.\n\nMake a plan of at most five steps for it and end with a full stop.\n\n{_TASK}\nNow begin!"
    )
    agent = _agent("CodeAgent", "a", [_model("m1", [("user", plan)], "1. Look it up.", at=(1, 2))], at=(0, 5))
    assert [line.partition(":")[0] for line in told(file.read(_tree(agent)))] == [
        "user user",
        "system system",
        "agent CodeAgent",
    ]


def test_an_error_is_told_once_on_its_way_up(file, told):
    model = _span("Model.__call__", "m1", "LLM", at=(1, 2), error="RateLimitError", raised="slow down")
    step = _span(
        "Step 1",
        "s1",
        "CHAIN",
        at=(1, 3),
        error="AgentGenerationError",
        raised="Error in generating: slow down",
        children=[model],
    )
    trace = file.read(
        _tree(
            _agent(
                "CodeAgent",
                "a",
                [step],
                at=(0, 5),
                error="AgentGenerationError",
                raised="Error in generating: slow down",
            )
        )
    )
    assert told(trace)[1:] == ["agent CodeAgent: "]
    assert (trace.end, trace.error) == ("agent-raised", "AgentGenerationError: Error in generating: slow down")
