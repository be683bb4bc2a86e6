"""Each tool gets the best simulation there is, and files and shell share one tree."""

import asyncio
from typing import Any

from misstep.core.tool import JSON, Tool
from misstep.tools.simulators import simulator_for

TEXT: JSON = {"type": "string"}


def made(name: str, description: str, *given: str) -> Tool:
    return Tool(name, description, {"type": "object", "properties": dict.fromkeys(given, TEXT), "required": [*given]})


TOOLS = [
    made("read_file", "Read a file.", "path"),
    made("write_file", "Write a file.", "path", "content"),
    made("bash", "Run a shell command.", "command"),
    made("query", "Run SQL.", "sql"),
    made("create_note", "", "text"),
    made("get_note", "", "note_id"),
]


def call(box: Any, tool: str, **arguments: JSON) -> Any:
    answer = asyncio.run(box.call(tool, arguments))
    assert not answer.is_error, answer.content
    return answer.content


def test_files_and_shell_work_on_one_tree() -> None:
    box = simulator_for(TOOLS, seed=1)
    call(box, "write_file", path="/workspace/new.txt", content="hello\n")
    assert call(box, "bash", command="cat new.txt") == "hello"
    call(box, "bash", command="echo more >> new.txt")
    assert call(box, "read_file", path="/workspace/new.txt") == "hello\nmore\n"


def test_the_tools_are_listed_in_their_order_and_each_is_played() -> None:
    box = simulator_for(TOOLS, seed=1)
    assert asyncio.run(box.tools()) == tuple(TOOLS)
    assert call(box, "query", sql="SELECT 1 AS one") == [{"one": 1}]
    note = call(box, "create_note", text="ink")["note_id"]
    assert call(box, "get_note", note_id=note)["text"] == "ink"


def test_the_state_of_all_of_them_is_put_back_together() -> None:
    box = simulator_for(TOOLS, seed=1)
    before = box.snapshot()
    call(box, "bash", command="rm -rf / && cd /")
    call(box, "query", sql="DROP TABLE customers")
    call(box, "create_note", text="ink")
    assert box.snapshot() != before
    box.restore(before)
    assert box.snapshot() == before
    assert call(box, "bash", command="pwd") == "/workspace"


def test_a_behaviour_of_ones_own_comes_before_any_simulation() -> None:
    box = simulator_for(TOOLS, seed=1, behaviours={"read_file": lambda state, arguments: f"<{arguments['path']}>"})
    assert call(box, "read_file", path="/x") == "</x>"
