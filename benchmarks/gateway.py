"""What a call costs: direct, through a bare forwarding proxy on the same SDK, and through the gateway with all it does.

`python benchmarks/gateway.py` prints p50 and p99 of a call over stdio, of 64 calls side by side, and what 10,000 calls
leave behind. The three are measured in turns, so that a busy machine is busy for all of them. The gateway traces each
call, has a fault armed that never strikes, and asks a guardrail.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from misstep.core.event import Event
from misstep.core.objective import Limits
from misstep.core.roles import Decision, Toolbox
from misstep.core.scenario import Fault
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.assembly import assemble
from misstep.tools.mcp_client import McpServers, ServerSpec
from misstep.tools.mcp_server import serve_stdio

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["number"],
}
_RESULT: dict[str, Any] = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}


def _role(name: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[__file__, "--role", name])


async def _over_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def _echo() -> None:
    async def listed(context: Any, params: Any) -> types.ListToolsResult:
        echo = types.Tool(name="echo", input_schema=_SCHEMA, output_schema=_RESULT)
        return types.ListToolsResult(tools=[echo])

    async def called(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        given = params.arguments or {}
        text = types.TextContent(text=json.dumps(given))
        return types.CallToolResult(content=[text], structured_content=given)

    await _over_stdio(Server("echo", on_list_tools=listed, on_call_tool=called))


async def _bare() -> None:
    async with Client(_role("echo")) as client:

        async def listed(context: Any, params: Any) -> types.ListToolsResult:
            return await client.list_tools()

        async def called(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
            return await client.call_tool(params.name, params.arguments)

        await _over_stdio(Server("bare", on_list_tools=listed, on_call_tool=called))


class _Counting:
    """A guardrail that allows every call and counts them."""

    name = "counting"

    def start(self) -> int:
        return 0

    def step(self, state: object, event: Event) -> tuple[object, Decision]:
        return int(str(state)) + 1, Decision()


class _Measured:
    """Answers `measure` with what the process holds; passes all else on."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    async def tools(self) -> Sequence[Tool]:
        return [*await self._toolbox.tools(), Tool("measure")]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool != "measure":
            return await self._toolbox.call(tool, arguments)
        gc.collect()
        with open("/proc/self/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * resource.getpagesize()
        held = {
            "resident": resident,
            "tasks": len(asyncio.all_tasks()),
            "files": len(os.listdir("/proc/self/fd")),
            "objects": len(gc.get_objects()),
        }
        return Answer(held)


async def _gateway(*, traced: bool) -> None:
    spec = ServerSpec(name="echo", transport="stdio", command=sys.executable, args=(__file__, "--role", "echo"))
    async with McpServers([spec]) as servers:
        if not traced:
            await serve_stdio(_Measured(servers), materials=servers)
            return
        toolbox = assemble(
            servers,
            tape=Tape(),
            faults=[Fault(kind="error", tool="echo", arguments={"number": -1})],
            guardrails=[_Counting()],
            limits=Limits(calls=10**9, seconds=1e12),
        )
        await serve_stdio(toolbox, materials=servers)


async def _measure(rounds: int, calls: int) -> None:
    async with AsyncExitStack() as stack:
        clients = {name: await stack.enter_async_context(Client(_role(name))) for name in ("echo", "bare", "gateway")}
        for client in clients.values():
            await client.list_tools()
        times: dict[str, list[float]] = {name: [] for name in clients}
        side_by_side: dict[str, list[float]] = {name: [] for name in clients}
        for at in range(rounds + 1):
            for name, client in clients.items():
                taken = [await _timed(client, number) for number in range(calls)]
                together = await _together(client)
                if at:  # The first round warms up.
                    times[name] += taken
                    side_by_side[name].append(together)
    print(f"{'':28}{'p50 ms':>8}{'p99 ms':>8}{'p50, times bare':>17}{'64 at once, ms':>16}")
    for name, label in (("echo", "direct"), ("bare", "bare proxy"), ("gateway", "gateway")):
        middle = statistics.median(times[name])
        last = statistics.quantiles(times[name], n=100)[98]
        ratio = middle / statistics.median(times["bare"])
        wide = statistics.median(side_by_side[name])
        print(f"{label:28}{middle * 1e3:8.2f}{last * 1e3:8.2f}{ratio:17.2f}{wide * 1e3:16.1f}")
    print(f"n = {rounds * calls} calls each, one after the other; {rounds} times 64 at once, none lost or mixed up")


async def _timed(client: Client, number: int) -> float:
    start = time.perf_counter()
    result = await client.call_tool("echo", {"number": number, "text": "a short text"})
    taken = time.perf_counter() - start
    assert result.structured_content["number"] == number
    return taken


async def _together(client: Client) -> float:
    start = time.perf_counter()
    results = await asyncio.gather(*(client.call_tool("echo", {"number": number}) for number in range(64)))
    assert [result.structured_content["number"] for result in results] == list(range(64))
    return time.perf_counter() - start


async def _leak(calls: int) -> None:
    async with Client(_role("plain")) as client:
        await client.list_tools()
        before = await _after(client, calls // 5)
        after = await _after(client, calls)
    grown = {name: after[name] - before[name] for name in before}
    print(
        f"{calls} calls more: {grown['resident'] / 1e6:+.2f} MB resident, {grown['objects']:+} objects, "
        f"{grown['tasks']:+} tasks, {grown['files']:+} open files (without a tape, which keeps what it is told)"
    )


async def _after(client: Client, calls: int) -> dict[str, int]:
    for start in range(0, calls, 50):
        await asyncio.gather(*(client.call_tool("echo", {"number": start + at}) for at in range(50)))
    told = (await client.call_tool("measure", {})).content[0]
    assert isinstance(told, types.TextContent)
    return json.loads(told.text)


async def _play(role: str) -> None:
    match role:
        case "echo":
            await _echo()
        case "bare":
            await _bare()
        case _:
            await _gateway(traced=role == "gateway")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--role", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--leak", type=int, default=10_000)
    given = parser.parse_args()
    if given.role:
        asyncio.run(_play(given.role))
        return
    asyncio.run(_measure(given.rounds, given.calls))
    asyncio.run(_leak(given.leak))


if __name__ == "__main__":
    main()
