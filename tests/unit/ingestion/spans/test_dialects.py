"""One small conversation as each dialect writes it: `examples/` has a file for each, in OTLP's JSON or as exported."""

import json
from pathlib import Path

import pytest

from misstep.ingestion.losses import NO_SESSION, NO_TOOLS

_EXAMPLES = Path(__file__).parent / "examples"
_EXPECTED = [
    "system system: Be brief.",
    "user user: Where is parcel 7?",
    'clerk calls look {"id": 7} as c1',
    "look answers c1: {'place': 'Oslo'}",
    "agent clerk: In Oslo.",
]
_FIRST_WORDS = 2
_DIALECTS = {
    "adk": "adk",
    "langfuse": "langfuse",
    "langfuse-export": "langfuse",
    "mlflow": "mlflow",
    "mlflow-export": "mlflow",
    "otel-genai": "otel-genai",
    "pydantic-ai-1": "pydantic-ai",
    "pydantic-ai-3": "pydantic-ai",
    "traceloop": "traceloop",
    "vercel-ai": "vercel-ai",
}
# What these files lack as their packages write them.
_LACKS = {
    "langfuse": {NO_TOOLS},
    "langfuse-export": {NO_TOOLS},
    "mlflow": {NO_SESSION, NO_TOOLS},
    "mlflow-export": {NO_TOOLS},
    "pydantic-ai-1": {NO_SESSION, NO_TOOLS},
    "pydantic-ai-3": {NO_SESSION},
}


def _example(name):
    return json.loads((_EXAMPLES / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", _DIALECTS)
def test_the_same_conversation_is_read_from_every_dialect(file, told, name):
    trace = file.read(_example(name))
    # An agent's span tells of the user before the first prompt tells of the system.
    assert sorted(told(trace)[:_FIRST_WORDS]) == _EXPECTED[:_FIRST_WORDS]
    assert told(trace)[_FIRST_WORDS:] == _EXPECTED[_FIRST_WORDS:]
    assert [event.source for event in trace.events[_FIRST_WORDS:]] == ["m1", "w1", "m2"]
    assert trace.events[_FIRST_WORDS].raw["executed_by"] == "w1"
    assert trace.origin.dialect == _DIALECTS[name]
    assert {loss.what for loss in file.losses} == _LACKS.get(name, set())


@pytest.mark.parametrize("name", _DIALECTS)
def test_a_conversation_reads_the_same_from_spans_in_any_order(file, name):
    example = _example(name)
    forward = file.read(example)
    for holder in example.get("resourceSpans", []):
        holder["scopeSpans"].reverse()
    for spans in (example.get("observations"), example.get("data", {}).get("spans")):
        if spans:
            spans.reverse()
    assert file.read(example).events == forward.events


def test_every_example_is_read_by_a_test():
    assert {path.stem for path in _EXAMPLES.iterdir()} == set(_DIALECTS)


@pytest.mark.parametrize("name", ["adk", "traceloop", "vercel-ai", "langfuse-export", "mlflow-export", "otel-genai"])
def test_a_conversation_is_called_by_its_session(file, name):
    assert file.read(_example(name)).id == "s1"


@pytest.mark.parametrize(
    ("name", "tokens"), [("adk", 8), ("traceloop", 4), ("vercel-ai", 4), ("langfuse-export", 4), ("pydantic-ai-1", 9)]
)
def test_tokens_are_those_of_the_models_or_else_of_the_agent(file, name, tokens):
    assert file.read(_example(name)).usage.input_tokens == tokens


@pytest.mark.parametrize("name", ["adk", "traceloop", "vercel-ai", "otel-genai", "pydantic-ai-3"])
def test_what_was_on_offer_is_known(file, name):
    assert [tool.name for tool in file.read(_example(name)).tools] == ["look"]


@pytest.mark.parametrize("name", ["langfuse-export", "mlflow-export"])
def test_an_export_says_who_the_user_was(file, name):
    assert file.read(_example(name)).origin.user == "ada"


def test_langfuse_exports_pages_of_traces_and_rows_of_observations_too(file, told):
    trace = _example("langfuse-export")
    read = file.read(trace)
    assert file.read({"data": [trace], "meta": {"page": 1}}) == read
    rows = "\n".join(json.dumps(each) for each in trace["observations"])
    assert told(file.read(rows, "rows.jsonl")) == told(read)


def test_a_run_without_spans_of_its_models_is_read_from_its_messages(file, told):
    def text(role, words):
        return {"role": role, "parts": [{"type": "text", "content": words}]}

    messages = [text("system", "Be brief."), text("user", "Hello"), text("assistant", "Hi, what can I do?")]
    run = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "clerk",
        "pydantic_ai.all_messages": json.dumps(messages),
        "final_result": "Hi, what can I do?",
    }
    file.span("invoke_agent clerk", "a", at=(0, 9), scope="pydantic-ai", told=run)
    assert told(file.read()) == ["user user: Hello", "system system: Be brief.", "agent clerk: Hi, what can I do?"]


def test_a_dialect_that_is_named_is_the_only_one_that_is_read(file, told):
    words = [{"role": "assistant", "parts": [{"type": "text", "content": "from the other"}]}]
    both = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "from one"}
    both |= {"gen_ai.operation.name": "chat", "gen_ai.output.messages": words}
    file.span("ask", "m1", at=(1, 2), told=both)
    assert told(file.read()) == ["agent agent: from one"]
    assert told(file.read(dialect="otel-genai")) == ["agent agent: from the other"]
