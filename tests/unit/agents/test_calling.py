"""Plain functions and classes become agents, with or without await."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from misstep.agents.calling import Calling, as_agent, maker_of
from misstep.core.errors import UsageError
from misstep.core.roles import Toolbox
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool


class Echo:
    """A toolbox that answers with what it was given; waits first where it is told to."""

    def __init__(self, waits: bool = False) -> None:
        self._waits = waits

    async def tools(self) -> Sequence[Tool]:
        return (Tool("echo"),)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if self._waits:
            await asyncio.Event().wait()
        return Answer(dict(arguments))


def test_a_plain_function_calls_tools_without_await() -> None:
    def agent(message: str, tools: object) -> str:
        content = tools.call("echo", {"a": 1}).content  # pyright: ignore[reportAttributeAccessIssue]
        return f"{message} {tools.tools()[0].name} {content}"  # pyright: ignore[reportAttributeAccessIssue]

    assert asyncio.run(Calling(agent).respond("hi", Echo())) == "hi echo {'a': 1}"


def test_a_plain_function_is_told_why_it_cannot_call_a_tool_that_waits() -> None:
    def agent(message: str, tools: object) -> str:
        return str(tools.call("echo"))  # pyright: ignore[reportAttributeAccessIssue]

    with pytest.raises(TypeError, match="async def"):
        asyncio.run(Calling(agent).respond("hi", Echo(waits=True)))


def test_an_agent_whose_respond_does_not_wait_is_called_all_the_same() -> None:
    class Quick:
        def respond(self, message: str, tools: object) -> str:
            return message.upper()

    assert asyncio.run(as_agent(Quick()).respond("hi", Echo())) == "HI"


def test_a_factory_may_return_a_function() -> None:
    async def answer(message: str, tools: Toolbox) -> str:
        return message

    def factory() -> object:
        return answer

    agent = maker_of(factory)(policy=None, tape=Tape(), seed=0)
    assert asyncio.run(agent.respond("hi", Echo())) == "hi"


def test_every_call_of_a_maker_gives_a_fresh_agent() -> None:
    class Counting:
        def __init__(self, *, seed: int, model: str = "none") -> None:
            self.seed = seed

        async def respond(self, message: str, tools: Toolbox) -> str:
            return str(self.seed)

    make = maker_of(Counting)
    first, second = (make(policy=None, tape=Tape(), seed=seed) for seed in (1, 2))
    assert first is not second
    assert asyncio.run(second.respond("", Echo())) == "2"


async def _async_factory() -> object:
    return None


@pytest.mark.parametrize(("made", "told"), [(None, "return"), (3, "an int"), (_async_factory, "async")])
def test_what_is_no_agent_says_so(made: object, told: str) -> None:
    thing = _async_factory() if made is _async_factory else made
    with pytest.raises(UsageError, match=told):
        as_agent(thing)
