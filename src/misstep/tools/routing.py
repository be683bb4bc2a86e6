"""Each tool's name → who answers it: simulated, the real one, an overlay, a recording, a model, or nobody."""

import fnmatch
import hashlib
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

    def fits(self, tool: Tool) -> bool:
        """By name, which is a pattern where it was written by hand: a tool may well be called `*`."""
        return self.pattern == tool.name or (self.digest is None and fnmatch.fnmatchcase(tool.name, self.pattern))

    def is_stale(self, tool: Tool) -> bool:
        return self.digest is not None and self.digest != digest_of(tool)


class Routing(Struct, frozen=True):
    """What a person accepted. What no rule speaks of is simulated."""

    rules: tuple[RouteRule, ...] = ()

    def of(self, tool: Tool) -> Route:
        """The route of the closest rule: the exact name, else the longest pattern that fits.

        What was accepted of another tool of that name loosens nothing: this one is simulated, or denied as before.
        """
        rule = self.closest(tool)
        if rule is None:
            return "simulated"
        if not rule.is_stale(tool):
            return rule.route
        others = Routing(tuple(each for each in self.rules if each is not rule)).closest(tool)
        return "denied" if "denied" in (rule.route, others.route if others else None) else "simulated"

    def closest(self, tool: Tool) -> RouteRule | None:
        fitting = [rule for rule in self.rules if rule.fits(tool)]
        return max(fitting, key=lambda rule: (rule.pattern == tool.name, len(rule.pattern)), default=None)


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
    """What changes when the tool does: its words, its schemas, what its server says of it."""
    return hashlib.blake2b(msgspec.json.encode(tool, order="deterministic"), digest_size=16).hexdigest()


_NOTHING = "nothing was given that could answer so."
_LACKING: Mapping[Route, str] = {
    "recorded": 'no recording is named: write recording = "FILE" in misstep.toml, before its first table.',
    "emulated": 'no model is named: write [model] with name = "MODEL" in misstep.toml; see docs/models.md.',
}
"""What to do about a route that nothing answers."""


class Routed:
    """One toolbox before several: lists what the routing lets be seen, and calls by the same routing."""

    def __init__(self, tools: Sequence[Tool], routing: Routing, servers: Mapping[Route, Toolbox]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._route: dict[str, Route] = {tool.name: routing.of(tool) for tool in tools}
        self._servers = servers
        for name, route in sorted(self._route.items()):
            if route != "denied" and route not in servers:
                raise UsageError(f"Tool {name!r} is routed to {route!r}, but {_LACKING.get(route, _NOTHING)}")

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
