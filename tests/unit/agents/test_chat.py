"""A model as the agent under test: the loop around it, on the tape of a real trial."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from misstep.agents.chat import ChatAgent, ChatSettings, RoundsSpentError, chat_agents
from misstep.core.errors import BudgetSpentError, InvalidTrialError, UnknownToolError, UsageError
from misstep.core.event import Event, Thought, ToolCall, ToolResult
from misstep.core.objective import Limits
from misstep.core.policy import Policy, Rule
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.llm import Tokens
from misstep.tools.traced import Traced

SCHEMA: dict[str, JSON] = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}


class Desk:
    """Looks at orders; two calls must be under way at once before `meet` answers."""

    def __init__(self) -> None:
        self.listed: list[Tool] = [
            Tool("look", "Look at an order.", SCHEMA, effect="reads"),
            Tool("shop.look up/all", "All of them.", effect="reads"),
            Tool("meet", "Meet somebody.", effect="reads"),
        ]
        self._both = asyncio.Barrier(2)

    async def tools(self) -> Sequence[Tool]:
        return tuple(self.listed)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in {each.name for each in self.listed}:
            raise UnknownToolError(tool, (each.name for each in self.listed))
        if tool == "meet":
            await asyncio.wait_for(self._both.wait(), 10)
        if arguments.get("order") == "A9":
            return Answer("There is no order A9.", is_error=True, served_by="simulated")
        return Answer({"tool": tool, **arguments}, served_by="simulated")


class Conversation:
    """An agent at the scripted endpoint, its tape and its traced tools."""

    def __init__(self, endpoint: Any, *, policy: Policy | None = None, calls: int = 60, **settings: Any) -> None:
        self.tape = Tape()
        self.desk = Desk()
        self.tools = Traced(self.desk, self.tape, limits=Limits(calls=calls))
        make = chat_agents(ChatSettings(name=f"{endpoint.address}#tiny", retries=0, **settings))
        self.agent: ChatAgent = make(policy=policy, tape=self.tape, seed=11)

    def hear(self, *messages: str) -> list[str]:
        async def all_of_them() -> list[str]:
            return [await self.agent.respond(each, self.tools) for each in messages]

        return asyncio.run(all_of_them())

    def events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.tape.view if isinstance(event, kind)]


def test_a_call_reaches_the_tools_and_its_answer_the_model(endpoint: Any) -> None:
    endpoint.calls(("look", {"order": "A1"}), text="One moment.")
    endpoint.says("It is on its way.")
    talk = Conversation(endpoint)
    assert talk.hear("How far is A1?") == ["It is on its way."]
    [call] = talk.events(ToolCall)
    assert (call.tool, call.arguments, call.actor) == ("look", {"order": "A1"}, "agent")
    first, second = endpoint.requests
    assert [each["function"]["name"] for each in first["tools"]] == ["look", "shop_look_up_all", "meet"]
    assert first["tools"][0]["function"]["parameters"] == SCHEMA
    assert (first["model"], first["seed"]) == ("tiny", 11)
    assert json.loads(second["messages"][-1]["content"]) == {"tool": "look", "order": "A1"}
    assert [each.text for each in talk.events(Thought)] == ["One moment."]


def test_the_history_of_a_trial_is_kept(endpoint: Any) -> None:
    endpoint.says("Hello.")
    endpoint.calls(("look", {"order": "A1"}))
    endpoint.says("Sent.")
    Conversation(endpoint).hear("Hi", "And A1?")
    roles = [each["role"] for each in endpoint.requests[-1]["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "tool"]


def test_the_policy_is_what_the_system_says(endpoint: Any) -> None:
    endpoint.says("1")
    endpoint.says("2")
    Conversation(endpoint, policy=Policy("Be kind."), prompt="You are a desk.").hear("Hi")
    Conversation(endpoint, policy=Policy(rules=(Rule("r", "confirm", "Ask first."),))).hear("Hi")
    said = [each["messages"][0] for each in endpoint.requests]
    assert [each["content"] for each in said] == ["You are a desk.\n\nBe kind.", "Ask first."]
    assert {each["role"] for each in said} == {"system"}


def test_several_calls_of_one_reply_are_made_in_order(endpoint: Any) -> None:
    endpoint.calls(*(("look", {"order": order}) for order in ("A3", "A1", "A2")))
    endpoint.says("Done.")
    talk = Conversation(endpoint)
    talk.hear("All of them")
    assert [call.arguments["order"] for call in talk.events(ToolCall)] == ["A3", "A1", "A2"]
    answers = endpoint.requests[1]["messages"][-3:]
    assert [json.loads(each["content"])["order"] for each in answers] == ["A3", "A1", "A2"]
    assert [each["tool_call_id"] for each in answers] == [
        each["id"] for each in endpoint.requests[1]["messages"][-4]["tool_calls"]
    ]


def test_calls_can_be_made_side_by_side(endpoint: Any) -> None:
    endpoint.calls(("meet", {}), ("meet", {}))
    endpoint.says("Met.")
    assert Conversation(endpoint, parallel=True).hear("Meet") == ["Met."]


@pytest.mark.parametrize("given", ["{broken", '["A1"]', '"A1"', "null", '{"order": NaN}', "[" * 100_000])
def test_arguments_that_are_no_object_are_recorded_as_malformed(endpoint: Any, given: str) -> None:
    endpoint.calls(("look", given))
    endpoint.says("Sorry.")
    talk = Conversation(endpoint)
    assert talk.hear("A1?") == ["Sorry."]
    [call] = talk.events(ToolCall)
    assert call.malformed is not None
    assert "must be a JSON object" in endpoint.requests[1]["messages"][-1]["content"]


def test_a_call_without_arguments_is_well_formed(endpoint: Any) -> None:
    endpoint.calls(("shop_look_up_all", ""))
    endpoint.says("Done.")
    talk = Conversation(endpoint)
    talk.hear("All")
    [call] = talk.events(ToolCall)
    assert (call.tool, call.arguments, call.malformed) == ("shop.look up/all", {}, None)


def test_unknown_tools_and_errors_are_told_to_the_model(endpoint: Any) -> None:
    endpoint.calls(("lok", {}), ("look", {"order": "A9"}))
    endpoint.says("Sorry.")
    talk = Conversation(endpoint)
    assert talk.hear("A9?") == ["Sorry."]
    told = [each["content"] for each in endpoint.requests[1]["messages"][-2:]]
    assert told == [
        "Error: There is no tool 'lok'. Did you mean 'look'?",
        "Error: There is no order A9.",
    ]
    assert [each.is_error for each in talk.events(ToolResult)] == [True, True]


def test_a_bare_toolbox_that_raises_for_an_unknown_tool_is_answered_too(endpoint: Any) -> None:
    endpoint.calls(("lok", {}))
    endpoint.says("Sorry.")
    talk = Conversation(endpoint)
    assert asyncio.run(talk.agent.respond("?", talk.desk)) == "Sorry."


def test_tools_that_change_in_the_middle_are_offered_as_they_are(endpoint: Any) -> None:
    endpoint.calls(("look", {"order": "A1"}))
    endpoint.says("Done.")
    talk = Conversation(endpoint)
    call = talk.desk.call

    async def vanish(tool: str, arguments: Mapping[str, JSON]) -> Answer:
        talk.desk.listed.pop()
        return await call(tool, arguments)

    talk.desk.call = vanish
    talk.hear("A1?")
    assert [len(each["tools"]) for each in endpoint.requests] == [3, 2]


def test_names_that_would_collide_are_told_apart(endpoint: Any) -> None:
    endpoint.says("Hello.")
    talk = Conversation(endpoint)
    talk.desk.listed = [Tool("a.b"), Tool("a_b"), Tool("a/b"), Tool("x" * 80), Tool("x" * 81)]
    talk.hear("Hi")
    names = [each["function"]["name"] for each in endpoint.requests[0]["tools"]]
    assert len(set(names)) == 5
    assert names[1] == "a_b"
    assert all(len(each) <= 64 for each in names)


def test_an_agent_that_never_stops_calling_is_stopped(endpoint: Any) -> None:
    for _ in range(3):
        endpoint.calls(("look", {"order": "A1"}))
    with pytest.raises(RoundsSpentError, match="after 3 requests"):
        Conversation(endpoint, rounds=3).hear("Go")


def test_the_trials_own_budget_of_calls_ends_the_reply(endpoint: Any) -> None:
    endpoint.calls(*[("look", {"order": "A1"})] * 5)
    talk = Conversation(endpoint, calls=2)
    with pytest.raises(BudgetSpentError):
        talk.hear("Go")
    assert len(talk.events(ToolCall)) == 2


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_an_error_of_the_address_makes_the_trial_invalid(endpoint: Any, status: int) -> None:
    endpoint.fails(status)
    with pytest.raises(InvalidTrialError, match=str(status)) as caught:
        Conversation(endpoint).hear("Hi")
    assert caught.value.blame == "infrastructure"


def test_garbage_and_silence_make_the_trial_invalid_too(endpoint: Any) -> None:
    endpoint.sends(b"<html>")
    endpoint.stalls()
    for _ in range(2):
        with pytest.raises(InvalidTrialError) as caught:
            Conversation(endpoint, timeout=0.2).hear("Hi")
        assert caught.value.blame == "infrastructure"


def test_a_refusal_or_an_empty_answer_is_an_empty_reply(endpoint: Any) -> None:
    endpoint.says(None, refusal="I would rather not.")
    endpoint.says(None)
    talk = Conversation(endpoint)
    assert talk.hear("Hi", "Please") == ["", ""]
    assert [each.text for each in talk.events(Thought)] == ["Refused: I would rather not."]


def test_reasoning_is_a_thought_and_tokens_are_counted(endpoint: Any) -> None:
    endpoint.says("Hello.", reasoning_content="They greet me.")
    endpoint.says("Bye.")
    talk = Conversation(endpoint)
    talk.hear("Hi", "Bye")
    assert [each.text for each in talk.events(Thought)] == ["They greet me."]
    assert talk.agent.usage == Tokens(200, 20)


def test_an_agent_is_never_cached(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="would hide how much it varies"):
        chat_agents(ChatSettings(name="http://127.0.0.1:1/v1#m", cache=str(tmp_path)))


def test_agents_of_one_maker_share_a_budget_and_no_history(endpoint: Any) -> None:
    endpoint.says("1")
    make = chat_agents(ChatSettings(name=f"{endpoint.address}#tiny", calls=1))
    first, second = (make(policy=None, tape=Tape(), seed=each) for each in (1, 2))
    assert asyncio.run(first.respond("Hi", Desk())) == "1"
    with pytest.raises(InvalidTrialError, match="budget of 1 calls is spent"):
        asyncio.run(second.respond("Hi", Desk()))
    assert [len(each["messages"]) for each in endpoint.requests] == [1]
