"""What all tests share: where the project is, property tests that draw the same examples, and written transcripts."""

import ast
import json
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import settings

from misstep.core.event import Event, Message, Role, ToolCall, ToolResult
from misstep.core.tool import JSON, Effect, Tool
from misstep.core.trace import Trace

Read = Callable[..., Trace]

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's folder."""
    return Path(__file__).parent.parent


@pytest.fixture
def endpoint() -> Iterator[Any]:
    """A scripted address that speaks chat completions."""
    made = runpy.run_path(str(Path(__file__).with_name("scripted_endpoint.py")))["ScriptedEndpoint"]()
    yield made
    made.close()


@pytest.fixture(scope="session")
def read() -> Read:
    """Turn a transcript into a Trace.

    A line each: `* name effect: description` puts a tool on offer, `user: …`, `agent: …` and `system: …` say
    something, `tool(argument=value) -> result` is a call that worked, with `!! result` one that failed, and with
    neither one that never came back. Other named arguments become fields of the trace.
    """
    return read_transcript


def read_transcript(text: str, **fields: object) -> Trace:
    tools: list[Tool] = []
    events: list[Event] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.startswith("* "):
            tools.append(_tool(line[2:]))
        elif (role := line.partition(":")[0]) in get_args(Role):
            said = line.partition(":")[2].strip().replace("\\n", "\n")
            events.append(Message(actor=role, role=cast("Role", role), text=said))
        else:
            events.extend(_exchange(line, f"c{len(events)}"))
    return Trace(id="t", events=tuple(events), tools=tuple(tools), **fields)  # pyright: ignore[reportArgumentType]


def _tool(line: str) -> Tool:
    head, _, description = line.partition(":")
    name, effect = head.split()
    assert effect in get_args(Effect), line
    return Tool(name, description.strip(), effect=cast("Effect", effect))


def _exchange(line: str, call_id: str) -> list[Event]:
    failed = ") !! " in line
    call, _, result = line.partition(") !! " if failed else ") -> ")
    parsed = ast.parse(call.removesuffix(")") + ")", mode="eval").body
    assert isinstance(parsed, ast.Call), line
    assert isinstance(parsed.func, ast.Name), line
    arguments = {str(each.arg): cast("JSON", ast.literal_eval(each.value)) for each in parsed.keywords}
    name = parsed.func.id
    events: list[Event] = [ToolCall(actor="agent", call_id=call_id, tool=name, arguments=arguments)]
    if result:
        events.append(ToolResult(actor=name, call_id=call_id, content=json.loads(result), is_error=failed))
    return events
