"""Which simulation plays which tool, and what it takes to find that out."""

import asyncio
import sys
from types import FrameType

from misstep.core.tool import JSON, Tool
from misstep.tools.simulators import simulator_for

_FIELDS = {"id": {"type": "string"}, "name": {"type": "string"}}


def _tools(kinds: int) -> list[Tool]:
    """Five tools for each of so many kinds of things, each of which refers to the next."""
    found: list[Tool] = []
    for number in range(kinds):
        kind, following = f"thing{_spelt(number)}", f"thing{_spelt(number + 1)}"
        schema: dict[str, JSON] = {"type": "object", "properties": {**_FIELDS, f"{following}_id": {"type": "string"}}}
        found += [Tool(f"{verb}_{kind}", "", schema, schema) for verb in ("get", "list", "create", "update", "delete")]
    return found


def _spelt(number: int) -> str:
    return chr(97 + number // 26) + chr(97 + number % 26)


def _steps(kinds: int) -> int:
    """How many functions are called to build the simulation."""
    tools = _tools(kinds)
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        simulator_for(tools)
    finally:
        sys.setprofile(None)
    return count


def test_four_times_the_tools_take_little_more_than_four_times_the_work() -> None:
    simulator_for(_tools(80))  # What is remembered from one time to the next is so for both.
    assert _steps(80) < 5 * _steps(20)


def test_a_folder_that_is_named_twice_is_listed_once() -> None:
    tools = [
        Tool("list_allowed_directories", "The directories that may be used."),
        Tool("read_file", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}}),
    ]
    box = simulator_for(tools, roots=["/srv/notes", "/srv/notes/"])
    assert str(asyncio.run(box.call("list_allowed_directories", {})).content).count("/srv/notes") == 1


def test_a_tool_that_tells_the_time_tells_one() -> None:
    box = simulator_for([Tool("get_current_time", "Tell the time.", effect="reads")])
    assert "2026-" in str(asyncio.run(box.call("get_current_time", {})).content)
