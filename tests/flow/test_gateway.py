"""The gateway between clients and servers of either generation: what comes through, and what goes wrong."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from misstep.core.event import ToolCall, ToolResult
from misstep.core.scenario import Fault
from misstep.core.tape import Tape
from misstep.tools.mcp_client import McpServers, ServerSpec
from misstep.tools.mcp_server import serving_http

Specs = Mapping[str, ServerSpec]
Gate = Callable[..., AbstractAsyncContextManager[Server[Any]]]

PLAIN = (
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_resource_link",
    "test_annotated",
    "test_error_handling",
)
MODES = ("legacy", "auto")

behind = pytest.mark.parametrize("behind", ["stateless", "handshake"])
mode = pytest.mark.parametrize("mode", MODES)


@asynccontextmanager
async def _address(spec: ServerSpec) -> AsyncGenerator[str]:
    async with McpServers([spec]) as servers, serving_http(servers, materials=servers) as url:
        yield url


def _plain(result: types.Result) -> dict[str, Any]:
    """A result without what a connection says of itself."""
    dumped = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    meta = dumped.get("_meta", {})
    meta.pop("io.modelcontextprotocol/serverInfo", None)
    return {name: value for name, value in dumped.items() if name != "_meta" or value}


def _text(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, types.TextContent))


async def _elicit(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"username": "ada"})


async def _sample(context: object, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    return types.CreateMessageResult(role="assistant", content=types.TextContent(text="sampled"), model="m")


async def _roots(context: object) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri="file:///somewhere")])


@mode
@behind
def test_tools_and_answers_are_the_same_as_without_it(gateway: Gate, conforming: Specs, behind: str, mode: str) -> None:
    async def everything(client: Client) -> list[Any]:
        found: list[Any] = [_plain(await client.list_tools())["tools"]]
        found += [_plain(await client.call_tool(name, {})) for name in PLAIN]
        found.append(_plain(await client.call_tool("add", {"a": 1, "b": 2.5})))
        found.append(_plain(await client.call_tool("add", {"a": "one"})))
        with pytest.raises(MCPError) as refused:
            await client.call_tool("refuse", {})
        found.append(refused.value.error)
        return found

    async def talk() -> tuple[list[Any], list[Any]]:
        async with Client(conforming[behind].url, mode=mode if behind == "stateless" else "legacy") as direct:
            expected = await everything(direct)
        async with gateway(conforming[behind]) as server, Client(server, mode=mode) as client:
            return expected, await everything(client)

    expected, found = asyncio.run(talk())
    assert found == expected


@mode
@behind
def test_prompts_resources_and_completions_pass_through(
    gateway: Gate, conforming: Specs, behind: str, mode: str
) -> None:
    async def everything(client: Client) -> list[Any]:
        ref = types.PromptReference(name="test_prompt_with_arguments")
        template = types.ResourceTemplateReference(uri="test://template/{id}/data")
        return [
            _plain(await client.list_prompts()),
            _plain(await client.get_prompt("test_prompt_with_image")),
            _plain(await client.get_prompt("test_prompt_with_arguments", {"arg1": "x"})),
            _plain(await client.list_resources()),
            _plain(await client.list_resource_templates()),
            _plain(await client.read_resource("test://static-binary")),
            _plain(await client.read_resource("test://template/7/data")),
            _plain(await client.complete(ref, {"name": "arg1", "value": "par"})),
            _plain(await client.complete(template, {"name": "id", "value": "1"})),
            client.instructions,
        ]

    async def talk() -> tuple[list[Any], list[Any]]:
        async with Client(conforming[behind].url, mode=mode if behind == "stateless" else "legacy") as direct:
            expected = await everything(direct)
        async with gateway(conforming[behind]) as server, Client(server, mode=mode) as client:
            with pytest.raises(MCPError, match="Resource not found: nowhere://x"):
                await client.read_resource("nowhere://x")
            return expected, await everything(client)

    expected, found = asyncio.run(talk())
    assert found == expected


@mode
@behind
def test_a_client_is_asked_in_mid_call_and_the_call_is_one_call(
    gateway: Gate, conforming: Specs, behind: str, mode: str
) -> None:
    tape = Tape()

    async def talk() -> list[str]:
        async with (
            gateway(conforming[behind], tape=tape) as server,
            Client(
                server, mode=mode, elicitation_callback=_elicit, sampling_callback=_sample, list_roots_callback=_roots
            ) as client,
        ):
            names = ("test_elicitation", "test_sampling", "test_roots")
            return [_text(await client.call_tool(name, {})) for name in names]

    elicited, sampled, roots = asyncio.run(talk())
    assert "('content', {'username': 'ada'})" in elicited
    assert "sampled" in sampled
    assert "file:///somewhere" in roots
    assert [type(event) for event in tape.view] == [ToolCall, ToolResult] * 3


@mode
@behind
def test_a_client_that_cannot_be_asked_gets_an_error_that_says_so(
    gateway: Gate, conforming: Specs, behind: str, mode: str
) -> None:
    async def talk() -> str:
        async with gateway(conforming[behind]) as server, Client(server, mode=mode) as client:
            try:
                return _text(await client.call_tool("test_elicitation", {}))
            except MCPError as error:
                return error.message

    said = asyncio.run(talk())
    assert "no client to ask" in said or "Elicitation not supported" in said


@mode
@behind
def test_progress_and_logs_arrive_before_the_result(conforming: Specs, behind: str, mode: str) -> None:
    heard: list[object] = []

    async def logged(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params.data)

    async def told(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def talk() -> None:
        async with (
            _address(conforming[behind]) as url,
            Client(url, mode=mode, logging_callback=logged, log_level="debug") as client,
        ):
            if mode == "legacy":
                await client.session.send_request(
                    types.SetLevelRequest(params=types.SetLevelRequestParams(level="debug")), types.EmptyResult
                )
            await client.call_tool("test_tool_with_progress", {}, progress_callback=told)
            heard.append("answered")
            await client.call_tool("test_tool_with_logging", {})

    asyncio.run(talk())
    steps = [(0.0, 100.0, "0 of 100"), (50.0, 100.0, "50 of 100"), (100.0, 100.0, "100 of 100")]
    assert heard == [*steps, "answered", "0 of 100", "50 of 100", "100 of 100"]


@mode
@pytest.mark.parametrize("words", [(), ("handshake",)])
def test_a_list_that_changes_is_told_and_shown(
    gateway: Gate, over_stdio: ServerSpec, mode: str, words: tuple[str, ...]
) -> None:
    spec = ServerSpec(name="own", transport="stdio", command=over_stdio.command, args=(*over_stdio.args, *words))

    async def talk() -> set[str]:
        changed = asyncio.Event()

        async def heard(message: object) -> None:
            if isinstance(message, types.ToolListChangedNotification):
                changed.set()

        async with gateway(spec) as server, Client(server, mode=mode, message_handler=heard, cache=None) as client:
            before = {tool.name for tool in (await client.list_tools()).tools}
            if mode == "legacy":
                await client.call_tool("grow", {})
                await changed.wait()
            else:
                async with client.listen(tools_list_changed=True) as changes:
                    await client.call_tool("grow", {})
                    await anext(aiter(changes))
            return {tool.name for tool in (await client.list_tools()).tools} - before

    assert asyncio.run(talk()) == {"extra"}


@mode
@pytest.mark.parametrize("words", [(), ("handshake",)])
def test_a_resource_that_changes_is_told_to_who_subscribed(
    gateway: Gate, over_stdio: ServerSpec, mode: str, words: tuple[str, ...]
) -> None:
    spec = ServerSpec(name="own", transport="stdio", command=over_stdio.command, args=(*over_stdio.args, *words))
    uri = "test://watched-resource"

    async def talk() -> str:
        updated: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def heard(message: object) -> None:
            if isinstance(message, types.ResourceUpdatedNotification) and not updated.done():
                updated.set_result(message.params.uri)

        async with gateway(spec) as server, Client(server, mode=mode, message_handler=heard) as client:
            if mode == "legacy":
                request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
                await client.session.send_request(request, types.EmptyResult)
                await client.call_tool("grow", {})
            else:
                async with client.listen(resource_subscriptions=[uri]) as changes:
                    await client.call_tool("grow", {})
                    await anext(aiter(changes))
            return await updated

    assert asyncio.run(talk()) == uri


@mode
@behind
def test_a_call_that_the_client_gives_up_is_given_up_behind(conforming: Specs, behind: str, mode: str) -> None:
    async def talk() -> None:
        async with _address(conforming[behind]) as url, Client(url, mode=mode) as client:
            waiting = asyncio.Event()

            async def told(progress: float, total: float | None, message: str | None) -> None:
                waiting.set()

            before = int(_text(await client.call_tool("cancelled", {})))
            call = asyncio.create_task(client.call_tool("wait", {}, progress_callback=told))
            await waiting.wait()
            call.cancel()
            await asyncio.wait([call])
            while int(_text(await client.call_tool("cancelled", {}))) == before:
                pass  # The test's own time limit ends it.

    asyncio.run(talk())


@mode
def test_64_calls_at_once_lose_and_mix_nothing(gateway: Gate, conforming: Specs, mode: str) -> None:
    tape = Tape()

    async def talk() -> list[object]:
        async with (
            gateway(conforming["stateless"], tape=tape, faults=(Fault(kind="error", arguments={"a": -1}),)) as server,
            Client(server, mode=mode) as client,
        ):
            calls = [client.call_tool("add", {"a": number, "b": 0}) for number in range(64)]
            return [result.structured_content for result in await asyncio.gather(*calls)]

    assert asyncio.run(talk()) == [{"sum": number} for number in range(64)]
    asked = {event.call_id: event.arguments["a"] for event in tape.view if isinstance(event, ToolCall)}
    told = {event.call_id: event.content for event in tape.view if isinstance(event, ToolResult)}
    assert len(asked) == 64
    assert told == {call: {"sum": number} for call, number in asked.items()}


def test_a_fault_reaches_the_client_in_place_of_what_the_server_said(gateway: Gate, conforming: Specs) -> None:
    tape = Tape()
    faults = (
        Fault(kind="wrong-unit", tool="add", parameters={"factor": 100}),
        Fault(kind="error", tool="test_image_content", parameters={"message": "Out of order."}),
    )

    async def talk() -> tuple[types.CallToolResult, types.CallToolResult]:
        async with gateway(conforming["handshake"], tape=tape, faults=faults) as server, Client(server) as client:
            return await client.call_tool("add", {"a": 1, "b": 2}), await client.call_tool("test_image_content", {})

    scaled, failed = asyncio.run(talk())
    assert (scaled.structured_content, _text(scaled)) == ({"sum": 300}, '{"sum": 300}')
    assert (failed.is_error, _text(failed)) == (True, "Out of order.")


def test_names_that_two_servers_have_are_told_apart_and_reach_the_right_one(gateway: Gate, conforming: Specs) -> None:
    async def talk() -> tuple[set[str], str]:
        async with gateway(*conforming.values()) as server, Client(server) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            told = await client.call_tool("handshake__add", {"a": 1, "b": 1})
            await client.get_prompt("stateless__test_simple_prompt")
            return names, _text(told)

    names, told = asyncio.run(talk())
    assert {"handshake__add", "stateless__add"} <= names
    assert "add" not in names
    assert told == "2"
