"""The sound agent on tools that say little: no patterns, no output schemas, no descriptions of the arguments."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from misstep.agents.zoo.sound import Sound
from misstep.core.tool import JSON, Answer, Effect, Tool

TEXT: dict[str, JSON] = {"type": "string"}
MAYBE: dict[str, JSON] = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}


def tool(
    name: str, said: str, effect: Effect, properties: dict[str, JSON], required: Sequence[str] | None = None
) -> Tool:
    needed = list(properties) if required is None else list(required)
    return Tool(
        name, said, {"type": "object", "properties": properties, "required": cast("JSON", needed)}, effect=effect
    )


TOOLS = (
    tool("get_berths", "Get the list of berths.", "reads", {}),
    tool("free_berth", "Free the berth with the given berth_id.", "writes", {"berth_id": TEXT}),
    tool("update_skipper_info", "Update the skipper's information.", "writes", {"nickname": MAYBE, "pier": MAYBE}, []),
    tool("read_logbook", "Reads the logbook at a path.", "reads", {"logbook_path": TEXT}),
)


class Harbour:
    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, JSON]]] = []

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls.append((tool, arguments))
        return Answer("all is well", served_by="simulated")


def called(message: str) -> list[tuple[str, Mapping[str, JSON]]]:
    harbour = Harbour()
    asyncio.run(Sound().respond(message, harbour))
    return harbour.calls


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("Please free berth 8.", ("free_berth", {"berth_id": "8"})),
        ("Please free the berth with the id 8.", ("free_berth", {"berth_id": "8"})),
        ("I'd like to free a berth. The berth id is 8.", ("free_berth", {"berth_id": "8"})),
        ("Update my nickname to Skip.", ("update_skipper_info", {"nickname": "Skip"})),
    ],
)
def test_what_was_said_goes_where_it_belongs(message: str, call: tuple[str, Mapping[str, JSON]]) -> None:
    assert call in called(message), called(message)


def test_what_cannot_be_known_is_asked_for_and_not_made_up() -> None:
    assert not called("What does the logbook say, my flatmate asked?")
