"""The servers of a file → their tools, asked without secrets for as long as that will do; and who did not list any."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.errors import StartError, UsageError
from misstep.core.tool import Tool
from misstep.tools.mcp.file import ServerSpec, filled_in
from misstep.tools.mcp_client import McpServers
from misstep.tools.redacting import looks_secret, names_secret
from misstep.tools.routing import Route, Routing

REAL: tuple[Route, ...] = ("real", "overlay")
"""The routes on which a real tool is called."""

_KEPT_BACK = "kept-back-by-misstep"
_VARIABLE = re.compile(r"\$\{(?:env:)?(\w+)")
_SHORTEST_SECRET = 6


class Listed(Struct, frozen=True):
    """The tools of several servers, and of each server that did not list its own, why."""

    tools: tuple[Tool, ...]
    failed: dict[str, str] = {}
    servers: dict[str, str] = {}
    """The server of each tool."""


async def listed(specs: Sequence[ServerSpec], routing: Routing | None = None) -> Listed:
    """Asked without their secrets. Only where a routing makes tools real unseen, who needs them to list gets them.

    Raises StartError where none of them lists any.
    """
    unseen = routing is not None and real_unseen(routing)
    servers = await started(specs, unseen=unseen)
    try:
        tools = await servers.tools()
        if unseen and servers.failed:
            for spec in [spec for spec in specs if spec.name in servers.failed]:
                await servers.reconnect(spec)
            tools = await servers.tools()
        owners = {tool.name: await servers.server_of(tool.name) or "" for tool in tools}
        failed = {name: f"{why}{_withheld(servers.specs[name])}" for name, why in servers.failed.items()}
    finally:
        await servers.__aexit__(None, None, None)
    if len(failed) == len(specs):
        raise StartError(" ".join(failed.values()))
    return Listed(tuple(tools), failed, owners)


async def started(specs: Sequence[ServerSpec], *, unseen: bool) -> McpServers:
    """Servers that run without their secrets; with `unseen`, with them where none would start otherwise."""
    try:
        return await McpServers([without_secrets(spec) for spec in specs]).__aenter__()
    except UsageError as error:
        if not unseen:
            held = "".join(dict.fromkeys(_withheld(without_secrets(spec)) for spec in specs))
            raise UsageError(f"{error}{held}") from None
        return await McpServers(specs).__aenter__()


def real_unseen(routing: Routing) -> bool:
    """Whether tools are called for real that nobody has seen: by a rule that was written by hand."""
    return any(rule.route in REAL and rule.digest is None for rule in routing.rules)


def without_secrets(spec: ServerSpec) -> ServerSpec:
    """The same server, with a placeholder wherever a secret stood."""
    return structs.replace(spec, env=_harmless(spec.env), headers=_harmless(spec.headers))


def secrets_of(specs: Sequence[ServerSpec]) -> frozenset[str]:
    """The secrets themselves, to be kept out of what is written."""
    return frozenset(secret for spec in specs for secret in _secrets(spec) if len(secret) >= _SHORTEST_SECRET)


def _secrets(spec: ServerSpec) -> Iterator[str]:
    for name, value in [*spec.env.items(), *spec.headers.items()]:
        if _holds_secret(name, value):
            try:
                whole = filled_in(ServerSpec(name="", transport="stdio", command=value)).command
            except UsageError:  # A variable that is not set keeps no secret.
                continue
            yield whole
            yield whole.removeprefix("Bearer ").removeprefix("Basic ")


def _withheld(spec: ServerSpec) -> str:
    """What to do about a server that may miss what it was not given."""
    held = sorted(name for name, value in [*spec.env.items(), *spec.headers.items()] if value == _KEPT_BACK)
    if not held:
        return ""
    return (
        f" It was not given {' and '.join(held)}: Misstep keeps secrets from servers of which no tool is real. If it "
        'needs them to list its tools, write what may be called for real under [routing] in misstep.toml, as "get_*" = '
        '"real".'
    )


def _harmless(named: Mapping[str, str]) -> dict[str, str]:
    return {name: _KEPT_BACK if _holds_secret(name, value) else value for name, value in named.items()}


def _holds_secret(name: str, value: str) -> bool:
    """By its name, by its looks, or because it is filled in from a variable with such a name."""
    filled_in_from = _VARIABLE.findall(value)
    return looks_secret(value) or any(map(names_secret, [name, *filled_in_from])) or name.lower() == "authorization"
