"""Each tool's name → who answers it: simulated, the real one, an overlay, a recording, a model, or nobody."""

import fnmatch
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from misstep.core.errors import UnknownToolError, UsageError, suggestion
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool

Route = Literal["simulated", "real", "overlay", "recorded", "emulated", "denied"]
ROUTES: tuple[Route, ...] = get_args(Route)


class RouteRule(Struct, frozen=True):
    """A route for the tools whose names fit a pattern."""

    pattern: str
    route: Route
    digest: str | None = None
    """Of the tool as it was when a person accepted this; another one is not what was accepted."""


class Routing(Struct, frozen=True):
    """What a person accepted. What no rule speaks of is simulated."""

    rules: tuple[RouteRule, ...] = ()

    def of(self, tool: Tool) -> Route:
        """The route of the closest rule: the exact name, else the longest pattern that fits."""
        fitting = [rule for rule in self.rules if fnmatch.fnmatchcase(tool.name, rule.pattern)]
        if not fitting:
            return "simulated"
        closest = max(fitting, key=lambda rule: (rule.pattern == tool.name, len(rule.pattern)))
        if closest.digest is not None and closest.digest != digest_of(tool):
            return "denied" if closest.route == "denied" else "simulated"
        return closest.route


def routing_from(table: Mapping[str, JSON], *, place: str) -> Routing:
    """Read the `[routing]` table of a settings file: `pattern = "route"` or `pattern = { route, digest }`."""
    rules: list[RouteRule] = []
    for pattern, value in table.items():
        form = {"route": value} if isinstance(value, str) else value
        try:
            rules.append(msgspec.convert({"pattern": pattern, **_mapping(form)}, RouteRule))
        except (msgspec.ValidationError, TypeError):
            named = value if isinstance(value, str) else ""
            raise UsageError(
                f"{place} routes {pattern!r} to {value!r}, which is no route.{suggestion(named, ROUTES)}"
            ) from None
    return Routing(tuple(rules))


def _mapping(value: JSON) -> dict[str, JSON]:
    return msgspec.convert(value, dict[str, object])


def digest_of(tool: Tool) -> str:
    """Eight characters that change when the tool does: its words, its schemas, what its server says of it."""
    return hashlib.blake2b(msgspec.json.encode(tool, order="deterministic"), digest_size=4).hexdigest()


def as_toml(routing: Routing) -> str:
    """The lines of a `[routing]` table."""
    lines = [
        f"{json.dumps(rule.pattern)} = {{ route = {json.dumps(rule.route)}"
        + (f", digest = {json.dumps(rule.digest)}" if rule.digest else "")
        + " }"
        for rule in routing.rules
    ]
    return "[routing]\n" + "\n".join(lines) + "\n"


class Proposal(Struct, frozen=True):
    """What would be a safe route for a tool, and why."""

    tool: Tool
    route: Route
    why: str


def propose(tools: Sequence[Tool], reasons: Mapping[str, str]) -> tuple[Proposal, ...]:
    """Real for what only reads and reaches nowhere; simulated for all else. `reasons` say how each effect was told."""
    return tuple(Proposal(tool, _safe(tool), reasons.get(tool.name, "")) for tool in tools)


def _safe(tool: Tool) -> Route:
    return "real" if tool.effect == "reads" else "simulated"


def accepted(proposals: Sequence[Proposal]) -> Routing:
    """The routing that a person accepts with the proposals: by name, for the tools as they are now."""
    return Routing(tuple(RouteRule(each.tool.name, each.route, digest_of(each.tool)) for each in proposals))


class Routed:
    """One toolbox before several: lists what the routing lets be seen, and calls by the same routing."""

    def __init__(self, tools: Sequence[Tool], routing: Routing, servers: Mapping[Route, Toolbox]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._route: dict[str, Route] = {tool.name: routing.of(tool) for tool in tools}
        self._servers = servers
        for name, route in sorted(self._route.items()):
            if route != "denied" and route not in servers:
                raise UsageError(f"Tool {name!r} is routed to {route!r}, but nothing that can be {route} was given.")

    @property
    def routes(self) -> frozenset[Route]:
        """The routes that some tool has."""
        return frozenset(self._route.values())

    async def tools(self) -> Sequence[Tool]:
        return tuple(tool for name, tool in self._tools.items() if self._route[name] != "denied")

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        route = self._route.get(tool)
        if route is None or route == "denied":
            raise UnknownToolError(tool, [name for name, each in self._route.items() if each != "denied"])
        return await self._servers[route].call(tool, arguments)
