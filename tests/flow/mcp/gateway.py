"""`python gateway.py FILE [PORT]`: the servers of a file behind one gateway, each call traced, on stdio or a port."""

import asyncio
import sys

from misstep.core.objective import Limits
from misstep.core.tape import Tape
from misstep.tools.assembly import assemble
from misstep.tools.mcp_client import McpServers, servers_in
from misstep.tools.mcp_server import serve_http, serve_stdio


async def main(path: str, port: str | None = None) -> None:
    async with McpServers(servers_in(path)) as servers:
        sys.stderr.writelines(servers.failed.values())
        toolbox = assemble(servers, tape=Tape(), limits=Limits(calls=1_000_000))
        if port is None:
            await serve_stdio(toolbox, materials=servers)
        else:
            await serve_http(toolbox, materials=servers, port=int(port))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
