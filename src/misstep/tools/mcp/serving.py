"""A Toolbox → a server of MCP that speaks both generations of the protocol, however it will be reached."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import event_from_wire
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel
from pydantic_core import to_json

from misstep.core.errors import MisstepError
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Tool
from misstep.tools.mcp.beside import Materials
from misstep.tools.mcp.calling import Caller, Context, connection_of, notify
from misstep.tools.mcp.channel import NOTHING, RefusedError, exchange
from misstep.tools.mcp.faulted import result_on_wire
from misstep.tools.mcp.garbling import Garbler
from misstep.tools.mcp.parking import Parked
from misstep.tools.mcp.results import tool_as_listed
from misstep.tools.plain import clean

_PAGE = 500
_ENVELOPE: Mapping[str, JSON] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What results of the stateless generation must say."""
_LISTS = {
    "prompts/list": ("prompts", "prompts"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("resources", "resourceTemplates"),
}
_REQUESTS: Mapping[str, tuple[str, type[types.RequestParams]]] = {
    "prompts/get": ("prompts", types.GetPromptRequestParams),
    "resources/read": ("resources", types.ReadResourceRequestParams),
    "completion/complete": ("completions", types.CompleteRequestParams),
    "logging/setLevel": ("logging", types.SetLevelRequestParams),
}


class Gateway:
    """The handlers of one server: which request of MCP becomes which call of the Toolbox or of the Materials."""

    def __init__(
        self, toolbox: Toolbox, materials: Materials | None, *, name: str, garbler: Garbler | None = None
    ) -> None:
        self._toolbox = toolbox
        self._garbler = garbler
        self._materials = materials
        self._tools: dict[str, Tool] = {}
        self._parked = Parked()
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._sessions: dict[Connection, ServerSession] = {}
        self._subscribers: dict[str, set[Connection]] = {}
        self._notices: set[asyncio.Task[None]] = set()
        self.server = _Server(
            name,
            version="1",
            instructions=(materials.instructions() if materials else None) or None,
            get_tool_input_schema=lambda tool: self._tools[tool].input_schema if tool in self._tools else None,
            lifespan=self._living,
        )
        self._register()

    def _register(self) -> None:
        add = self.server.add_request_handler
        add("tools/list", types.PaginatedRequestParams, self._through(self._list_tools))
        add("tools/call", types.CallToolRequestParams, self._through(self._call_tool))
        add("subscriptions/listen", types.SubscriptionsListenRequestParams, self._listened)
        self.server.middleware.append(self._remember)
        if self._materials is None:
            return
        can = self._materials.capabilities()
        for method, (capability, key) in _LISTS.items():
            if capability in can:
                add(method, types.PaginatedRequestParams, self._through(_lister(self._materials, method, key)))
        for method, (capability, params) in _REQUESTS.items():
            if capability in can:
                add(method, params, self._through(_passer(self._materials, method)))
        if cast("dict[str, JSON]", can.get("resources") or {}).get("subscribe"):
            add("resources/subscribe", types.SubscribeRequestParams, self._through(self._subscribe))
            add("resources/unsubscribe", types.UnsubscribeRequestParams, self._through(self._unsubscribe))
        self.server.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, self._roots_changed
        )

    @contextlib.asynccontextmanager
    async def _living(self, server: Server[Any]) -> AsyncGenerator[dict[str, Any], None]:
        stop = self._materials.watch(self._heard) if self._materials else None
        try:
            yield {}
        finally:
            if stop is not None:
                stop()
            self._parked.close()

    # Requests

    def _through(self, answer: "_Answer") -> Callable[[Context, Any], Awaitable[HandlerResult]]:
        """Run an answer inside its exchange; park it where a stateless client must be asked something."""

        async def handle(context: Context, params: BaseModel) -> HandlerResult:
            result = _written(await self._answered(answer, context), context.method)
            stateless = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            return cast("dict[str, Any]", {**_ENVELOPE, **result} if stateless else result)

        return handle

    async def _answered(self, answer: "_Answer", context: Context) -> dict[str, JSON]:
        given = cast("Mapping[str, JSON]", context.params or {})
        token = given.get("requestState")
        try:
            if isinstance(token, str):
                cast("Caller", self._parked.kept(token)).context = context
                told = cast("Mapping[str, JSON]", given.get("inputResponses") or {})
                return await self._parked.resume(token, told)
            caller = Caller(context)
            if caller.stateless and caller.abilities != NOTHING:
                return await self._parked.start(lambda: _within(caller, answer, given), caller.questions, caller)
            return await _within(caller, answer, given)
        except RefusedError as error:
            raise MCPError(error.code, error.message, error.data) from None
        except MisstepError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None

    async def _list_tools(self, context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        tools = await self._toolbox.tools()
        self._tools = {tool.name: tool for tool in tools}
        return _page("tools", [tool_as_listed(tool) for tool in tools], params)

    async def _call_tool(self, context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        name = str(params["name"])
        arguments = cast("Mapping[str, JSON]", params.get("arguments") or {})
        try:
            if not self._tools:
                self._tools = {tool.name: tool for tool in await self._toolbox.tools()}
            answer = await self._toolbox.call(name, arguments)
        except RefusedError:
            raise
        except MisstepError as error:
            return _failed(str(error))
        except Exception as error:  # noqa: BLE001 (foreign code: one broken tool must not end the server)
            return _failed(f"The tool {name!r} broke with {type(error).__name__}: {error}")
        caller = cast("Caller", exchange.get())
        return await result_on_wire(answer, self._tools.get(name), self._garbler, caller.sign_of_life)

    async def _subscribe(self, context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        assert self._materials is not None
        connection = connection_of(context)
        result = await self._materials.asked("resources/subscribe", params)
        self._subscribers.setdefault(str(params["uri"]), set()).add(connection)
        return result

    async def _unsubscribe(self, context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        assert self._materials is not None
        uri = str(params["uri"])
        left = self._subscribers.get(uri, set())
        left.discard(connection_of(context))
        if left:
            return {}
        self._subscribers.pop(uri, None)
        return await self._materials.asked("resources/unsubscribe", params)

    async def _listened(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """The stateless generation's way to hear of changes: as long as the request lasts."""
        uris = params.notifications.resource_subscriptions or []
        materials = self._materials
        if materials is not None:
            for uri in uris:
                with contextlib.suppress(RefusedError):
                    await _within(Caller(context), _passer(materials, "resources/subscribe"), {"uri": uri})
        return await self._listen(context, params)

    async def _roots_changed(self, context: Context, params: BaseModel) -> None:
        materials = self._materials
        if materials is None:
            return

        async def pass_on(context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
            await materials.roots_changed()
            return {}

        await _within(Caller(context), pass_on, {})

    # What the servers behind say of their own accord

    async def _remember(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.method == "initialize":
            connection = connection_of(ctx)
            self._sessions[connection] = ctx.session
            connection.exit_stack.callback(self._forget, connection)
        return await call_next(ctx)

    def _forget(self, connection: Connection) -> None:
        self._sessions.pop(connection, None)
        for subscribers in self._subscribers.values():
            subscribers.discard(connection)

    def _heard(self, method: str, params: Mapping[str, JSON]) -> None:
        task = asyncio.get_running_loop().create_task(self._pass_on(method, params))
        self._notices.add(task)
        task.add_done_callback(self._notices.discard)

    async def _pass_on(self, method: str, params: Mapping[str, JSON]) -> None:
        if event := event_from_wire(method, cast("Mapping[str, Any]", params)):
            await self._bus.publish(event)
        uri = params.get("uri") if method == "notifications/resources/updated" else None
        for connection, session in list(self._sessions.items()):
            if uri is None or connection in self._subscribers.get(str(uri), ()):
                with contextlib.suppress(MCPError):
                    await notify(session, method, params, None)


_Answer = Callable[[Context, Mapping[str, JSON]], Awaitable[dict[str, JSON]]]


class _Server(Server[Any]):
    """Says to clients of the handshake generation, too, that lists may change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        changing = notification_options or NotificationOptions(True, True, True)
        return super().create_initialization_options(changing, experimental_capabilities, extensions)


async def _within(caller: Caller, answer: _Answer, params: Mapping[str, JSON]) -> dict[str, JSON]:
    """An answer, with the side channel open to its client for as long as it takes."""
    mark = exchange.set(caller)
    try:
        return await answer(caller.context, params)
    finally:
        exchange.reset(mark)
        caller.is_over = True


def _lister(materials: Materials, method: str, key: str) -> _Answer:
    async def answer(context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        return _page(key, await materials.listed(method), params)

    return answer


def _passer(materials: Materials, method: str) -> _Answer:
    async def answer(context: Context, params: Mapping[str, JSON]) -> dict[str, JSON]:
        return await materials.asked(method, {name: value for name, value in params.items() if name != "_meta"})

    return answer


def _page(key: str, items: Sequence[Mapping[str, JSON]], params: Mapping[str, JSON]) -> dict[str, JSON]:
    cursor = params.get("cursor")
    if cursor is not None and not (isinstance(cursor, str) and cursor.isdecimal() and int(cursor) < len(items)):
        raise RefusedError(
            types.INVALID_PARAMS, f"The cursor {cursor!r} is none of this list's; begin again without one."
        )
    start = int(cursor) if isinstance(cursor, str) else 0
    page: dict[str, JSON] = {key: list(items[start : start + _PAGE])}
    if start + _PAGE < len(items):
        page["nextCursor"] = str(start + _PAGE)
    return page


def _written(result: dict[str, JSON], method: str) -> dict[str, JSON]:
    """The result, where it can be sent at all: whoever waits for one that cannot be would wait for ever."""
    try:
        to_json(result)
    except ValueError as error:
        said = f"The answer to {method!r} cannot be written as JSON: {clean(str(error))}"
        raise MCPError(types.INTERNAL_ERROR, said) from None
    return result


def _failed(text: str) -> dict[str, JSON]:
    return {"content": [{"type": "text", "text": text}], "isError": True}
