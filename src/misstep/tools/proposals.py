"""Tools and what is routed already → a safe route for each of them, and the rules that a person accepts with it."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from misstep.core.tool import Tool
from misstep.tools.disk.roles import file_tools
from misstep.tools.disk.shell import shell_tools
from misstep.tools.records.sql_tables import sql_tools
from misstep.tools.routing import Route, RouteRule, Routing, digest_of


class Proposal(Struct, frozen=True, kw_only=True):
    """What would be a safe route for a tool, and why."""

    tool: Tool
    server: str
    now: Route
    route: Route
    why: str
    decided: bool = False
    """Somebody has said already what it shall be; that is kept."""


def propose(
    tools: Sequence[Tool], routing: Routing, reasons: Mapping[str, str], servers: Mapping[str, str]
) -> tuple[Proposal, ...]:
    """Real for what only reads and reaches nowhere; simulated for all else. `reasons` say how each effect was told.

    Where a server (`servers` has that of each tool) also writes, its reads must show what was written: an overlay.
    """
    mixed = _mixed(tools, servers)
    unlaid = _unlaid(tools)
    return tuple(
        _proposal(tool, routing, reasons.get(tool.name, ""), servers.get(tool.name, ""), mixed, unlaid)
        for tool in tools
    )


def _mixed(tools: Sequence[Tool], servers: Mapping[str, str]) -> frozenset[str]:
    """The servers that both read and write."""
    reading = {servers.get(tool.name, "") for tool in tools if tool.effect == "reads"}
    return frozenset(reading & {servers.get(tool.name, "") for tool in tools if _acts_here(tool)})


def _acts_here(tool: Tool) -> bool:
    return tool.effect in ("writes", "destroys")


def _unlaid(tools: Sequence[Tool]) -> frozenset[str]:
    """What runs whatever it is given: that cannot be kept in front of anything."""
    return frozenset({*shell_tools(tools), *sql_tools(tools)} - set(file_tools(tools)))


def _proposal(
    tool: Tool, routing: Routing, why: str, server: str, mixed: Collection[str], unlaid: Collection[str]
) -> Proposal:
    now = routing.of(tool)
    rule = routing.closest(tool)
    if rule is not None and (not rule.is_stale(tool) or now == "denied"):
        return Proposal(tool=tool, server=server, now=now, route=now, why=f"So it was decided. {why}", decided=True)
    route: Route = "real" if tool.effect == "reads" else "simulated"
    if server in mixed and tool.name not in unlaid and tool.effect != "reaches-outside":
        route = "overlay"
        why += " Its server also writes." if tool.effect == "reads" else " It is kept in front of what is real."
    return Proposal(tool=tool, server=server, now=now, route=route, why=why.strip())


def accepted(proposals: Sequence[Proposal]) -> tuple[RouteRule, ...]:
    """The rules that a person accepts with the proposals: by name, for the tools as they are now."""
    new = [each for each in proposals if not each.decided]
    return tuple(RouteRule(each.tool.name, each.route, digest_of(each.tool)) for each in new)
