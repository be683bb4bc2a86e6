"""What stands before real tools: their list, who answers each of them, and the real ones only when one is called."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from misstep.core.roles import Stateful, Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.listing import REAL, real_unseen, secrets_of, started
from misstep.tools.mcp.beside import Asked, Beside
from misstep.tools.mcp.file import ServerSpec
from misstep.tools.mcp_client import McpServers
from misstep.tools.routing import Route, Routed, Routing


class Front:
    """A toolbox before real ones, with a state of its own: what is simulated."""

    def __init__(
        self, tools: Sequence[Tool], routing: Routing, simulated: Toolbox, others: Mapping[Route, Toolbox]
    ) -> None:
        self._routing = routing
        self._servers: dict[Route, Toolbox] = {"simulated": simulated, **others}
        self._routed = Routed(tools, routing, self._servers)
        self._known = frozenset(tool.name for tool in tools)
        self._simulated = simulated
        self._others = others
        self._live: Sequence[Tool] = ()
        """The list of the real servers that `_routed` was last made from."""
        if isinstance(real := others.get("real"), Lazily):
            real.trust(routing)

    async def tools(self) -> Sequence[Tool]:
        return await (await self._now()).tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return await (await self._now()).call(tool, arguments)

    async def _now(self) -> Routed:
        """Where real tools are called, what they are at the moment counts: servers change their lists."""
        if self.real is None:
            return self._routed
        live = await self.real.tools()
        if live is not self._live:
            shown = [tool for tool in live if tool.name in self._known or self._routing.of(tool) in REAL]
            self._live, self._routed = live, Routed(shown, self._routing, self._servers)
        return self._routed

    @property
    def real(self) -> "Lazily | None":
        """The servers behind it, where one of their tools is called for real."""
        real = self._others.get("real")
        used = self._routed.routes.intersection(REAL)
        return real if used and isinstance(real, Lazily) else None

    @property
    def secrets(self) -> frozenset[str]:
        """What real servers are given and must not be written anywhere, should one of them tell it."""
        real = self._others.get("real")
        return real.secrets if isinstance(real, Lazily) else frozenset()

    @property
    def asked(self) -> Asked:
        """What of the real servers was read beside tools so far."""
        return self.real.asked if self.real is not None else Asked()

    def snapshot(self) -> State:
        return self._simulated.snapshot() if isinstance(self._simulated, Stateful) else {}

    def restore(self, state: State) -> None:
        if isinstance(self._simulated, Stateful):
            self._simulated.restore(state)


class Lazily:
    """Real servers that are started by the first call of one of their tools, and then kept.

    A server gets its secrets once a routing, or a call, makes one of its tools real; the others run without theirs.
    """

    def __init__(self, specs: Sequence[ServerSpec]) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self.secrets = secrets_of(specs)
        self._routing = Routing()
        self.asked = Asked()
        self._servers: McpServers | None = None
        self._starting = asyncio.Lock()

    def trust(self, routing: Routing) -> None:
        """Say what a person has accepted, before the first call."""
        self._routing = routing

    async def tools(self) -> Sequence[Tool]:
        return await (await self._started()).tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        servers = await self._started()
        if (name := await servers.server_of(tool)) is not None:
            await servers.reconnect(self._specs[name])
        return await servers.call(tool, arguments)

    async def materials(self) -> Beside:
        """What the servers that have a real tool offer beside tools."""
        servers = await self._started()
        servers.offering = frozenset(await self._trusted(servers))
        return Beside(servers, self.asked)

    async def close(self) -> None:
        if self._servers is not None:
            await self._servers.__aexit__(None, None, None)
            self._servers = None

    async def _started(self) -> McpServers:
        async with self._starting:
            if self._servers is None:
                servers = await started(list(self._specs.values()), unseen=real_unseen(self._routing))
                trusted = [self._specs[name] for name in await self._trusted(servers)]
                await asyncio.gather(*(servers.reconnect(spec) for spec in trusted))
                self._servers = servers
            return self._servers

    async def _trusted(self, servers: McpServers) -> set[str]:
        """Whoever has a tool that is real; and who cannot be asked for its tools, where they would be real unseen."""
        real = [tool.name for tool in await servers.tools() if self._routing.of(tool) in REAL]
        unseen = real_unseen(self._routing)
        owners = {await servers.server_of(name) for name in real}
        return {name for name in owners if name is not None} | (set(servers.failed) if unseen else set[str]())


async def materials_of(toolbox: Toolbox) -> Beside | None:
    """What real servers offer beside tools, where a toolbox stands before some that are called for real."""
    real = toolbox.real if isinstance(toolbox, Front) else None
    return await real.materials() if real is not None else None


def annotations_of(tool: Tool) -> Mapping[str, JSON]:
    """The hints of its server; never believed by themselves."""
    hints = tool.extra.get("annotations")
    return cast("Mapping[str, JSON]", hints) if isinstance(hints, Mapping) else {}
