# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "fastmcp==4.1.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""FastMCP's own spans of a client and a server: calls of tools alone, without a model."""

import asyncio
import sys
from pathlib import Path

import scene
from fastmcp import Client, FastMCP
from opentelemetry import trace
from recording import recorded


async def serve() -> None:
    server = FastMCP("shop")
    for function in scene.TOOLS.values():
        server.tool(function)
    async with Client(server) as client:
        with trace.get_tracer("desk").start_as_current_span("serve"):
            await client.list_tools()
            for name, arguments in scene.ACTS[:-1]:
                await client.call_tool(name, arguments, raise_on_error=False)


with recorded(Path(sys.argv[1]) / "fastmcp.jsonl") as recording:
    trace.set_tracer_provider(recording.tracers)
    asyncio.run(serve())
