"""What stands before real tools: their list, who answers each of them, and the real ones only when one is called."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import structs

from misstep.core.roles import Stateful, Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.mcp.beside import Asked, Beside
from misstep.tools.mcp.file import ServerSpec
from misstep.tools.mcp_client import McpServers
from misstep.tools.redacting import looks_secret, names_secret
from misstep.tools.routing import Route, Routed, Routing

_KEPT_BACK = "kept-back-by-misstep"
_VARIABLE = re.compile(r"\$\{(?:env:)?(\w+)")
_REAL: tuple[Route, ...] = ("real", "overlay")


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
            shown = [tool for tool in live if tool.name in self._known or self._routing.of(tool) in _REAL]
            self._live, self._routed = live, Routed(shown, self._routing, self._servers)
        return self._routed

    @property
    def real(self) -> "Lazily | None":
        """The servers behind it, where one of their tools is called for real."""
        real = self._others.get("real")
        used = self._routed.routes.intersection(_REAL)
        return real if used and isinstance(real, Lazily) else None

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
                servers = await McpServers([without_secrets(spec) for spec in self._specs.values()]).__aenter__()
                trusted = [self._specs[name] for name in await self._trusted(servers)]
                await asyncio.gather(*(servers.reconnect(spec) for spec in trusted))
                self._servers = servers
            return self._servers

    async def _trusted(self, servers: McpServers) -> set[str]:
        """Whoever has a tool that is real; and who cannot be asked for its tools, where they would be real unseen."""
        real = [tool.name for tool in await servers.tools() if self._routing.of(tool) in _REAL]
        unseen = any(rule.route in _REAL and rule.digest is None for rule in self._routing.rules)
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


async def listed(specs: Sequence[ServerSpec]) -> tuple[Tool, ...]:
    """The tools of servers, asked without their secrets: nothing has been accepted yet."""
    async with McpServers([without_secrets(spec) for spec in specs]) as servers:
        return tuple(await servers.tools())


def without_secrets(spec: ServerSpec) -> ServerSpec:
    """The same server, with a placeholder wherever a secret stood."""
    return structs.replace(spec, env=_harmless(spec.env), headers=_harmless(spec.headers))


def _harmless(named: Mapping[str, str]) -> dict[str, str]:
    return {name: _KEPT_BACK if _holds_secret(name, value) else value for name, value in named.items()}


def _holds_secret(name: str, value: str) -> bool:
    """By its name, by its looks, or because it is filled in from a variable with such a name."""
    filled_in_from = _VARIABLE.findall(value)
    return looks_secret(value) or any(map(names_secret, [name, *filled_in_from])) or name.lower() == "authorization"
