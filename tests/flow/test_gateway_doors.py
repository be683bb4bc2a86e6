"""The gateway's two doors, stdio and HTTP: who may come in, and what happens when somebody leaves."""

import asyncio
import sys
from pathlib import Path

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from misstep.core.errors import UsageError
from misstep.tools.functions import Functions
from misstep.tools.mcp_client import McpServers, ServerSpec
from misstep.tools.mcp_server import serve_http, serving_http

mode = pytest.mark.parametrize("mode", ["legacy", "auto"])

_NOISY = '''
import asyncio
import os

from misstep.tools.functions import Functions
from misstep.tools.mcp_server import serve_stdio


def shout(text: str) -> str:
    """Say it loudly."""
    print("out of turn")
    os.system("echo a child, out of turn")
    return text.upper()


asyncio.run(serve_stdio(Functions([shout])))
'''


def _text(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, types.TextContent))


def greet(name: str) -> str:
    """Say hello."""
    return f"Hello, {name}!"


@mode
def test_what_a_tool_prints_does_not_disturb_a_client_on_stdio(tmp_path: Path, mode: str) -> None:
    script = tmp_path / "noisy.py"
    script.write_text(_NOISY, encoding="utf-8")

    async def talk() -> list[str]:
        async with Client(StdioServerParameters(command=sys.executable, args=[str(script)]), mode=mode) as client:
            return [_text(await client.call_tool("shout", {"text": text})) for text in ("a", "b")]

    assert asyncio.run(talk()) == ["A", "B"]


def test_clients_of_both_generations_share_one_address() -> None:
    async def talk() -> list[str]:
        async with (
            serving_http(Functions([greet])) as url,
            Client(url, mode="legacy") as old,
            Client(url, mode="auto") as new,
        ):
            calls = [client.call_tool("greet", {"name": f"{at}"}) for at in range(20) for client in (old, new)]
            return [_text(result) for result in await asyncio.gather(*calls)]

    assert asyncio.run(talk()) == [f"Hello, {at}!" for at in range(20) for _ in range(2)]


def test_the_address_is_told_once_it_answers() -> None:
    async def talk() -> str:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve_http(Functions([greet]), ready=address.set_result))
        async with Client(await address) as client:
            said = _text(await client.call_tool("greet", {"name": "Ada"}))
        serving.cancel()
        await asyncio.wait([serving])
        return said

    assert asyncio.run(talk()) == "Hello, Ada!"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org"])
def test_what_others_can_reach_demands_a_token(host: str) -> None:
    async def talk() -> None:
        async with serving_http(Functions([greet]), host=host):
            pass

    with pytest.raises(UsageError, match="which others can reach"):
        asyncio.run(talk())


def test_a_port_that_is_taken_is_told() -> None:
    async def talk() -> None:
        async with (
            serving_http(Functions([greet])) as url,
            serving_http(Functions([greet]), port=int(url.split(":")[2][:-4])),
        ):
            pass

    with pytest.raises(UsageError, match="Choose another port"):
        asyncio.run(talk())


@pytest.mark.parametrize("sent", [None, "Bearer wrong", "Bearer", "secret"])
def test_without_its_token_nobody_comes_in(sent: str | None) -> None:
    async def talk() -> int:
        async with serving_http(Functions([greet]), token="secret") as url, httpx2.AsyncClient() as client:
            headers = {"authorization": sent} if sent else {}
            body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            return (await client.post(url, json=body, headers=headers)).status_code

    assert asyncio.run(talk()) == 401


def test_with_its_token_a_client_comes_in() -> None:
    async def talk() -> str:
        headers = {"authorization": "Bearer secret"}
        async with (
            serving_http(Functions([greet]), token="secret") as url,
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return _text(await client.call_tool("greet", {"name": "Ada"}))

    assert asyncio.run(talk()) == "Hello, Ada!"


def test_a_page_in_a_browser_cannot_reach_it_under_another_name() -> None:
    async def talk() -> int:
        async with serving_http(Functions([greet])) as url, httpx2.AsyncClient() as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            accept = "application/json, text/event-stream"
            headers = {"host": "evil.example.org", "accept": accept}
            return (await client.post(url, json=body, headers=headers)).status_code

    assert asyncio.run(talk()) == 421


@mode
def test_a_client_that_leaves_in_mid_call_leaves_the_gateway_to_the_others(
    conforming: dict[str, ServerSpec], mode: str
) -> None:
    async def leave(url: str) -> None:
        waiting = asyncio.Event()

        async def told(progress: float, total: float | None, message: str | None) -> None:
            waiting.set()

        async with Client(url, mode=mode) as client:
            call = asyncio.create_task(client.call_tool("wait", {}, progress_callback=told))
            await waiting.wait()
        await asyncio.wait([call])

    async def talk() -> str:
        async with McpServers([conforming["stateless"]]) as servers, serving_http(servers) as url:
            await leave(url)
            async with Client(url, mode=mode) as client:
                return _text(await client.call_tool("add", {"a": 1, "b": 1}))

    assert asyncio.run(talk()) == "2"


def test_a_client_that_leaves_stdio_in_mid_call_ends_the_gateway_and_its_servers(
    over_stdio: ServerSpec, tmp_path: Path
) -> None:
    script = tmp_path / "gateway.py"
    script.write_text(
        "import asyncio, os\n"
        "from misstep.tools.mcp_client import McpServers, ServerSpec\n"
        "from misstep.tools.mcp_server import serve_stdio\n"
        f"spec = ServerSpec(name='own', transport='stdio', command={over_stdio.command!r}, args={over_stdio.args!r})\n"
        "async def main():\n"
        "    async with McpServers([spec]) as servers:\n"
        "        await serve_stdio(servers)\n"
        "asyncio.run(main())\n"
        f"open({str(tmp_path / 'over')!r}, 'w').close()\n",
        encoding="utf-8",
    )

    async def talk() -> int | None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(script), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        hello = (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
            b'"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        )
        call = (
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{},'
            b'"_meta":{"progressToken":"p"}}}\n'
        )
        process.stdin.write(hello + call)
        await process.stdout.readline()
        assert b"notifications/progress" in await process.stdout.readline()
        process.stdin.close()
        return await process.wait()

    assert asyncio.run(talk()) == 0
    assert (tmp_path / "over").exists()
