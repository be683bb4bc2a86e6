"""Providers by name, through Pydantic AI, pointed at the scripted endpoint by the variables that they read."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from misstep.core.errors import UsageError
from misstep.llm import ModelSettings, model_named
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Function, Reply, Request, Said, Tokens, ToolRequest
from misstep.llm.provider import Provider

NAME = "openai-chat:tiny"


@pytest.fixture(autouse=True)
def here(endpoint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.address)
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")


def ask(*messages: Said, **more: Any) -> Reply:
    return asyncio.run(Provider(NAME).reply(Request(model=NAME, messages=messages, **more)))


def test_a_conversation_with_tools_goes_both_ways(endpoint: Any) -> None:
    endpoint.calls(("look", {"x": 2}), text="Let me see.")
    reply = ask(
        Said("system", "Be kind."),
        Said("user", "Go"),
        Said("assistant", "First", tool_calls=(ToolRequest("a", "look", '{"x": 1}'),)),
        Said("tool", "nothing", call_id="a"),
        Said("user", "Again"),
        tools=(Function("look", "Look.", {"properties": {"x": {"type": "integer"}}}),),
        seed=5,
    )
    assert reply.text == "Let me see."
    assert [(each.name, each.arguments) for each in reply.tool_calls] == [("look", '{"x": 2}')]
    assert reply.usage == Tokens(100, 10)
    [sent] = endpoint.requests
    assert (sent["model"], sent["seed"]) == ("tiny", 5)
    assert [each["role"] for each in sent["messages"]] == ["system", "user", "assistant", "tool", "user"]
    assert sent["messages"][3]["content"] == "nothing"
    assert sent["tools"][0]["function"]["name"] == "look"


def test_arguments_that_are_no_json_come_through_as_they_were_written(endpoint: Any) -> None:
    endpoint.calls(("look", "{broken"))
    assert ask(Said("user", "Go")).tool_calls[0].arguments == "{broken"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [(401, "no", "key"), (404, "no", "not-found"), (429, "no", "rate"), (500, "no", "server"), (400, "no", "refused")],
)
def test_each_trouble_has_the_name_that_an_address_gives_it(
    endpoint: Any, status: int, message: str, kind: str
) -> None:
    endpoint.fails(status, message)
    with pytest.raises(ModelError) as caught:
        ask(Said("user", "Go"))
    assert caught.value.trouble == kind
    assert len(endpoint.requests) == 1, "attempts are ours to count"


def test_a_conversation_that_is_too_long_is_called_so(endpoint: Any) -> None:
    endpoint.fails(400, "This model's maximum context length is 10 tokens.", code="context_length_exceeded")
    with pytest.raises(ModelError) as caught:
        ask(Said("user", "Go"))
    assert caught.value.trouble == "too-long"


def test_an_answer_that_never_comes_is_a_timeout_after_the_time_that_was_given(endpoint: Any) -> None:
    endpoint.stalls()
    with pytest.raises(ModelError, match=r"0\.3 seconds") as caught:
        asyncio.run(Provider(NAME, timeout_s=0.3).reply(Request(model=NAME, messages=(Said("user", "Go"),))))
    assert caught.value.trouble == "timeout"


def test_a_missing_key_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        model_named(ModelSettings(name="openai:gpt-5"))


def test_a_provider_without_its_packages_says_what_to_install() -> None:
    with pytest.raises(UsageError, match=r"uv add 'pydantic-ai-slim\[anthropic\]'"):
        model_named(ModelSettings(name="anthropic:claude-sonnet-4-5"))


def test_a_name_that_no_provider_has_is_told() -> None:
    with pytest.raises(UsageError, match="nobody:tiny"):
        model_named(ModelSettings(name="nobody:tiny"))


def test_a_name_without_a_provider_says_how_to_write_one() -> None:
    with pytest.raises(UsageError, match="openai:tiny"):
        model_named(ModelSettings(name="tiny"))


def test_a_key_for_a_provider_is_refused_rather_than_ignored() -> None:
    with pytest.raises(UsageError, match="`key` is for addresses"):
        model_named(ModelSettings(name="openai:gpt-5", key="MY_KEY"))


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pydantic_ai":
            raise ModuleNotFoundError(name, name="pydantic_ai")

sys.meta_path.insert(0, Missing())
from misstep.core.errors import UsageError
from misstep.llm import ModelSettings, model_named
model_named(ModelSettings(name="http://127.0.0.1:1/v1#tiny"))
try:
    model_named(ModelSettings(name="openai:gpt-5"))
except UsageError as error:
    print(error)
"""

LOADED = """
import sys
import misstep.llm
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def output_of(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_without_the_extra_an_address_works_and_a_provider_says_how_to_install_it() -> None:
    assert output_of(WITHOUT).strip().endswith("uv add 'misstep[llm]'")


def test_importing_the_door_opens_nothing() -> None:
    assert not {"httpx2", "pydantic_ai", "openai", "pydantic"} & set(output_of(LOADED).split())
