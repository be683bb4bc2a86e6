"""A bare address: what is sent, what is read, and what each kind of trouble is called."""

import asyncio
from typing import Any

import pytest

from misstep.core.errors import UsageError
from misstep.llm.completions import Completions
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Function, Reply, Request, Said, Tokens, ToolRequest

HELLO = Request(model="http://here/v1#tiny", messages=(Said("user", "Hello"),), seed=7, parameters={"temperature": 0})


def ask(endpoint: Any, request: Request = HELLO, **settings: Any) -> Reply:
    return asyncio.run(Completions(endpoint.address, **settings).reply(request))


def trouble(endpoint: Any, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(endpoint, **settings)
    return caught.value


def test_a_request_carries_model_messages_seed_and_parameters(endpoint: Any) -> None:
    endpoint.says("Good day.")
    reply = ask(endpoint)
    assert (reply.text, reply.usage) == ("Good day.", Tokens(100, 10))
    [sent] = endpoint.requests
    assert sent == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "Hello"}],
        "seed": 7,
        "temperature": 0,
    }


def test_the_seed_can_be_left_out_for_those_who_refuse_it(endpoint: Any) -> None:
    endpoint.says("Good day.")
    ask(endpoint, with_seed=False)
    assert "seed" not in endpoint.requests[0]


def test_tools_calls_and_their_answers_are_sent_as_functions(endpoint: Any) -> None:
    endpoint.says("Done.")
    said = (
        Said("user", "Go"),
        Said("assistant", tool_calls=(ToolRequest("a", "look", '{"x": 1}'), ToolRequest("b", "look", "{x"))),
        Said("tool", "seen", call_id="a"),
    )
    ask(endpoint, Request(model="m", messages=said, tools=(Function("look", "Look.", {"required": ["x"]}),)))
    [sent] = endpoint.requests
    assert sent["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}, "required": ["x"]}
    first, second = sent["messages"][1]["tool_calls"]
    assert first == {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"x": 1}'}}
    assert second["function"]["arguments"] == '{"malformed": "{x"}', "a server may break on what is no JSON"
    assert sent["messages"][2] == {"role": "tool", "tool_call_id": "a", "content": "seen"}


def test_requested_calls_keep_their_order_and_their_text(endpoint: Any) -> None:
    endpoint.calls(("look", {"x": 1}), ("no such", "{broken"), ("rest", ""))
    calls = ask(endpoint).tool_calls
    assert [(each.name, each.arguments) for each in calls] == [
        ("look", '{"x": 1}'),
        ("no such", "{broken"),
        ("rest", "{}"),
    ]


def test_calls_without_an_id_are_given_one_each(endpoint: Any) -> None:
    endpoint.calls(("look", {}), ("look", {}), ids=False)
    assert len({each.id for each in ask(endpoint).tool_calls}) == 2


def test_parts_reasoning_and_refusals_are_told_apart(endpoint: Any) -> None:
    endpoint.says([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}], reasoning_content="Hm.")
    endpoint.says(None, refusal="I would rather not.")
    first, second = ask(endpoint), ask(endpoint)
    assert (first.text, first.thought, first.refusal) == ("Hello", "Hm.", None)
    assert (second.text, second.refusal) == ("", "I would rather not.")


@pytest.mark.parametrize(
    ("status", "message", "kind", "advice"),
    [
        (401, "who are you", "key", "name that as `key`"),
        (403, "no", "key", "It wants a key"),
        (404, "no", "not-found", "is there a model 'http://here/v1#tiny'"),
        (400, "maximum context length is 10 tokens", "too-long", "more than"),
        (413, "", "too-long", "more than"),
        (400, "no such parameter", "refused", "no such parameter"),
        (429, "slow down", "rate", "too many requests"),
        (500, "ouch", "server", "ouch"),
        (503, "busy", "server", "busy"),
    ],
)
def test_each_status_is_a_trouble_of_its_own(endpoint: Any, status: int, message: str, kind: str, advice: str) -> None:
    endpoint.fails(status, message)
    error = trouble(endpoint)
    assert error.trouble == kind
    assert str(status) in str(error)
    assert advice in str(error)


def test_the_wait_that_is_asked_for_is_known(endpoint: Any) -> None:
    endpoint.fails(429, Retry_After="7")
    endpoint.fails(429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")
    assert trouble(endpoint).wait_s == 7.0
    assert trouble(endpoint).wait_s is None


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": 5}]}', b"\xff\xfe", b"[" * 100_000],
    ids=lambda body: repr(body[:12]),
)
def test_what_is_no_completion_is_garbage(endpoint: Any, body: bytes) -> None:
    endpoint.sends(body)
    error = trouble(endpoint)
    assert error.trouble == "garbage"
    assert "chat completion" in str(error)


def test_an_answer_that_never_comes_is_a_timeout(endpoint: Any) -> None:
    endpoint.stalls()
    assert trouble(endpoint, timeout_s=0.2).trouble == "timeout"


def test_an_address_where_nobody_listens_is_unreachable(endpoint: Any) -> None:
    with pytest.raises(ModelError, match="Is it running") as caught:
        asyncio.run(Completions("http://127.0.0.1:1/v1").reply(HELLO))
    assert caught.value.trouble == "unreachable"


def test_a_key_is_sent_only_from_the_variable_that_was_named(endpoint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not for you")
    monkeypatch.setenv("MY_KEY", "for you")
    endpoint.says("1")
    endpoint.says("2")
    ask(endpoint)
    ask(endpoint, key_variable="MY_KEY")
    assert [each.get("Authorization") for each in endpoint.headers] == [None, "Bearer for you"]


def test_a_variable_without_a_key_is_named_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UsageError, match="MY_KEY, which is not set"):
        Completions("http://127.0.0.1:1/v1", key_variable="MY_KEY")


def test_a_refused_key_is_told_by_its_variable_and_not_by_its_value(
    endpoint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "s3cret")
    endpoint.fails(401)
    error = trouble(endpoint, key_variable="MY_KEY")
    assert "MY_KEY" in str(error)
    assert "s3cret" not in str(error)


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_key_that_a_service_says_back_is_not_told(
    endpoint: Any, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("SERVICE_KEY", "s3cret-0042")
    endpoint.fails(status, "no such key: Bearer s3cret-0042")
    error = trouble(endpoint, key_variable="SERVICE_KEY")
    assert "s3cret" not in str(error)
    assert "no such key" in str(error)


@pytest.mark.parametrize("address", ["http://ann:s3cret@127.0.0.1:1/v1", "http://127.0.0.1:1/v1?key=s3cret"])
def test_a_secret_in_an_address_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(UsageError, match="environment variable") as caught:
        Completions(address)
    assert "s3cret" not in str(caught.value)


def test_what_is_no_address_is_said_at_once() -> None:
    with pytest.raises(UsageError, match="is no web address"):
        Completions("http://")
