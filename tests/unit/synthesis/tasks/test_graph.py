"""A link is in the graph only if a call has shown that it holds."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from misstep.core.roles import Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.tasks.executing import bench_for
from misstep.synthesis.tasks.graph import ToolGraph
from misstep.synthesis.tasks.knowing import Knowledge, learn
from misstep.synthesis.tasks.sighting import sight
from misstep.synthesis.tasks.surveying import Row
from misstep.worlds import world_named


def takes(**properties: str) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }


class Numbered:
    """Two tables with the same small numbers as keys, and a tool that answers whatever it is asked."""

    def __init__(self) -> None:
        self._state: dict[str, dict[str, dict[str, JSON]]] = {
            "cat": {str(at): {"id": at, "name": f"Cat {'abcdef'[at]}"} for at in range(6)},
            "dog": {str(at): {"id": at, "name": f"Dog {'uvwxyz'[at]}"} for at in range(6)},
        }

    async def tools(self) -> Sequence[Tool]:
        return [
            Tool("show_cat", "", takes(cat_id="integer"), effect="reads"),
            Tool("show_dog", "", takes(dog_id="integer"), effect="reads"),
            Tool("everything", "", takes(word="string"), effect="reads"),
            Tool("rename_dog", "", takes(dog_id="integer", name="string"), effect="writes"),
        ]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool == "everything":
            return Answer({"cats": list(self._state["cat"].values())})
        kind = tool.partition("_")[2]
        record = self._state[kind].get(str(arguments[f"{kind}_id"]))
        if record is None:
            return Answer(f"There is no such {kind}.", is_error=True)
        if tool == "rename_dog":
            record = {**record, "name": arguments["name"]}
            self._state = {**self._state, "dog": {**self._state["dog"], str(record["id"]): record}}
        return Answer(record)

    def snapshot(self) -> State:
        return dict(self._state)

    def restore(self, state: State) -> None:
        self._state = {name: {key: dict(record) for key, record in table.items()} for name, table in state.items()}


@cache
def known(world: str) -> Knowledge:
    async def learnt() -> Knowledge:
        def make(seed: int) -> Toolbox:
            return Numbered() if world == "numbered" else world_named(world).make(seed)

        return await learn(await bench_for(make, seed=0), Random(0))

    return asyncio.run(learnt())


def inputs(graph: ToolGraph, tool: str) -> set[tuple[str, str]]:
    return {(finder.table, field.path) for finder in graph.finders if finder.tool == tool for _, field in finder.inputs}


def test_a_look_up_is_known_by_the_fields_that_it_finds_a_record_with() -> None:
    graph = known("shop").graph
    assert inputs(graph, "find_customers") == {("customers", name) for name in ("name", "email", "phone", "city")}
    assert inputs(graph, "list_orders") == {("orders", "customer_id")}
    assert inputs(graph, "list_addresses") == {("addresses", "customer_id")}
    assert inputs(graph, "verify_identity") == set()


def test_small_numbers_do_not_link_everything_to_everything() -> None:
    graph = known("numbered").graph
    assert inputs(graph, "show_cat") == {("cat", "id")}
    assert inputs(graph, "show_dog") == {("dog", "id")}
    assert {link.giver for link in graph.links if link.taker == "rename_dog"} == {"show_dog"}


def test_what_is_shown_whatever_is_asked_is_no_look_up() -> None:
    assert inputs(known("numbered").graph, "everything") == set()


def test_reads_that_write_are_noted_and_what_they_leave_does_not_matter() -> None:
    desk = known("desk")
    assert desk.graph.reads_that_write == ("read_mail", "read_page", "show_event")
    assert desk.ignored == ("seen",)
    assert known("shop").ignored == ("sessions",)


def test_what_must_come_first_is_learnt_by_being_refused() -> None:
    shop = known("shop")
    assert {tool: [need.tool for need in needs] for tool, needs in shop.needs.items() if needs} == {
        tool: ["verify_identity"] for tool in (*shop.acts, "list_addresses")
    }
    desk = known("desk")
    assert [need.tool for need in desk.needs["reply_to_mail"]] == ["read_mail"]
    assert desk.needs["send_mail"] == ()


def test_the_graph_is_the_same_when_every_word_is_renamed() -> None:
    plain, renamed = known("shop").graph, known("shop-renamed").graph
    assert len(plain.finders) == len(renamed.finders)
    assert len(plain.links) == len(renamed.links) > 20


def test_what_is_shown_under_keys_is_shown_beside_the_others() -> None:
    row = Row("orders", "B-2", {"state": "baked", "day": "Monday"})
    answer: JSON = {"orders": {"B-1": {"state": "new", "day": "Monday"}, "B-2": {"state": "baked", "day": "Monday"}}}
    seen = sight(answer, row)
    assert seen is not None
    assert seen.record == {"state": "baked", "day": "Monday", "name": "B-2"}
    assert [each["name"] for each in seen.others] == ["B-1"]


def test_a_record_is_shown_by_its_own_values_whatever_is_said_of_its_parts() -> None:
    row = Row("houses", "H-1", {"area": "nine", "vent": "open"})
    part: JSON = {"crop": "mint", "rows": 4, "soil": "dry", "since": "May"}
    seen = sight({"H-1": {"area": "nine", "vent": "open", "beds": {"B-1": part}}}, row)
    assert seen is not None
    assert seen.record["vent"] == "open"
