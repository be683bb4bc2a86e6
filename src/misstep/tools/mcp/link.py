"""One connection to one MCP server, of either generation, over stdio or HTTP; requests and results stay plain JSON."""

import asyncio
import contextlib
import contextvars
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import anyio
import mcp_types as types
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.subscriptions import listen
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, TypeAdapter, ValidationError

from misstep.core.errors import MisstepError
from misstep.core.tool import JSON
from misstep.tools.mcp.channel import Exchange, RefusedError
from misstep.tools.mcp.file import ServerSpec, filled_in
from misstep.tools.mcp.relaying import Forwarded, all_asked, json_of
from misstep.tools.mcp.transport import LastWords, connected, first_of, greet
from misstep.tools.redacting import redacted

_MOST_PAGES = 1000
_MOST_ROUNDS = 10
_QUERY = re.compile(r"(https?://[^\s?'\"]*)\?[^\s)'\"]*")
# Results are passed on as they came: a model of ours would drop what it does not know.
_AS_IT_IS = cast("TypeAdapter[BaseModel]", TypeAdapter(dict[str, Any]))
_Result = TypeVar("_Result", bound=BaseModel)
_Raw = types.Request[dict[str, Any], str]
_INFO = types.Implementation(name="misstep", version="1")

Hears = Callable[["Link", str, Mapping[str, JSON]], None]
"""Told of each notification: the link that it came by, its method and its parameters."""


class LostError(MisstepError):
    """A server that cannot be started or reached, or that is gone."""


class _Session(ClientSession):
    """Says of itself what the client downstream said. Servers choose by that which tools they list."""

    def __init__(self, streams: tuple[Any, Any], abilities: str, **callbacks: Any) -> None:
        super().__init__(*streams, client_info=_INFO, **callbacks)
        self._said = types.ClientCapabilities.model_validate_json(abilities)

    def _build_capabilities(self, version: str) -> types.ClientCapabilities:
        return self._said


class Link:
    """A server, connected for clients with certain abilities. Not opened again once it is lost."""

    def __init__(self, spec: ServerSpec, abilities: str, hears: Hears, *, largest: int, patience_s: float) -> None:
        self.spec = spec
        self.abilities = abilities
        self.lost = False
        self.log_level: str | None = None
        """What the stateless generation is told with each request; the other is told once."""
        self._hears = hears
        self._largest = largest
        self._patience_s = patience_s
        self._endless: dict[str, LostError] = {}
        """The lists that were waited for in vain: nobody is made to wait for them again."""
        self._words = LastWords()
        self._session: ClientSession | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._subscriptions: dict[str, asyncio.Task[None]] = {}
        self._waiting: list[Exchange] = []
        self._latest: Exchange | None = None

    @property
    def session(self) -> ClientSession:
        if self._session is None or self.lost:
            raise LostError(self._told("is gone"))
        return self._session

    @property
    def stateless(self) -> bool:
        return self.session.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def capabilities(self) -> Mapping[str, JSON]:
        said = self.session.server_capabilities
        return said.model_dump(mode="json", by_alias=True, exclude_none=True) if said else {}

    async def open(self) -> None:
        opened = asyncio.get_running_loop().create_future()
        # A context of its own: what the server says later belongs to no request, whoever happened to open the link.
        self._task = asyncio.create_task(self._live(opened), context=contextvars.Context())
        await asyncio.shield(opened)

    async def close(self) -> None:
        for task in self._subscriptions.values():
            task.cancel()
        self._closing.set()
        if self._task is not None:
            if self._session is None:  # Nobody waits any more for what it has to say.
                self._task.cancel()
            await asyncio.wait([self._task])

    async def _live(self, opened: "asyncio.Future[None]") -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                streams = await stack.enter_async_context(connected(filled_in(self.spec), self._words, self._largest))
                session = await stack.enter_async_context(_Session(streams, self.abilities, **self._callbacks()))
                with anyio.fail_after(self._patience_s):
                    await greet(session)
                self._session = session
                self._listen_for_changes()
                if not opened.done():
                    opened.set_result(None)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001 (foreign code: whatever a server does wrong is told to who waits)
            self.lost = True
            if not opened.done():
                opened.set_exception(self._start_error(error))
        finally:
            self.lost = True
            opened.cancel()

    def _start_error(self, error: Exception) -> MisstepError:
        match first_of(error):
            case MisstepError() as ours:
                return ours
            case TimeoutError():
                return LostError(self._told(f"did not answer within {self._patience_s:g} seconds"))
            case FileNotFoundError() | PermissionError() | NotADirectoryError() as wrong:
                return LostError(
                    f"The MCP server {self.spec.name!r} cannot be started: {wrong.strerror}: {wrong.filename!r}."
                )
            case MCPError(code=types.CONNECTION_CLOSED):
                return LostError(self._told("ended before it answered"))
            case MCPError() as refused:
                return LostError(self._told(f"refused to talk ({refused.message})"))
            case other:
                return LostError(self._told(f"cannot be reached ({type(other).__name__}: {other})"))

    def _told(self, what: str) -> str:
        words = self._words.text(ended=self.lost)
        place = self.spec.url or " ".join([self.spec.command, *self.spec.args])
        said = f" Its last words: {words}" if words else ""
        told = f"The MCP server {self.spec.name!r} ({place}) {what}.{said}"
        # An address may hold a key behind its question mark, and whoever fails to reach it says the whole address.
        return str(redacted(_QUERY.sub(r"\1?…", told)))

    # Requests

    async def request(self, method: str, params: Mapping[str, JSON], caller: Exchange | None) -> dict[str, JSON]:
        """The result, once the server needs nothing more from the client.

        Raises RefusedError with the server's error, and LostError where the server is gone.
        """
        if caller is not None:
            self._latest = caller
            self._waiting.append(caller)
        try:
            return await self._answered(method, params, caller)
        finally:
            if caller is not None:
                self._waiting.remove(caller)

    async def _answered(self, method: str, params: Mapping[str, JSON], caller: Exchange | None) -> dict[str, JSON]:
        result = await self._sent(method, params, caller)
        for _ in range(_MOST_ROUNDS):
            if result.get("resultType") != "input_required":
                return result
            more: dict[str, JSON] = dict(params)
            if wanted := result.get("inputRequests"):
                more["inputResponses"] = await all_asked(cast("dict[str, dict[str, JSON]]", wanted), caller)
            else:
                await anyio.sleep(0.1)  # Without a question this says: not now, try again.
            if "requestState" in result:
                more["requestState"] = result["requestState"]
            result = await self._sent(method, more, caller)
        raise RefusedError(
            types.INTERNAL_ERROR, f"The MCP server {self.spec.name!r} asked for input {_MOST_ROUNDS} times in one call."
        )

    async def _sent(self, method: str, params: Mapping[str, JSON], caller: Exchange | None) -> dict[str, JSON]:
        whole = dict(params)
        meta = dict(caller.meta) if caller is not None else {}
        if self.log_level is not None and self.stateless:
            meta.setdefault(types.LOG_LEVEL_META_KEY, self.log_level)
        if meta:
            whole["_meta"] = meta
        forwarded = Forwarded(caller) if caller is not None and caller.wants_progress else None
        message = _Raw(method=method, params=whole)
        try:
            try:
                result = await self.session.send_request(message, _AS_IT_IS, progress_callback=forwarded)
            except MCPError as error:
                if error.code != types.HEADER_MISMATCH:
                    raise
                await self._learn_headers()
                result = await self.session.send_request(message, _AS_IT_IS, progress_callback=forwarded)
        except MCPError as error:
            if error.code == types.CONNECTION_CLOSED:
                self.lost = True
                raise LostError(self._told(f"ended in the middle of {method!r}")) from None
            raise RefusedError(error.code, error.message, error.data) from None
        except ValidationError as error:
            raise RefusedError(
                types.INTERNAL_ERROR, self._told(f"answered {method!r} against MCP: {_wrong(error)}")
            ) from None
        if forwarded is not None:
            await forwarded.delivered()
        return cast("dict[str, JSON]", cast("object", result))

    async def _learn_headers(self) -> None:
        """A server may demand that arguments be repeated in headers; the session learns which from the list."""
        cursor = None
        for _ in range(_MOST_PAGES):
            page = await self.session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            cursor = page.next_cursor
            if cursor is None:
                return

    async def pages(self, method: str, key: str, caller: Exchange | None) -> list[dict[str, JSON]]:
        """A whole list. A server that has none, or one without an end, is not waited for: LostError."""
        if method in self._endless:
            raise self._endless[method]
        found: list[dict[str, JSON]] = []
        cursors: set[JSON] = set()
        params: dict[str, JSON] = {}
        try:
            async with asyncio.timeout(self._patience_s):
                while len(cursors) < _MOST_PAGES:
                    page = await self.request(method, params, caller)
                    found.extend(_items(page.get(key)))
                    cursor = page.get("nextCursor")
                    if not isinstance(cursor, str) or not cursor or cursor in cursors:
                        return found
                    cursors.add(cursor)
                    params = {"cursor": cursor}
            what = f"answered {method!r} with {_MOST_PAGES} pages and no end"
        except TimeoutError:
            what = f"did not answer {method!r} within {self._patience_s:g} seconds"
        self._endless[method] = LostError(self._told(what))
        raise self._endless[method]

    async def set_log_level(self, level: str, caller: Exchange | None) -> None:
        self.log_level = level
        if not self.stateless:
            await self.request("logging/setLevel", {"level": level}, caller)

    async def notify_roots_changed(self) -> None:
        if not self.stateless:
            await self.session.send_notification(types.RootsListChangedNotification())

    # Subscriptions

    async def subscribe(self, uri: str, caller: Exchange | None) -> None:
        if not self.stateless:
            await self.request("resources/subscribe", {"uri": uri}, caller)
        elif uri not in self._subscriptions:
            await self._listen(uri, resource_subscriptions=[uri]).wait()

    async def unsubscribe(self, uri: str, caller: Exchange | None) -> None:
        if not self.stateless:
            await self.request("resources/unsubscribe", {"uri": uri}, caller)
        elif task := self._subscriptions.pop(uri, None):
            task.cancel()

    def _listen_for_changes(self) -> None:
        if not self.stateless:
            return
        said = self.session.server_capabilities or types.ServerCapabilities()
        kinds = {"tools": said.tools, "prompts": said.prompts, "resources": said.resources}
        changing = {f"{name}_list_changed": True for name, each in kinds.items() if each and each.list_changed}
        if changing:
            self._listen("", **changing)

    def _listen(self, key: str, **wanted: Any) -> asyncio.Event:
        """Hold a subscription; what it brings reaches `_heard`. The event says that it is held, or never will be."""
        settled = asyncio.Event()

        async def hold(session: ClientSession) -> None:
            try:
                async with listen(session, **wanted) as subscription:
                    settled.set()
                    async for _ in subscription:
                        pass
            except (MCPError, RuntimeError, TimeoutError):
                self._subscriptions.pop(key, None)
            finally:
                settled.set()

        self._subscriptions[key] = asyncio.create_task(hold(self.session), context=contextvars.Context())
        return settled

    # What the server says of its own accord

    def _callbacks(self) -> dict[str, Any]:
        can = json.loads(self.abilities)
        callbacks: dict[str, Any] = {"message_handler": self._heard}
        if "elicitation" in can:
            callbacks["elicitation_callback"] = self._elicit
        if "sampling" in can:
            callbacks["sampling_callback"] = self._sample
        if "roots" in can:
            callbacks["list_roots_callback"] = self._roots
        return callbacks

    async def _heard(self, message: IncomingMessage) -> None:
        if isinstance(message, Exception):
            return
        params = json_of(message.params) if message.params is not None else {}
        if isinstance(message, types.LoggingMessageNotification) and self._waiting:
            await self._waiting[-1].log(params)
        elif not isinstance(message, types.ProgressNotification):
            self._hears(self, message.method, params)

    async def _elicit(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        return await self._asked(context, "elicitation/create", json_of(params), types.ElicitResult)

    async def _sample(
        self, context: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResultWithTools | types.ErrorData:
        return await self._asked(context, "sampling/createMessage", json_of(params), types.CreateMessageResultWithTools)

    async def _roots(self, context: ClientRequestContext) -> types.ListRootsResult | types.ErrorData:
        return await self._asked(context, "roots/list", {}, types.ListRootsResult)

    async def _asked(
        self, context: ClientRequestContext, method: str, params: Mapping[str, JSON], kind: type[_Result]
    ) -> _Result | types.ErrorData:
        try:
            answer = await self._whom_to_ask(method).ask(f"{method}-{context.request_id}", method, params)
            return kind.model_validate(answer)
        except RefusedError as error:
            return types.ErrorData(code=error.code, message=error.message, data=error.data)
        except ValidationError as error:
            return types.ErrorData(
                code=types.INTERNAL_ERROR, message=f"The client's answer does not fit {method!r}: {error}"
            )

    def _whom_to_ask(self, method: str) -> Exchange:
        """Who waits. The handshake generation does not say which call a question belongs to, so this must be clear."""
        clients = {each.client: each for each in self._waiting}
        if len(clients) > 1:
            raise RefusedError(
                types.INVALID_REQUEST,
                f"{method!r} came while {len(clients)} clients wait for calls of the MCP server {self.spec.name!r}: "
                "it cannot be told which of them to ask. Let each client have a gateway of its own.",
            )
        caller = next(iter(clients.values()), self._latest)
        if caller is None:
            raise RefusedError(types.INVALID_REQUEST, f"There is no client to answer {method!r} now.")
        return caller


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(each) for each in first['loc'])}: {first['msg']}"


def _items(page: JSON) -> list[dict[str, JSON]]:
    """What of a page can be used at all: objects, in a list."""
    items = cast("list[JSON]", page) if isinstance(page, list) else []
    return [cast("dict[str, JSON]", item) for item in items if isinstance(item, dict)]
