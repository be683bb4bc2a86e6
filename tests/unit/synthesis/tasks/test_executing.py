"""Calls are tried on a toolbox that is put back each time, and nothing is done that could not be."""

import asyncio
from collections.abc import Mapping, Sequence

from misstep.core.scenario import Given
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.tasks.executing import Call, bench_for
from misstep.worlds import world_named

SHAPE: dict[str, JSON] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


class Stateless:
    """Remembers what was really called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return [Tool("look", "", SHAPE, effect="reads"), Tool("post", "", SHAPE, effect="writes")]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.called.append(tool)
        if arguments["text"] == "bang":
            raise RuntimeError("it broke")
        return Answer({"seen": arguments["text"]})


def test_a_try_leaves_the_toolbox_as_it_was() -> None:
    async def tried() -> None:
        shop = world_named("shop").make(0)
        before = shop.snapshot()
        customer = next(iter(before["customers"].values()))
        bench = await bench_for(lambda _: shop, seed=0)
        call = Call("verify_identity", {name: customer[name] for name in ("customer_id", "postcode")})

        played = await bench.play(call)

        assert [change.table for change in played.changes] == ["sessions"]
        assert shop.snapshot() == before
        assert bench.changed_by == {"verify_identity": {"sessions"}}

    asyncio.run(tried())


def test_what_was_tried_is_not_called_again() -> None:
    async def tried() -> None:
        box = Stateless()
        bench = await bench_for(lambda _: box, seed=0)
        for _ in range(3):
            await bench.play(Call("look", {"text": "x"}))
        assert box.called == ["look"]
        assert bench.calls == 1

    asyncio.run(tried())


def test_what_could_not_be_taken_back_is_never_done() -> None:
    async def tried() -> None:
        box = Stateless()
        bench = await bench_for(lambda _: box, seed=0, given=[Given("post", {"text": "x"})])
        played = await bench.play(Call("post", {"text": "x"}))
        assert played.worked
        assert (await bench.play(Call("post", {"word": "x"}))).last.is_error
        assert box.called == []

    asyncio.run(tried())


def test_what_a_tool_raises_is_its_answer() -> None:
    async def tried() -> None:
        bench = await bench_for(lambda _: Stateless(), seed=0)
        played = await bench.play(Call("look", {"text": "bang"}))
        assert played.last.is_error
        assert "it broke" in str(played.last.content)

    asyncio.run(tried())


def test_a_scene_is_set_before_anything_is_tried() -> None:
    async def tried() -> None:
        given = Given("add_task", {"text": "Water the ferns"})
        bench = await bench_for(world_named("desk").make, seed=0, given=[given])
        assert "Water the ferns" in [task["text"] for task in bench.start["tasks"].values()]
        assert (await bench.play(Call("list_tasks", {}))).changes == ()

    asyncio.run(tried())
