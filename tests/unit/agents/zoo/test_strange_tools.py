"""The sound agent on tools that say little: no patterns, no output schemas, lists, inner objects, dates in prose."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from misstep.agents.zoo.sound import Sound
from misstep.core.tool import JSON, Answer, Effect, Tool

TEXT = {"type": "string"}


def tool(
    name: str, said: str, effect: Effect, properties: dict[str, JSON], required: Sequence[str] | None = None
) -> Tool:
    needed = list(properties) if required is None else list(required)
    return Tool(
        name, said, {"type": "object", "properties": properties, "required": cast("JSON", needed)}, effect=effect
    )


BERTH = {"type": "string", "description": "The ID of the berth."}
MAYBE: dict[str, JSON] = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
TOOLS = (
    tool("get_berths", "Get the list of berths.", "reads", {}),
    tool("get_tolls_for_ferries", "Get the tolls.", "reads", {"ferry_names": {"type": "array", "items": TEXT}}),
    tool("free_berth", "Free the berth with the given berth_id.", "writes", {"berth_id": BERTH}),
    tool("get_day_sailings", "Sailings of a day.", "reads", {"day": {**TEXT, "description": "Format: YYYY-MM-DD."}}),
    tool(
        "book_pilot",
        "Books a pilot.",
        "writes",
        {"boarding_time": {**TEXT, "description": "Must be in format YYYY-MM-DD HH:MM."}, "dock": TEXT},
    ),
    tool(
        "charter_ferry",
        "Charter a ferry.",
        "writes",
        {
            "charters": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"skipper": TEXT, "crew": {"type": "array", "items": TEXT}},
                    "required": ["skipper", "crew"],
                },
            }
        },
    ),
    tool("update_mooring", "Update a mooring.", "writes", {"id": {"type": "integer"}, "rope": MAYBE}, ["id"]),
    tool("update_skipper_info", "Update the skipper's information.", "writes", {"nickname": MAYBE, "pier": MAYBE}, []),
    tool("open_chart", "Opens the chart at a URL.", "reaches-outside", {"url": TEXT}),
    tool("read_logbook", "Reads the logbook at a path.", "reads", {"logbook_path": TEXT}),
)
BERTHS = [{"id": "3", "side": "north", "ship": "Sea Queen"}, {"id": "8", "side": "south", "ship": "Old Tom"}]


class Harbour:
    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, JSON]]] = []

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls.append((tool, arguments))
        return Answer(cast("JSON", BERTHS) if tool == "get_berths" else "all is well", served_by="simulated")


def called(*messages: str) -> list[tuple[str, Mapping[str, JSON]]]:
    harbour, agent = Harbour(), Sound()

    async def talk() -> None:
        for message in messages:
            await agent.respond(message, harbour)

    asyncio.run(talk())
    return harbour.calls


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "What are the tolls? The ferry name is Blue Heron.",
            ("get_tolls_for_ferries", {"ferry_names": ["Blue Heron"]}),
        ),
        (
            "What are the tolls of the ferry (name: Blue Heron)?",
            ("get_tolls_for_ferries", {"ferry_names": ["Blue Heron"]}),
        ),
        ("Please free berth 8.", ("free_berth", {"berth_id": "8"})),
        ("Please free the berth with the id 8.", ("free_berth", {"berth_id": "8"})),
        ("I'd like to free a berth. The berth id is 8.", ("free_berth", {"berth_id": "8"})),
        ("Which sailings are there on 21/05/2024?", ("get_day_sailings", {"day": "2024-05-21"})),
        ("Which sailings are there? The day I mean is May 3rd, 2024.", ("get_day_sailings", {"day": "2024-05-03"})),
        (
            "Book a pilot, please. Boarding time: May 26, 2024 at 17:00, dock: East Pier.",
            ("book_pilot", {"boarding_time": "2024-05-26 17:00", "dock": "East Pier"}),
        ),
        (
            "Charter a ferry. The skipper is Ann Lee, crew: Ben.",
            ("charter_ferry", {"charters": [{"skipper": "Ann Lee", "crew": ["Ben"]}]}),
        ),
        ("Update the rope of mooring 7 to hemp.", ("update_mooring", {"id": 7, "rope": "hemp"})),
        ("Update my nickname to Skip.", ("update_skipper_info", {"nickname": "Skip"})),
        (
            "Could you open the chart at https://sea.example/north?",
            ("open_chart", {"url": "https://sea.example/north"}),
        ),
        ("What does the logbook bill-may.txt say?", ("read_logbook", {"logbook_path": "bill-may.txt"})),
        ("Could you check the logbook /var/log/ship?", ("read_logbook", {"logbook_path": "/var/log/ship"})),
    ],
)
def test_what_was_said_goes_where_it_belongs(message: str, call: tuple[str, Mapping[str, JSON]]) -> None:
    assert call in called(message), called(message)


def test_a_number_that_nobody_said_is_found_in_what_a_list_shows() -> None:
    made = called("Please free the berth of the ship Old Tom.")
    assert ("get_berths", {}) in made
    assert ("free_berth", {"berth_id": "8"}) in made


def test_what_cannot_be_known_is_asked_for_and_not_made_up() -> None:
    assert not called("What does the logbook say, my flatmate asked?")


def test_an_answer_to_a_question_for_a_number_is_taken() -> None:
    assert ("update_mooring", {"id": 7, "rope": "hemp"}) in called("Update the rope to hemp.", "The id is 7.")
