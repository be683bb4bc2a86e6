"""What all tests share: where the project is, property tests that draw the same examples, and written transcripts."""

import ast
import gc
import json
import os
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import settings
from made_once import share_in

from misstep.core.event import Blocked, Event, Handoff, Memory, Message, Role, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON, Effect, Tool
from misstep.core.trace import Trace

Read = Callable[..., Trace]

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

gc.set_threshold(50_000, 20, 20)  # Thousands of tests stay in memory: to look through them again and again takes long.


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's folder."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session", autouse=True)
def _what_workers_share(tmp_path_factory: pytest.TempPathFactory) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        share_in(tmp_path_factory.getbasetemp().parent / "made-once")


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
    something, `tool(argument=value) -> result` is a call that worked, with `!! result` one that failed, with
    `xx reason` one that a guardrail stopped, and with none of these one that never came back. Where there are several
    agents, `@name: …` says something and `@name => other: …` hands over; `@name(thinks): …`, `@name(keeps KEY): …`,
    `@name(recalls KEY): …` and `@name(forgets KEY):` are thoughts and memory. Other named arguments become fields of
    the trace.
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
        elif line.startswith("@"):
            events.append(_of_somebody(line[1:]))
        elif ") xx " in line:
            events.append(_stopped(line))
        else:
            events.extend(_exchange(line, f"c{len(events)}"))
    return Trace(id="t", events=tuple(events), tools=tuple(tools), **fields)  # pyright: ignore[reportArgumentType]


def _tool(line: str) -> Tool:
    head, _, description = line.partition(":")
    name, effect = head.split()
    assert effect in get_args(Effect), line
    return Tool(name, description.strip(), effect=cast("Effect", effect))


def _of_somebody(line: str) -> Event:
    head, _, said = line.partition(":")
    said = said.strip().replace("\\n", "\n")
    if "=>" in head:
        actor, _, to = head.partition("=>")
        return Handoff(actor=actor.strip(), to=to.strip(), text=said)
    actor, _, doing = head.rstrip(")").partition("(")
    what, _, key = doing.partition(" ")
    if what == "thinks":
        return Thought(actor=actor, text=said)
    if what:
        action: Any = {"keeps": "write", "recalls": "read", "forgets": "delete"}[what]
        return Memory(actor=actor, action=action, key=key, content=said or None)
    return Message(actor=actor, role="agent", text=said)


def _stopped(line: str) -> Event:
    call, _, reason = line.partition(") xx ")
    name, arguments = _call(f"{call})")
    return Blocked(actor="agent", tool=name, arguments=arguments, guardrail="rail", reason=reason)


def _call(text: str) -> tuple[str, dict[str, JSON]]:
    parsed = ast.parse(text, mode="eval").body
    assert isinstance(parsed, ast.Call), text
    assert isinstance(parsed.func, ast.Name), text
    return parsed.func.id, {str(each.arg): cast("JSON", ast.literal_eval(each.value)) for each in parsed.keywords}


def _exchange(line: str, call_id: str) -> list[Event]:
    failed = ") !! " in line
    call, _, result = line.partition(") !! " if failed else ") -> ")
    name, arguments = _call(call.removesuffix(")") + ")")
    events: list[Event] = [ToolCall(actor="agent", call_id=call_id, tool=name, arguments=arguments)]
    if result:
        events.append(ToolResult(actor=name, call_id=call_id, content=json.loads(result), is_error=failed))
    return events
