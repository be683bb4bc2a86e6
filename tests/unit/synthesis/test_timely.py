"""A tool that hangs is told of and not waited for, whether it awaits or is busy."""

import asyncio
import itertools
from collections.abc import Mapping, Sequence

import pytest

from misstep.core.errors import UsageError
from misstep.core.roles import Equipped, Governed, Stateful
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.synthesizing import synthesize
from misstep.synthesis.timely import TimelyMaker
from misstep.worlds import world_named

LIMIT_S = 0.05
ORDERS = {f"W-{at}": {"order_id": f"W-{at}", "city": city} for at, city in enumerate(("Bern", "Rome", "Lyon"), 101)}
ID: dict[str, JSON] = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}


class Shelf:
    """Two tools that answer, one that awaits for ever, and one that is busy for ever."""

    def __init__(self, seed: int = 0) -> None:
        self.called: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return (
            Tool("list_orders", "List all orders.", effect="reads"),
            Tool("show_order", "Show an order: its city.", ID, effect="reads"),
            Tool("wait_order", "Wait for an order.", ID, effect="reads"),
            Tool("spin_order", "Spin an order.", ID, effect="reads"),
        )

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.called.append(tool)
        if tool == "wait_order":
            await asyncio.Event().wait()
        if tool == "spin_order":
            for _ in itertools.count():
                pass
        if tool == "list_orders":
            return Answer({"orders": list(ORDERS.values())})
        found = ORDERS.get(str(arguments.get("order_id")))
        return Answer(found) if found else Answer({"error": "There is no such order."}, is_error=True)


@pytest.mark.parametrize("tool", ["wait_order", "spin_order"])
def test_a_tool_that_hangs_is_an_error_and_is_not_called_again(tool: str) -> None:
    shelf = Shelf()
    maker = TimelyMaker(lambda _: shelf, LIMIT_S)

    async def twice() -> list[bool]:
        toolbox = maker(0)
        return [(await toolbox.call(tool, {"order_id": "W-101"})).is_error for _ in range(2)]

    assert asyncio.run(twice()) == [True, True]
    assert shelf.called == [tool]
    assert list(maker.hung) == [tool]


def test_scenarios_are_made_of_the_tools_that_answer_and_the_others_are_named() -> None:
    made = asyncio.run(synthesize(TimelyMaker(Shelf, LIMIT_S), count=4, seed=1))
    assert made.scenarios
    for tool in ("wait_order", "spin_order"):
        assert "did not answer within 0.05 seconds" in made.figures.unreached[tool]


def test_an_answer_in_time_is_the_toolboxes_own() -> None:
    toolbox = TimelyMaker(Shelf, 60.0)(0)
    assert asyncio.run(toolbox.call("show_order", {"order_id": "W-101"})) == Answer(ORDERS["W-101"])


def test_what_cannot_even_be_set_up_is_said_in_a_sentence() -> None:
    def make(seed: int) -> Shelf:
        for _ in itertools.count():
            pass
        raise AssertionError

    with pytest.raises(UsageError, match="not set up within"):
        TimelyMaker(make, LIMIT_S)(0)


def test_it_fills_the_roles_that_the_toolbox_fills() -> None:
    timely, bare = TimelyMaker(world_named("shop").make)(7), TimelyMaker(Shelf)(0)
    for role in (Stateful, Governed, Equipped):
        assert isinstance(timely, role)
        assert not isinstance(bare, role)
