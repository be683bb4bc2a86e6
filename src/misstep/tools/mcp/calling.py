"""One request of a client of MCP, as the servers behind the gateway may know it; of either generation."""

import json
from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ConfigDict

from misstep.core.tool import JSON
from misstep.tools.mcp.channel import NOTHING, RefusedError
from misstep.tools.mcp.parking import Questions

Context = ServerRequestContext[Any, Any]
_Raw = types.Request[dict[str, Any], str]
_OF_ONE_HOP = frozenset(
    {
        types.PROTOCOL_VERSION_META_KEY,
        types.CLIENT_INFO_META_KEY,
        types.CLIENT_CAPABILITIES_META_KEY,
        "progressToken",
    }
)
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class _Told(BaseModel):
    """Whatever a client answers."""

    model_config = ConfigDict(extra="allow")


class Caller:
    """A client's request, as the servers behind may know it; of the stateless generation, over several requests."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.client = _client(context)
        self.abilities = _abilities(context.session.client_capabilities)
        self.stateless = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        self.questions = Questions()
        self.is_over = False
        meta = _meta(context)
        self.meta = {name: value for name, value in meta.items() if name not in _OF_ONE_HOP}
        self.wants_progress = "progressToken" in meta
        self.wants_fresh_lists = context.method.endswith("/list")

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        await self.context.session.report_progress(progress, total, message)

    async def log(self, params: Mapping[str, JSON]) -> None:
        if self.stateless and not self._wants_log(str(params.get("level"))):
            return
        await notify(self.context.session, "notifications/message", params, self.context.request_id)

    async def sign_of_life(self, count: int) -> None:
        """Whatever the client wants to hear: a fault may make us send what nobody asked for."""
        if self.wants_progress:
            await self.progress(count, None, None)
            return
        params = {"level": "info", "data": f"Still working ({count})."}
        await notify(self.context.session, "notifications/message", params, self.context.request_id)

    def _wants_log(self, level: str) -> bool:
        wanted = self.meta.get(types.LOG_LEVEL_META_KEY)
        return wanted in _LEVELS and level in _LEVELS and _LEVELS.index(level) >= _LEVELS.index(str(wanted))

    async def ask(self, key: str, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]:
        if self.stateless:
            if self.is_over:
                raise RefusedError(
                    types.INVALID_REQUEST, f"The client can answer {method!r} only in the middle of a call."
                )
            return await self.questions.ask(key, method, params)
        session = self.context.session
        related = self.context.request_id if session.can_send_request else None
        metadata = ServerMessageMetadata(related_request_id=related)
        request = cast("types.ServerRequest", _Raw(method=method, params=dict(params)))
        try:
            told = await session.send_request(request, _Told, metadata=metadata)
        except MCPError as error:
            raise RefusedError(error.code, error.message, error.data) from None
        return told.model_dump(mode="json")


def connection_of(context: Context) -> Connection:
    return context.session._connection  # pyright: ignore[reportPrivateUsage]


def _client(context: Context) -> object:
    """A connection is a client. Over HTTP the stateless generation has none: there, who says the same of itself."""
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return connection_of(context)
    request = context.request
    if request is None:
        return "stdio"
    info = _meta(context).get(types.CLIENT_INFO_META_KEY)
    host = request.client.host if request.client else ""
    return (host, request.headers.get("authorization"), json.dumps(info, sort_keys=True))


async def notify(
    session: ServerSession, method: str, params: Mapping[str, JSON], related: types.RequestId | None
) -> None:
    notification = types.Notification[dict[str, Any], str](method=method, params=dict(params))
    await session.send_notification(cast("types.ServerNotification", notification), related)


def _abilities(said: types.ClientCapabilities | None) -> str:
    if said is None or not (said.elicitation or said.sampling or said.roots):
        return NOTHING
    asked = types.ClientCapabilities(elicitation=said.elicitation, sampling=said.sampling, roots=said.roots)
    return json.dumps(asked.model_dump(mode="json", by_alias=True, exclude_none=True), sort_keys=True)


def _meta(context: Context) -> Mapping[str, JSON]:
    meta = (context.params or {}).get("_meta")
    return cast("Mapping[str, JSON]", meta) if isinstance(meta, Mapping) else {}
