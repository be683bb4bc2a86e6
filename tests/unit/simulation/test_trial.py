"""One trial: what is recorded when an agent, a user or a tool misbehaves, and who is to blame."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

import pytest
from msgspec import structs

from misstep.agents.calling import maker_of
from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.event import Blocked, Handoff, Memory, Message, Thought, ToolCall, ToolResult
from misstep.core.objective import ExpectedCall, Limits, Objective
from misstep.core.policy import Policy
from misstep.core.roles import Toolbox
from misstep.core.scenario import Goal, Person, Scenario
from misstep.core.state import State
from misstep.core.tape import Recorder
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.trace import Origin, decode_trace, encode_trace
from misstep.llm import Model, Reply
from misstep.simulation.trial import run_trial, trial_seed
from misstep.simulation.watch import Watch
from misstep.store.trial import Trial

Respond = Callable[[str, Toolbox], Awaitable[object]]

ASK = Scenario(
    name="ask",
    user=Person(script=("How far is A1?", "And now?")),
    objective=Objective(calls=(ExpectedCall(tool="look", arguments={"order": "A1"}),)),
)


class Counter:
    """A toolbox with a state: how often each order was looked at."""

    policy = Policy(text="Be kind.")

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.looks: dict[str, dict[str, JSON]] = {}

    async def tools(self) -> Sequence[Tool]:
        return (Tool("look", "Look at an order.", effect="reads"), Tool("rest", "Rest.", effect="reads"))

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in ("look", "rest"):
            raise UnknownToolError(tool, ("look", "rest"))
        order = str(arguments.get("order"))
        if order == "break":
            raise ZeroDivisionError("the tool broke")
        if order == "invalid":
            raise InvalidTrialError("tool-simulator", "it made no sense")
        if order == "interrupt":
            raise KeyboardInterrupt
        if order == "cancel":
            raise asyncio.CancelledError
        if order == "wait":
            await asyncio.Event().wait()
        self.looks = {**self.looks, order: {"by": self.seed}}
        return Answer({"state": "sent"}, served_by="simulated", took_s=2.0)

    def snapshot(self) -> State:
        return {"looks": dict(self.looks)}

    def restore(self, state: State) -> None:
        self.looks = {key: dict(record) for key, record in state["looks"].items()}


def tried(respond: Respond, scenario: Scenario = ASK, *, timeout_s: float = 30.0, trial: int = 1) -> Trial:
    return asyncio.run(
        run_trial(
            scenario,
            trial,
            seed=5,
            make_agent=maker_of(respond),
            make_toolbox=Counter,
            origin=Origin(agent="fake", tools="counter"),
            watch=Watch(timeout_s, alone=True),
        )
    )


async def looks(message: str, tools: Toolbox) -> str:
    answer = await tools.call("look", {"order": "A1"})
    return f"It was {answer.content}."


def test_a_conversation_is_recorded_from_first_to_last_word() -> None:
    trial = tried(looks)
    kinds = [(type(event), event.actor) for event in trial.trace.events]
    turn = [(Message, "user"), (ToolCall, "agent"), (ToolResult, "look"), (Message, "agent")]
    assert kinds == turn + turn
    assert trial.verdict.outcome == "pass"
    assert (trial.trace.id, trial.trace.end, trial.trace.error) == ("ask#1", "finished", None)
    assert [tool.name for tool in trial.trace.tools] == ["look", "rest"]
    assert trial.trace.policy == Counter.policy
    assert [(change.table, change.key) for change in trial.trace.changes or ()] == [("looks", "A1")]
    assert (trial.trace.usage.turns, trial.trace.usage.calls, trial.trace.usage.seconds) == (2, 2, 4.0)
    origin = trial.trace.origin
    assert (origin.scenario, origin.seed, origin.trial, origin.agent, origin.tools) == ("ask", 5, 1, "fake", "counter")
    assert decode_trace(encode_trace(trial.trace)) == trial.trace


def test_the_same_trial_gives_the_same_bytes() -> None:
    assert encode_trace(tried(looks).trace) == encode_trace(tried(looks).trace)


def test_trials_have_seeds_of_their_own() -> None:
    seeds = {trial_seed(seed, name, trial) for seed in (0, 1) for name in ("a", "b", "a\n1") for trial in range(1, 9)}
    assert len(seeds) == 48


async def _raises(message: str, tools: Toolbox) -> str:
    raise ValueError("no idea")


async def _exits(message: str, tools: Toolbox) -> str:
    raise SystemExit(3)


async def _cancels(message: str, tools: Toolbox) -> str:
    raise asyncio.CancelledError


async def _answers(what: object, message: str, tools: Toolbox) -> object:
    return what


@pytest.mark.parametrize(
    ("respond", "end", "told"),
    [
        (_raises, "agent-raised", "ValueError: no idea (test_trial.py, line "),
        (_exits, "agent-raised", "SystemExit: 3"),
        (_cancels, "agent-raised", "CancelledError"),
        (partial(_answers, None), "agent-nonsense", "NoneType"),
        (partial(_answers, {"text": "hello"}), "agent-nonsense", "dict"),
        (partial(_answers, "  \n"), "agent-nonsense", "empty"),
        (partial(_answers, "x" * 1_000_001), "agent-nonsense", "1000001 characters"),
    ],
)
def test_an_agent_that_gives_no_answer_has_failed(respond: Respond, end: str, told: str) -> None:
    trial = tried(respond)
    assert trial.trace.end == end
    assert told in str(trial.trace.error)
    assert (trial.verdict.outcome, trial.verdict.blame) == ("fail", "agent")
    assert len(trial.trace.events) <= 2


def test_a_text_that_no_file_can_hold_is_spelt_out() -> None:
    trial = tried(partial(_answers, "half a \ud83d face"))
    assert decode_trace(encode_trace(trial.trace)) == trial.trace


def test_an_address_in_an_error_does_not_differ_from_run_to_run() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        raise ValueError(f"what is {object()}?")

    assert "0x" not in str(tried(respond).trace.error)


def test_an_agent_that_waits_for_ever_has_hung_and_its_calls_are_kept() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        await tools.call("look", {"order": "A1"})
        await asyncio.Event().wait()
        return "never"

    trial = tried(respond, timeout_s=0.05)
    assert trial.trace.end == "agent-hung"
    assert (trial.verdict.outcome, trial.verdict.blame) == ("fail", "agent")
    assert [type(event) for event in trial.trace.events] == [Message, ToolCall, ToolResult]


def test_a_tool_that_waits_for_ever_is_not_the_agents_failure() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        await tools.call("look", {"order": "wait"})
        return "never"

    trial = tried(respond, timeout_s=0.05)
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool")


def test_an_agent_that_raises_a_timeout_of_its_own_has_raised() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
        return "never"

    assert tried(respond).trace.end == "agent-raised"


@pytest.mark.parametrize("order", ["break", "invalid", "interrupt", "cancel"])
def test_a_tool_that_breaks_is_never_the_agents_failure_even_if_swallowed(order: str) -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        try:
            await tools.call("look", {"order": order})
        except BaseException:  # noqa: BLE001
            return "All is well."
        return "All is very well."

    trial = tried(respond)
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool-simulator")
    assert trial.findings == ()


def test_an_agent_that_swallows_the_end_of_its_budget_is_ended() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        while True:
            with suppress(Exception):
                await tools.call("look", {"order": "A1"})

    trial = tried(respond)
    assert trial.trace.end == "calls"
    assert trial.trace.usage.calls == 60
    assert (trial.verdict.outcome, trial.verdict.blame) == ("fail", "agent")


def test_simulated_seconds_run_out_too() -> None:
    scenario = Scenario(name="slow", user=ASK.user, objective=Objective(limits=Limits(seconds=3.0)))

    async def respond(message: str, tools: Toolbox) -> str:
        for _ in range(3):
            await tools.call("look", {"order": "A1"})
        return "done"

    assert tried(respond, scenario).trace.end == "seconds"


def test_turns_run_out_too() -> None:
    scenario = Scenario(name="long", user=ASK.user, objective=Objective(limits=Limits(turns=1)))
    assert tried(partial(_answers, "hm"), scenario).trace.end == "turns"


def test_a_scenario_without_objective_is_undecided() -> None:
    assert tried(looks, Scenario(name="free", user=ASK.user)).verdict.outcome == "undecided"


def test_a_scenario_without_objective_fails_by_its_end() -> None:
    assert tried(_raises, Scenario(name="free", user=ASK.user)).verdict.outcome == "fail"


def test_a_scenario_offers_only_its_tools() -> None:
    scenario = Scenario(name="narrow", user=ASK.user, tools=("rest",))
    trial = tried(looks, scenario)
    assert [tool.name for tool in trial.trace.tools] == ["rest"]
    results = [event for event in trial.trace.events if isinstance(event, ToolResult)]
    assert all(result.is_error for result in results)


def test_a_tool_that_is_not_there_is_the_scenarios_error() -> None:
    trial = tried(looks, Scenario(name="wrong", user=ASK.user, tools=("loook",)))
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "scenario")
    assert "Did you mean 'look'?" in str(trial.trace.error)


class Thinker:
    """Records what it thinks."""

    def __init__(self, tape: Recorder, policy: Policy | None, seed: int) -> None:
        self._tape = tape
        self._said = f"{policy.text if policy else ''} {seed}"

    async def respond(self, message: str, tools: Toolbox) -> str:
        note: dict[str, JSON] = {"a": 1}
        self._tape.append(Thought(actor="agent", text=self._said))
        self._tape.append(Memory(actor="agent", action="write", key="note", content=note))
        self._tape.append(Handoff(actor="agent", to="other"))
        note["a"] = 2
        return "Hm."


def test_a_factory_is_given_what_it_asks_for_by_name() -> None:
    trial = asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(Thinker), make_toolbox=Counter))
    thought, memory, handoff = trial.trace.events[1:4]
    assert isinstance(thought, Thought)
    assert thought.text == f"Be kind. {trial_seed(5, 'ask', 1)}"
    assert isinstance(memory, Memory)
    assert memory.content == {"a": 1}
    assert isinstance(handoff, Handoff)


@pytest.mark.parametrize(
    "forged",
    [
        ToolResult(actor="look", call_id="c1", content="sent"),
        Message(actor="user", role="user", text="Yes, go on."),
        Blocked(actor="agent", tool="look", guardrail="g", reason="r"),
        Thought(actor="agent", text=3),  # pyright: ignore[reportArgumentType]
        "a sentence",
    ],
)
def test_an_agent_can_forge_nothing_on_the_tape(forged: object) -> None:
    class Forger:
        def __init__(self, tape: Recorder) -> None:
            self._tape = tape

        async def respond(self, message: str, tools: Toolbox) -> str:
            self._tape.append(forged)  # pyright: ignore[reportArgumentType]
            return "Done."

    trial = asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(Forger), make_toolbox=Counter))
    assert trial.trace.end == "agent-raised"
    assert len(trial.trace.events) == 1


def test_a_factory_that_raises_is_the_agents_failure() -> None:
    def factory() -> object:
        raise RuntimeError("no key")

    trial = tried(factory)  # pyright: ignore[reportArgumentType]
    assert (trial.trace.end, trial.verdict.blame) == ("agent-raised", "agent")


def test_tools_that_cannot_be_set_up_are_not_the_agents_failure() -> None:
    def make(seed: int) -> Toolbox:
        raise OSError("no room")

    trial = asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(looks), make_toolbox=make))
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool")


def test_a_model_that_is_named_plays_the_person_and_the_trace_says_so() -> None:
    class Scripted:
        name = "scripted"

        async def complete(self, messages: object, **given: object) -> Reply:
            lines.pop()
            return Reply(data={"say": "Please count to three." if lines else "", "tells": [], "done": not lines})

    lines = ["once", "again"]
    person = Person(goals=(Goal(ask="count to three"),))
    scenario = structs.replace(ASK, user=person)

    async def counts(message: str, tools: Toolbox) -> str:
        return "I have counted to three."

    work = run_trial(
        scenario, 1, seed=5, make_agent=maker_of(counts), make_toolbox=Counter, user_model=cast("Model", Scripted())
    )
    trial = asyncio.run(work)
    assert trial.trace.origin.user == "modelled"
    assert trial.trace.messages[0][1].text == "Please count to three."
