"""Agents and tools that do what nobody expects: the blame still goes where it belongs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import pytest

from misstep.agents.calling import maker_of
from misstep.core.event import ToolCall
from misstep.core.objective import ExpectedCall, Objective
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person, Scenario
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.simulation.trial import run_trial
from misstep.simulation.watch import Watch
from misstep.store.trial import Trial

Respond = Callable[[str, Toolbox], Awaitable[object]]

ASK = Scenario(
    name="ask",
    user=Person(script=("How far is A1?", "And now?")),
    objective=Objective(calls=(ExpectedCall(tool="look", arguments={"order": "A1"}),)),
)


class Counter:
    """A toolbox with a state: how often it was called."""

    def __init__(self, seed: int = 0) -> None:
        self.looks = 0

    async def tools(self) -> Sequence[Tool]:
        return (Tool("look", "Look at an order.", effect="reads"), Tool("rest", "Rest.", effect="reads"))

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if arguments.get("order") == "wait":
            await asyncio.Event().wait()
        self.looks += 1
        return Answer({"state": "sent"}, served_by="simulated")

    def snapshot(self) -> State:
        return {"looks": {"all": {"times": self.looks}}}

    def restore(self, state: State) -> None:
        """Nothing is put back here."""


def tried(respond: Respond, *, timeout_s: float = 30.0) -> Trial:
    watch = Watch(timeout_s, alone=True)
    return asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(respond), make_toolbox=Counter, watch=watch))


async def looks(message: str, tools: Toolbox) -> str:
    answer = await tools.call("look", {"order": "A1"})
    return f"It was {answer.content}."


async def _interrupts(message: str, tools: Toolbox) -> str:
    raise KeyboardInterrupt


class Own(BaseException):
    """What nobody expects."""


class MuteError(Exception):
    """Tells neither what nor where."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    @property
    def __traceback__(self) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise RuntimeError


class Text(str):
    """A text with ways of its own."""

    __slots__ = ()

    def __getitem__(self, at: object) -> str:
        return self

    def isascii(self) -> bool:
        raise RuntimeError

    def strip(self, *characters: object) -> str:
        raise RuntimeError


async def _raises_nothing_known(message: str, tools: Toolbox) -> str:
    raise Own("mine")


async def _raises_several(message: str, tools: Toolbox) -> str:
    raise BaseExceptionGroup("several", [KeyboardInterrupt(), Own()])


async def _raises_what_says_nothing(message: str, tools: Toolbox) -> str:
    raise MuteError


async def _cancels_itself(message: str, tools: Toolbox) -> str:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)
    return "never"


async def _cancels_itself_quietly(message: str, tools: Toolbox) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()


async def _answers_oddly(message: str, tools: Toolbox) -> str:
    return Text("  ")


@pytest.mark.parametrize(
    ("respond", "end", "told"),
    [
        (_interrupts, "agent-raised", "KeyboardInterrupt"),
        (_raises_nothing_known, "agent-raised", "Own: mine"),
        (_raises_several, "agent-raised", "BaseExceptionGroup"),
        (_cancels_itself, "agent-raised", "CancelledError"),
        (_cancels_itself_quietly, "agent-nonsense", "NoneType"),
        (_raises_what_says_nothing, "agent-raised", "MuteError"),
        (_answers_oddly, "agent-nonsense", "empty"),
    ],
)
def test_whatever_an_agent_does_in_place_of_an_answer_is_its_failure(respond: Respond, end: str, told: str) -> None:
    trial = tried(respond)
    assert trial.trace.end == end
    assert told in str(trial.trace.error)
    assert (trial.verdict.outcome, trial.verdict.blame) == ("fail", "agent")


def test_a_call_that_the_agent_lets_go_of_is_not_the_tools_fault() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(tools.call("look", {"order": "wait"}), 0)
        await asyncio.Event().wait()
        return "never"

    trial = tried(respond, timeout_s=0.05)
    assert (trial.trace.end, trial.verdict.blame) == ("agent-hung", "agent")


def test_an_interruption_from_outside_is_not_the_agents_failure() -> None:
    async def interrupted() -> None:
        work = run_trial(ASK, 1, seed=5, make_agent=maker_of(_waits), make_toolbox=Counter)
        task = asyncio.get_running_loop().create_task(work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(interrupted())
    work = run_trial(ASK, 1, seed=5, make_agent=maker_of(_interrupts), make_toolbox=Counter)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(work)


async def _waits(message: str, tools: Toolbox) -> str:
    await asyncio.Event().wait()
    return "never"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Own("mine"), asyncio.CancelledError()], ids=repr)
def test_whatever_an_agents_factory_raises_is_the_agents_failure(error: BaseException) -> None:
    def factory() -> object:
        raise error

    trial = tried(factory)  # pyright: ignore[reportArgumentType]
    assert (trial.trace.end, trial.verdict.blame) == ("agent-raised", "agent")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Own("mine"), asyncio.CancelledError()], ids=repr)
def test_whatever_making_the_tools_raises_is_not_the_agents_failure(error: BaseException) -> None:
    def make(seed: int) -> Toolbox:
        raise error

    watch = Watch(alone=True)
    trial = asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(looks), make_toolbox=make, watch=watch))
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool")


def test_an_agent_that_edits_the_tools_changes_nothing_that_is_recorded() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        for tool in await tools.tools():
            tool.input_schema["mine"] = True
        return "Done."

    trial = tried(respond)
    assert [tool.input_schema for tool in trial.trace.tools] == [{}, {}]
    assert [tool.input_schema for tool in tried(looks).trace.tools] == [{}, {}]


def test_a_state_that_cannot_be_seen_any_more_is_not_the_agents_failure() -> None:
    class Forgetful(Counter):
        def snapshot(self) -> State:
            if self.looks:
                raise OSError("gone")
            return {}

    trial = asyncio.run(run_trial(ASK, 1, seed=5, make_agent=maker_of(looks), make_toolbox=Forgetful))
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool")


class Name(str):
    """A tool's name with ways of its own."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError


def test_a_name_of_a_kind_of_its_own_is_a_name() -> None:
    async def respond(message: str, tools: Toolbox) -> str:
        answer = await tools.call(Name("look"), {Name("order"): Name("A1")})
        return f"It was {answer.content}."

    trial = tried(respond)
    assert trial.verdict.outcome == "pass"
    assert {type(event.tool) for event in trial.trace.events if isinstance(event, ToolCall)} == {str}
