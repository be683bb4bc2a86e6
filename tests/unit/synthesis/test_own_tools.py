"""What a person can look up with tools of their own: found by calling those, and asked for in scenarios."""

import asyncio
from collections.abc import Mapping, Sequence

from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.own_tools import looked_up_in
from misstep.synthesis.synthesizing import synthesize
from misstep.worlds import world_named


class Pocket:
    """Tools for users only: one that reads, and one that must not be tried."""

    def __init__(self) -> None:
        self.called: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return (
            Tool("read_texts", effect="reads"),
            Tool("read_more", effect="reads"),
            Tool("wipe", effect="destroys"),
        )

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.called.append(tool)
        return Answer({"text": "Your number is K-4711." if tool == "read_texts" else "Nothing but ABC-1."})


class Shelf(Pocket):
    """A toolbox whose users hold such tools."""

    def __init__(self, pocket: Pocket) -> None:
        super().__init__()
        self._pocket = pocket

    def user_tools(self) -> Pocket:
        return self._pocket


def test_a_value_is_looked_up_with_the_call_that_shows_it() -> None:
    found = asyncio.run(looked_up_in(Shelf(Pocket()), ["K-4711", "K-9999", "number", 4711]))
    assert {value: call.tool for value, call in found.items()} == {"K-4711": "read_texts"}


def test_nothing_is_tried_that_changes_something() -> None:
    pocket = Pocket()
    asyncio.run(looked_up_in(Shelf(pocket), ["K-4711"]))
    assert "wipe" not in pocket.called


def test_tools_that_give_users_none_show_nothing() -> None:
    assert asyncio.run(looked_up_in(Pocket(), ["K-4711"])) == {}


def test_what_is_looked_up_is_not_said_up_front_and_stands_there() -> None:
    for world in ("shop", "desk"):
        kind = world_named(world)
        made = asyncio.run(synthesize(kind.make, count=6, seed=2, factors={"knowledge": ["looked-up"]}))
        assert made.scenarios
        for scenario in made.scenarios:
            assert scenario.factors["knowledge"] == "looked-up"
            [fact] = [fact for fact in scenario.user.facts if fact.from_tool]
            assert fact.from_tool is not None
            assert str(fact.value) not in scenario.user.opening
            tools = kind.make(scenario.seed).user_tools()  # type: ignore[attr-defined]
            answer = asyncio.run(tools.call(fact.from_tool.tool, fact.from_tool.arguments))
            assert str(fact.value) in str(answer.content)
