"""The shop as a server of MCP, of the handshake generation, on stdio.

Without the SDK: it must start at once, for it is started again and again.
"""

import asyncio
import json
import sys

from misstep.core.tool import JSON
from misstep.worlds import world_named

SHOP = world_named("shop").make(7)


def listed() -> list[dict[str, object]]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
        }
        for tool in asyncio.run(SHOP.tools())
    ]


def called(name: str, arguments: dict[str, JSON]) -> dict[str, object]:
    answer = asyncio.run(SHOP.call(name, arguments))
    text = {"content": [{"type": "text", "text": json.dumps(answer.content)}]}
    return {**text, "isError": True} if answer.is_error else {**text, "structuredContent": answer.content}


def told(method: str, params: dict[str, object]) -> dict[str, object]:
    """Result or error."""
    if method == "initialize":
        server = {"name": "shop", "version": "1"}
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server}}
    if method == "tools/list":
        return {"result": {"tools": listed()}}
    if method == "tools/call":
        return {"result": called(params["name"], params["arguments"])}  # pyright: ignore[reportArgumentType]
    return {"error": {"code": -32601, "message": f"There is no method {method!r}."}}


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        said = told(asked["method"], asked.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)  # noqa: T201
