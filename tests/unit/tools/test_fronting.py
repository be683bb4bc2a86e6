"""What stands before real tools: secrets stay home, and lists are what they are at the moment."""

import asyncio
from collections.abc import Mapping, Sequence

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.fronting import Front, annotations_of, materials_of
from misstep.tools.listing import without_secrets
from misstep.tools.mcp.file import ServerSpec
from misstep.tools.routing import Routing, routing_from
from misstep.tools.simulated import Simulated

TOOLS = (Tool("list_notes", "List notes.", effect="reads"), Tool("add_note", "Add a note.", effect="writes"))


class Real:
    """Says that it was reached."""

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return Answer("reached")


def front(routing: Routing) -> Front:
    return Front(TOOLS, routing, Simulated(TOOLS, seed=1), {"real": Real()})


def test_secrets_of_a_server_are_replaced_by_what_says_so() -> None:
    spec = ServerSpec(
        name="a",
        transport="stdio",
        command="x",
        env={"GITHUB_TOKEN": "abc", "MODE": "fast", "OTHER": "sk-0123456789abcdef0123", "X": "${env:API_KEY:-no} y"},
        headers={"Authorization": "Bearer abc"},
    )
    kept = without_secrets(spec)
    back = "kept-back-by-misstep"
    assert kept.env == {"GITHUB_TOKEN": back, "MODE": "fast", "OTHER": back, "X": back}
    assert kept.headers == {"Authorization": "kept-back-by-misstep"}
    assert (kept.command, kept.name) == ("x", "a")


def test_nothing_real_is_reached_before_a_routing_says_so() -> None:
    box = front(Routing())
    assert asyncio.run(box.call("list_notes", {})).served_by == "simulated"
    assert asyncio.run(materials_of(box)) is None


def test_what_is_routed_real_is_answered_by_the_real_tool() -> None:
    box = front(routing_from({"list_*": "real"}, place="x"))
    assert asyncio.run(box.call("list_notes", {})).content == "reached"


def test_the_state_of_a_front_is_that_of_what_is_simulated() -> None:
    box = front(Routing())
    before = box.snapshot()
    box.restore(before)
    assert box.snapshot() == before


def test_hints_that_are_no_object_are_no_hints() -> None:
    assert annotations_of(Tool("a", extra={"annotations": "readOnly"})) == {}
    assert annotations_of(Tool("a", extra={"annotations": {"readOnlyHint": True}})) == {"readOnlyHint": True}
