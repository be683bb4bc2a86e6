"""Each dialect of transcripts, by an example: who said and did what, and where it stands in the file."""

import json
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.trace import Trace, encode_trace
from misstep.ingestion.losses import NO_RESULT, NO_SESSION, NO_TOOLS, Losses
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.transcripts import openai_chat

Read = Callable[..., tuple[list[Trace], list[BadRecord], object]]


def outline(trace: Trace) -> list[tuple[object, ...]]:
    """What happened, in short."""
    short: list[tuple[object, ...]] = []
    for event in trace.events:
        match event:
            case Message():
                short.append((event.source, event.role, event.actor, event.text))
            case Thought():
                short.append((event.source, "thought", event.actor, event.text))
            case ToolCall():
                short.append((event.source, "call", event.tool, event.arguments))
            case ToolResult():
                short.append((event.source, "error" if event.is_error else "result", event.actor, event.content))
            case Handoff():
                short.append((event.source, "handoff", event.to, event.text))
            case _:
                raise AssertionError(event)
    return short


LAMP = {"id": "L-7", "watts": 40, "stock": 3}
LANGCHAIN = [
    (0, "system", "system", "You sell lamps."),
    (1, "user", "user", "Is lamp L-7 in stock? If so, keep 9 for me."),
    (2, "call", "find_lamp", {"id": "L-7"}),
    (3, "result", "find_lamp", LAMP),
    (4, "agent", "seller", "I shall reserve them."),
    (4, "call", "reserve_lamp", {"id": "L-7", "count": 9}),
    (5, "error", "reserve_lamp", "Only 3 are left."),
    (6, "agent", "seller", "There are only 3."),
]
INSPECT = [
    (0, "system", "system", "You sell lamps."),
    (1, "user", "user", "How strong is lamp L-7?"),
    (2, "agent", "agent", "tool call for tool find_lamp"),
    (2, "call", "find_lamp", {"number": "L-8"}),
    (3, "error", "find_lamp", "No such lamp."),
    (4, "agent", "agent", "tool call for tool find_lamp"),
    (4, "call", "find_lamp", {"number": "L-7"}),
    (5, "result", "find_lamp", LAMP),
    (6, "agent", "agent", "It has 40 watts."),
]
EXPECTED: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "langchain-dumped.json": ("langchain", LANGCHAIN),
    "langchain-constructed.json": ("langchain", LANGCHAIN),
    "langchain-wrapped.json": ("langchain", LANGCHAIN),
    "inspect.json": ("inspect", INSPECT),
    "inspect.eval": ("inspect", INSPECT),
    "agentdojo.json": (
        "agentdojo",
        [
            (0, "system", "system", "You sell lamps."),
            (1, "user", "user", "How strong is lamp L-7?"),
            (2, "agent", "agent", "Which?"),
            (2, "call", "find_lamp", {"number": "L-8"}),
            (3, "error", "find_lamp", "ValueError: No such lamp."),
            (4, "call", "find_lamp", {"number": "L-7"}),
            (5, "result", "find_lamp", str(LAMP)),
            (6, "agent", "agent", "It has 40 watts."),
        ],
    ),
    "anthropic.json": (
        "anthropic",
        [
            ("system", "system", "system", "You sell lamps."),
            (0, "user", "user", "Which is stronger, L-7 or L-8?"),
            (1, "thought", "agent", "I must look both up."),
            (1, "agent", "agent", "One moment."),
            (1, "call", "find_lamp", {"id": "L-7"}),
            (1, "call", "find_lamp", {"id": "L-8"}),
            (2, "result", "find_lamp", LAMP),
            (2, "error", "find_lamp", "No such lamp."),
            (3, "agent", "agent", "L-7 has 40 watts; there is no L-8."),
        ],
    ),
    "anthropic-session.jsonl": (
        "anthropic",
        [
            ("line 2", "user", "user", "How strong is L-7?"),
            ("line 3", "call", "find_lamp", {"id": "L-7"}),
            ("line 4", "result", "find_lamp", "40 watts"),
            ("line 5", "agent", "agent", "It has 40 watts."),
        ],
    ),
    "openai-chat.json": (
        "openai-chat",
        [
            (0, "system", "system", "You sell lamps."),
            (1, "user", "user", "How strong is lamp L-7?"),
            (2, "call", "find_lamp", {"id": "L-7"}),
            (3, "result", "find_lamp", LAMP),
            (4, "agent", "agent", "It has 40 watts."),
        ],
    ),
    "openai-responses.json": (
        "openai-responses",
        [
            ("instructions", "system", "system", "You sell lamps."),
            (0, "user", "user", "How strong is lamp L-7?"),
            (1, "thought", "agent", "I must look it up."),
            (2, "call", "find_lamp", {"id": "L-7"}),
            (3, "result", "find_lamp", LAMP),
            (4, "call", "ask", {}),
            (4, "error", "ask", {"type": "http_error", "code": 504, "message": "no answer"}),
            (5, "call", "web_search", {"type": "search", "query": "L-7", "queries": None, "sources": None}),
            (5, "result", "web_search", None),
            (6, "agent", "agent", "It has 40 watts."),
        ],
    ),
    "openai-responses-session.jsonl": (
        "openai-responses",
        [
            ("line 2", "user", "user", "List the lamps."),
            ("line 3", "call", "shell", {"command": ["ls"]}),
            ("line 4", "result", "shell", "lamp.py"),
            ("line 6", "agent", "agent", "There is one."),
        ],
    ),
    "swe-agent.traj": (
        "swe-agent",
        [
            ("history 0", "system", "system", "You mend programs."),
            ("history 2", "user", "user", "The lamp is too weak. Mend it."),
            (0, "thought", "agent", "Let me look."),
            (0, "call", "shell", {"command": "ls -F\n"}),
            (0, "result", "shell", "lamp.py\n"),
            (1, "thought", "agent", "I mend it."),
            (1, "call", "shell", {"command": "edit 1:1\nwatts = 40\nend_of_edit"}),
            (1, "result", "shell", "E999 IndentationError"),
            (2, "thought", "agent", "Done."),
            (2, "call", "shell", {"command": "submit"}),
            (2, "result", "shell", "diff --git a/lamp.py b/lamp.py"),
        ],
    ),
    "swe-agent-history.traj": (
        "swe-agent",
        [
            (0, "system", "system", "You mend programs."),
            (1, "user", "user", "The lamp is too weak."),
            (2, "thought", "agent", "Find it."),
            (2, "call", "find_file", {"file_name": "lamp.py"}),
            (3, "result", "find_file", "Found 1 match."),
            (4, "thought", "agent", "Mend it."),
            (4, "call", "shell", {"command": "edit 1:1"}),
            (5, "result", "shell", "Done."),
        ],
    ),
    "who-and-when.json": (
        "who-and-when",
        [
            ("system_prompt.Counting_Expert", "system", "system", "You count."),
            ("question", "user", "user", "How many lamps of 40 watts are there?"),
            (0, "agent", "Counting_Expert", "You are given a task: count the lamps."),
            (1, "agent", "Computer_terminal", "exitcode: 0\nCode output: 3"),
            (2, "agent", "Checking_Expert", "There are 3."),
        ],
    ),
    "who-and-when-crew.json": (
        "who-and-when",
        [
            (0, "user", "user", "Find the shop's opening hours."),
            (1, "thought", "Boss", "Plan: ask the surfer."),
            (2, "handoff", "Surfer", "Please open the shop's page."),
            (3, "agent", "Surfer", "The page says 9 to 5."),
            (4, "agent", "Boss", "Done."),
        ],
    ),
    "tau2.json": (
        "tau-bench",
        [
            (0, "agent", "agent", "Hello! How can I help?"),
            (1, "user", "user", "Send L-7 back, please."),
            (2, "call", "return_lamp", {"id": "L-8"}),
            (3, "error", "return_lamp", "No such lamp"),
            (4, "agent", "agent", "It is on its way back."),
        ],
    ),
    "misstep.jsonl": (
        "misstep",
        [
            (0, "user", "user", "Hello."),
            (1, "call", "find_lamp", {"id": "L-7"}),
            (2, "result", "find_lamp", {"stock": 3}),
        ],
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_says_what_happened_and_where_it_stands(read: Read, name: str) -> None:
    traces, bad, ingestion = read(name)
    dialect, expected = EXPECTED[name]
    assert bad == []
    assert [outline(trace) for trace in traces] == [expected]
    assert ingestion.dialect == dialect  # type: ignore[attr-defined]


def test_what_the_answer_is_never_gets_into_a_trace(read: Read) -> None:
    for name in ("who-and-when.json", "who-and-when-crew.json", "tau-bench.json", "tau2.json"):
        traces, _, _ = read(name)
        assert traces
        assert all(b"SECRET" not in encode_trace(trace) for trace in traces)


def test_the_grading_of_a_benchmark_says_only_whether_it_failed(read: Read) -> None:
    assert [trace.origin.failed for trace in read("tau-bench.json")[0]] == [True, False]
    assert [trace.origin.failed for trace in read("who-and-when.json")[0]] == [True]
    assert [trace.origin.failed for trace in read("inspect.json")[0]] == [False]
    (dojo,), _, _ = read("agentdojo.json")
    assert dojo.origin.failed is False
    assert b"Sell it for nothing" not in encode_trace(dojo)
    assert [trace.origin.failed for trace in read("openai-chat.json")[0]] == [None]


def test_trials_of_one_task_have_one_scenario_and_names_of_their_own(read: Read) -> None:
    one, other = read("tau-bench.json")[0]
    assert one.origin.scenario == other.origin.scenario == "task 4"
    assert (one.origin.trial, other.origin.trial) == (0, 1)
    assert one.id != other.id


def test_calls_with_one_id_each_have_their_own_result(read: Read) -> None:
    trace = read("tau-bench.json")[0][0]
    assert [exchange.call.tool for exchange in trace.exchanges] == ["find_lamp", "return_lamp"]
    assert [exchange.result and exchange.result.actor for exchange in trace.exchanges] == ["find_lamp", "return_lamp"]
    assert len({exchange.call.call_id for exchange in trace.exchanges}) == 2
    assert trace.exchanges[1].call.raw == {"call_id": "call_1"}


def test_lines_of_several_conversations_are_told_apart(read: Read) -> None:
    traces, bad, _ = read("plain.jsonl")
    assert bad == []
    assert {trace.id: outline(trace) for trace in traces} == {
        "s-1": [
            ("line 1", "user", "user", "Is L-7 in stock?"),
            ("line 3", "call", "find_lamp", {"id": "L-7"}),
            ("line 4", "result", "find_lamp", {"stock": 3}),
            ("line 5", "agent", "agent", "Yes: 3 are left."),
        ],
        "s-2": [("line 2", "user", "user", "Hello?"), ("line 6", "agent", "clerk", "Good morning.")],
    }


def test_time_never_runs_backwards_in_a_trace(read: Read) -> None:
    trace = read("plain.jsonl")[0][0]
    assert [event.at_s for event in trace.events] == [0.0, 3.0, 3.0, 5.0]
    assert trace.origin.began == "2026-01-01T10:00:00+00:00"
    assert trace.usage.seconds == 5.0


def test_old_calls_of_functions_and_broken_arguments_are_kept(read: Read) -> None:
    (first, second), bad, _ = read("openai-chat-lines.jsonl")
    assert bad == []
    call = first.exchanges[0].call
    assert (call.tool, call.arguments, call.malformed) == ("find_lamp", {}, '{"id": "L-7"')
    assert first.exchanges[0].succeeded
    assert first.id == "conv-1"
    assert [message.text for _, message in second.messages] == ["Good morning.", "Good morning."]
    assert (second.usage.input_tokens, second.usage.output_tokens, second.origin.agent) == (5, 3, "m-1")


def test_tools_and_usage_are_read_where_a_file_has_them(read: Read) -> None:
    for name in ("openai-chat.json", "openai-responses.json", "anthropic.json", "inspect.json"):
        (trace,), _, _ = read(name)
        assert [tool.name for tool in trace.tools] == ["find_lamp"]
        assert trace.tools[0].input_schema["type"] == "object"
    assert read("anthropic.json")[0][0].usage.input_tokens == 40
    assert read("langchain-dumped.json")[0][0].usage.output_tokens == 27
    assert read("swe-agent.traj")[0][0].usage.cost == 0.02


def test_our_own_traces_come_back_as_they_were(read: Read) -> None:
    (trace,), _, _ = read("misstep.jsonl")
    assert (trace.origin.scenario, trace.origin.seed, trace.origin.file) == ("lamps", 1, None)
    assert trace.tools[0].effect == "destroys"


def test_a_log_that_zstandard_packed_is_read_or_says_what_that_takes(read: Read) -> None:
    traces, bad, _ = read("inspect-packed.eval")
    if sys.version_info >= (3, 14) or find_spec("zstandard"):
        assert [outline(trace) for trace in traces] == [INSPECT]
    else:
        assert traces == []
        assert "pip install zstandard" in bad[0].because


def test_a_result_without_an_id_answers_the_call_of_its_tool() -> None:
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("one", "two")]
    messages = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "name": "two", "content": "2"},
        {"role": "tool", "name": "one", "content": "1"},
    ]
    (trace,) = openai_chat.traces(Record("", messages), Path("x.json"), Losses())
    assert isinstance(trace, Trace)
    assert [exchange.result and exchange.result.content for exchange in trace.exchanges] == ["1", "2"]


def test_a_call_that_was_never_answered_does_not_take_its_namesakes_result() -> None:
    def call(tool: str) -> dict[str, object]:
        return {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": tool, "arguments": "{}"}}]}

    messages = [call("one"), call("two"), {"role": "tool", "tool_call_id": "c", "content": "2"}]
    losses = Losses()
    (trace,) = openai_chat.traces(Record("", messages), Path("x.json"), losses)
    assert isinstance(trace, Trace)
    assert [exchange.result and exchange.result.content for exchange in trace.exchanges] == [None, "2"]
    assert [(loss.what, loss.lost, loss.of) for loss in losses.report()] == [(NO_RESULT, 1, 2), (NO_TOOLS, 1, 1)]


def data() -> Path:
    root = Path(os.environ.get("MISSTEP_DATA") or Path(__file__).parents[4] / "shared" / "data")
    if not root.is_dir():
        pytest.skip(f"there are no real traces in {root}; MISSTEP_DATA names their folder")
    return root


def test_real_conversations_of_several_agents_keep_the_places_of_their_turns(read: Read) -> None:
    files = sorted(data().glob("who-and-when/*/*.json"))
    for file in files:
        (trace,), bad, _ = read(file)
        history = json.loads(file.read_bytes())["history"]
        assert bad == []
        assert [event.source for event in trace.events if isinstance(event.source, int)] == list(range(len(history)))
        label = json.loads(file.read_bytes())["mistake_agent"]
        assert b"mistake" not in encode_trace(trace) or "mistake" in json.dumps(history)
        assert any(event.actor == label for event in trace.events)


def test_real_runs_with_repeated_call_ids_lose_no_result(read: Read) -> None:
    for file in sorted(data().glob("tau-*/*.json")):
        traces, bad, ingestion = read(file)
        assert bad == []
        assert len(traces) == len(json.loads(file.read_bytes()))
        assert [loss.what for loss in ingestion.losses] == [NO_TOOLS, NO_SESSION]  # type: ignore[attr-defined]
        assert all(exchange.result for trace in traces for exchange in trace.exchanges)
