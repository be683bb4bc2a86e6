"""Real MCP servers → one Toolbox, and what they offer beside tools: prompts, resources, completions and logs.

This is the door: `mcp` takes a second to import, so it is imported when the first server is reached.
"""

# ruff: noqa: PLC0415

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

import msgspec

from misstep.core.errors import MisstepError, UnknownToolError, UsageError
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.mcp.channel import NOTHING, Exchange, RefusedError, exchange
from misstep.tools.mcp.file import ServerSpec, servers_in
from misstep.tools.mcp.names import fits_template, merged, told_apart
from misstep.tools.mcp.results import answer_from, answer_from_error, tool_from, without_hop

if TYPE_CHECKING:
    from misstep.tools.mcp.link import Link

__all__ = ["McpServers", "ServerSpec", "servers_in"]

Listener = Callable[[str, Mapping[str, JSON]], None]
"""Told of a notification from one of the servers: its method and its parameters."""

_INVALID_PARAMS = -32602
_LISTS = {
    "tools/list": ("tools", "tools"),
    "prompts/list": ("prompts", "prompts"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("resources", "resourceTemplates"),
}
"""A list's method → the capability that it needs, and the key that holds it."""

_encoder = msgspec.json.Encoder()


class _Listing(msgspec.Struct, frozen=True):
    """What the servers listed, under the names that are shown."""

    items: tuple[dict[str, JSON], ...] = ()
    owners: dict[str, tuple[str, str]] = {}
    """Shown name → server and the server's own name for it."""


class McpServers:
    """Several MCP servers as one Toolbox: `async with McpServers(servers_in("mcp.json")) as tools`.

    A server is connected once for each set of abilities that clients downstream declare, for servers choose by these
    which tools they list. One that dies is started again by the next call.
    """

    def __init__(self, specs: Sequence[ServerSpec], *, largest_mb: float = 16, patience_s: float = 30) -> None:
        self.specs = {spec.name: spec for spec in specs}
        self.failed: dict[str, str] = {}
        """Each server that could not be started, reached or asked for its tools, and why; the others serve without."""
        self.offering: frozenset[str] | None = None
        """The servers whose prompts, resources and logs are passed on, where these are not all of them."""
        self._largest = int(largest_mb * 1_000_000)
        self._patience_s = patience_s
        """So long may a server take to start, and so long to list what it has."""
        self._links: dict[tuple[str, str], Link] = {}
        self._opened: list[Link] = []
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}
        self._listings: dict[tuple[str, str], _Listing] = {}
        self._tools: dict[str, tuple[_Listing, tuple[Tool, ...]]] = {}
        self._listeners: list[Listener] = []
        if len(self.specs) < len(specs):
            raise UsageError("Two MCP servers have one name; give each a name of its own.")

    async def __aenter__(self) -> Self:
        try:
            found = await asyncio.gather(*(self._link(name, NOTHING) for name in self.specs), return_exceptions=True)
            for name, each in zip(self.specs, found, strict=True):
                if isinstance(each, MisstepError):
                    self.failed[name] = str(each)
                elif isinstance(each, BaseException):
                    raise each
            if len(self.failed) == len(self.specs):
                raise UsageError(" ".join(self.failed.values()))
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        await asyncio.gather(*(link.close() for link in self._opened))

    # The Toolbox

    async def tools(self) -> Sequence[Tool]:
        caller = exchange.get()
        listing = await self._listing("tools/list", caller)
        abilities = _abilities(caller)
        known = self._tools.get(abilities)
        if known is None or known[0] is not listing:
            known = self._tools[abilities] = (listing, tuple(tool_from(item) for item in listing.items))
        return known[1]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        caller = exchange.get()
        listing = await self._listing("tools/list", caller)
        if tool not in listing.owners:
            raise UnknownToolError(tool, listing.owners)
        server, own_name = listing.owners[tool]
        try:
            link = await self._link(server, _abilities(caller))
            result = await link.request("tools/call", {"name": own_name, "arguments": dict(arguments)}, caller)
        except RefusedError as error:
            return answer_from_error(error.code, error.message, error.data)
        except MisstepError as error:
            return Answer(str(error), is_error=True)
        if (size := _size(result)) > self._largest:
            return Answer(
                f"The answer of {tool!r} is too large: {size / 1e6:.1f} MB, and at most {self._largest / 1e6:g} MB are "
                "passed on. Ask for less at a time.",
                is_error=True,
            )
        return answer_from(result)

    async def server_of(self, tool: str) -> str | None:
        """The name of the server that a tool belongs to, where there is such a tool."""
        owner = (await self._listing("tools/list", exchange.get())).owners.get(tool)
        return owner[0] if owner else None

    async def reconnect(self, spec: ServerSpec) -> None:
        """Take a server of the same name, reached otherwise; nothing happens where it is the same already."""
        if self.specs[spec.name] == spec:
            return
        self.specs[spec.name] = spec
        old = [(key, link) for key, link in self._links.items() if key[0] == spec.name]
        for key, _ in old:
            del self._links[key]
        await asyncio.gather(*(link.close() for _, link in old))
        self._listings.clear()
        try:
            await self._link(spec.name, NOTHING)
            self.failed.pop(spec.name, None)
        except MisstepError as error:
            self.failed[spec.name] = str(error)

    # What is offered beside tools

    def capabilities(self) -> Mapping[str, JSON]:
        """What the servers can, taken together, as a server of MCP says it."""
        return merged(link.capabilities for link in self._links_for(NOTHING) if self._offers(link))

    def instructions(self) -> str:
        """What the servers say of their use; with several, each under its name."""
        said = {link.spec.name: link.session.instructions for link in self._links_for(NOTHING) if self._offers(link)}
        texts = {name: text for name, text in said.items() if text}
        if len(self.specs) == 1:
            return next(iter(texts.values()), "")
        return "\n\n".join(f"# {name}\n\n{text}" for name, text in texts.items())

    def watch(self, listener: Listener) -> Callable[[], None]:
        """Have a listener told of what the servers say of their own accord; the result ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def listed(self, method: str) -> Sequence[Mapping[str, JSON]]:
        """A whole list: of prompts, resources or resource templates."""
        return (await self._listing(method, exchange.get())).items

    async def asked(self, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]:
        """Any other request of a client, answered by the server that it concerns.

        Raises RefusedError with the server's own error.
        """
        caller = exchange.get()
        match method:
            case "prompts/get":
                server, own_name = await self._owner("prompts/list", str(params.get("name")), caller)
                return await self._from(server, method, {**params, "name": own_name}, caller)
            case "completion/complete":
                return await self._completed(params, caller)
            case "logging/setLevel":
                links = [link for link in await self._all_links(caller) if self._offers(link)]
                able = [link for link in links if "logging" in link.capabilities]
                await asyncio.gather(*(link.set_log_level(str(params.get("level")), caller) for link in able))
                return {}
            case _:
                return await self._of_resource(method, params, caller)

    async def roots_changed(self) -> None:
        """Pass on that the client's roots have changed."""
        for link in await self._all_links(exchange.get()):
            if "roots" in msgspec.json.decode(link.abilities):
                await link.notify_roots_changed()

    async def _completed(self, params: Mapping[str, JSON], caller: Exchange | None) -> dict[str, JSON]:
        about = cast("dict[str, JSON]", params.get("ref") or {})
        if about.get("type") == "ref/prompt":
            server, own_name = await self._owner("prompts/list", str(about.get("name")), caller)
            return await self._from(
                server, "completion/complete", {**params, "ref": {**about, "name": own_name}}, caller
            )
        return await self._of_resource("completion/complete", {**params, "uri": about.get("uri")}, caller)

    async def _of_resource(self, method: str, params: Mapping[str, JSON], caller: Exchange | None) -> dict[str, JSON]:
        """Asked of the server that lists the address, or whose template it fits; else of each until one knows it."""
        uri = str(params.get("uri"))
        request = {name: value for name, value in params.items() if name != "uri" or method != "completion/complete"}
        refused = RefusedError(_INVALID_PARAMS, f"No MCP server knows the resource {uri!r}.")
        for server in await self._who_may_have(uri, caller):
            try:
                if method in ("resources/subscribe", "resources/unsubscribe"):
                    link = await self._link(server, _abilities(caller))
                    await (link.subscribe if method == "resources/subscribe" else link.unsubscribe)(uri, caller)
                    return {}
                return await self._from(server, method, request, caller)
            except RefusedError as error:
                refused = error
        raise refused

    async def _who_may_have(self, uri: str, caller: Exchange | None) -> list[str]:
        exact = (await self._listing("resources/list", caller)).owners.get(uri)
        if exact is not None:
            return [exact[0]]
        templates = (await self._listing("resources/templates/list", caller)).owners
        fitting = [server for server, template in templates.values() if template == uri or fits_template(template, uri)]
        links = [link for link in await self._all_links(caller) if self._offers(link)]
        able = [link.spec.name for link in links if "resources" in link.capabilities]
        return list(dict.fromkeys(fitting + able))

    async def _owner(self, method: str, name: str, caller: Exchange | None) -> tuple[str, str]:
        owners = (await self._listing(method, caller)).owners
        if name not in owners:
            raise RefusedError(_INVALID_PARAMS, f"There is no prompt {name!r}.")
        return owners[name]

    async def _from(
        self, server: str, method: str, params: Mapping[str, JSON], caller: Exchange | None
    ) -> dict[str, JSON]:
        try:
            link = await self._link(server, _abilities(caller))
            return without_hop(await link.request(method, params, caller))
        except RefusedError:
            raise
        except MisstepError as error:
            raise RefusedError(-32603, str(error)) from None

    # Lists and links

    async def _listing(self, method: str, caller: Exchange | None) -> _Listing:
        """From memory, unless the client asked for a list or a server said that it changed."""
        key = (method, _abilities(caller))
        known = self._listings.get(key)
        if known is not None and not (caller is not None and caller.wants_fresh_lists):
            return known
        capability, items_key = _LISTS[method]
        offering = [link for link in await self._all_links(caller) if capability == "tools" or self._offers(link)]
        links = [link for link in offering if capability in link.capabilities]
        pages = await asyncio.gather(*(self._page(link, method, items_key, caller) for link in links))
        fresh = _listing_of(method, {link.spec.name: page for link, page in zip(links, pages, strict=True)})
        # The same object while nothing changed: those in front keep what they made of it.
        if known is not None and fresh == known:
            return known
        self._listings[key] = fresh
        return fresh

    async def _page(self, link: "Link", method: str, key: str, caller: Exchange | None) -> list[dict[str, JSON]]:
        try:
            try:
                return await link.pages(method, key, caller)
            except MisstepError:
                if not link.lost:
                    raise
                again = await self._link(link.spec.name, link.abilities)
                return await again.pages(method, key, caller)
        except MisstepError as error:
            if method == "tools/list":  # Of the others: said to have some, and has no list; as good as none.
                self.failed[link.spec.name] = str(error)
            return []

    def _offers(self, link: "Link") -> bool:
        """Whether what it has beside tools is passed on."""
        return self.offering is None or link.spec.name in self.offering

    def _links_for(self, abilities: str) -> list["Link"]:
        found = [self._links.get((name, abilities)) for name in self.specs]
        return [link for link in found if link is not None and not link.lost]

    async def _all_links(self, caller: Exchange | None) -> list["Link"]:
        abilities = _abilities(caller)
        living = [name for name in self.specs if name not in self.failed or (name, NOTHING) in self._links]
        found = await asyncio.gather(*(self._link(name, abilities) for name in living), return_exceptions=True)
        for name, each in zip(living, found, strict=True):
            if isinstance(each, MisstepError):
                self.failed[name] = str(each)
            elif isinstance(each, BaseException):
                raise each
            else:
                self.failed.pop(name, None)
        return self._links_for(abilities)

    async def _link(self, name: str, abilities: str) -> "Link":
        link = self._links.get((name, abilities))
        if link is not None and not link.lost:
            return link
        from misstep.tools.mcp.link import Link

        async with self._locks.setdefault((name, abilities), asyncio.Lock()):
            link = self._links.get((name, abilities))
            if link is not None and not link.lost:
                return link
            fresh = Link(self.specs[name], abilities, self._hears, largest=self._largest, patience_s=self._patience_s)
            self._opened = [each for each in self._opened if not each.lost] + [fresh]
            await fresh.open()
            self._links[name, abilities] = fresh
            return fresh

    def _hears(self, link: "Link", method: str, params: Mapping[str, JSON]) -> None:
        if method.endswith("/list_changed"):
            kind = method.split("/")[1]
            for key in [key for key in self._listings if key[0].startswith(kind)]:
                del self._listings[key]
        heard = method.startswith("notifications/tools/") or self._offers(link)
        for listener in list(self._listeners) if heard else ():
            with contextlib.suppress(MisstepError):
                listener(method, params)


def _abilities(caller: Exchange | None) -> str:
    return NOTHING if caller is None else caller.abilities


def _listing_of(method: str, pages: Mapping[str, Sequence[dict[str, JSON]]]) -> _Listing:
    by_address = {"resources/list": "uri", "resources/templates/list": "uriTemplate"}.get(method)
    key = by_address or "name"
    found: dict[tuple[str, str], dict[str, JSON]] = {}
    for server, page in pages.items():
        for item in page:
            if isinstance(name := item.get(key), str) and name:  # What has no name cannot be asked for.
                found.setdefault((server, name), item)
    if by_address is None:
        owners = told_apart(found)
        return _Listing(tuple({**found[pair], "name": shown} for shown, pair in owners.items()), owners)
    # An address is what it is: where two servers have it, the first of the file answers for it.
    owners: dict[str, tuple[str, str]] = {}
    for pair in found:
        owners.setdefault(pair[1], pair)
    return _Listing(tuple(found[pair] for pair in owners.values()), owners)


def _size(result: Mapping[str, JSON]) -> int:
    """About how many bytes a result has; counted without writing out what is long."""
    blocks = cast("list[dict[str, JSON]]", result.get("content") or [])
    texts = sum(len(value) for block in blocks for value in block.values() if isinstance(value, str))
    resources = [block["resource"] for block in blocks if isinstance(block.get("resource"), dict)]
    held = sum(
        len(value) for each in resources for value in cast("dict[str, JSON]", each).values() if isinstance(value, str)
    )
    return texts + held + len(_encoder.encode(result.get("structuredContent")))
