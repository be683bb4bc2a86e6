"""Bytes on their way to a client of MCP → the same, but for answers that a fault wants garbled.

The protocol's own layers write whole messages only. So such an answer is marked on its way in, and garbled on its way
out, where it is bytes: in the body of HTTP, or in a line on stdio.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from misstep.core.tool import JSON
from misstep.tools.wire import Form

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

_NOISE = b"warning: worker 2 was restarted while it answered"
_NO_UTF8 = b"\xff\xfe\x80"


class Garbler:
    """Knows its own marks, which nobody else can make, and takes them away again."""

    def __init__(self) -> None:
        self._mark = f"misstep.garbled/{secrets.token_hex(16)}"
        self._found = self._mark.encode()
        self._used = False

    def marked(self, result: Mapping[str, JSON], form: Form) -> dict[str, JSON]:
        self._used = True
        meta = cast("Mapping[str, JSON]", result.get("_meta") or {})
        return {**result, "_meta": {**meta, self._mark: form}}

    def garbled(self, data: bytes) -> bytes:
        """One message, with whatever frames it; the frame stays, so that only this answer is lost."""
        if not self._used or self._found not in data:
            return data
        start, end = data.index(b"{"), data.rindex(b"}") + 1
        message = json.loads(data[start:end])
        form: Form = message["result"]["_meta"].pop(self._mark)
        if not message["result"]["_meta"]:
            del message["result"]["_meta"]
        return data[:start] + _unreadable(json.dumps(message, separators=(",", ":")).encode(), form) + data[end:]

    def before(self, app: Asgi) -> Asgi:
        """The same application on HTTP, with the bodies that it sends garbled where they are marked."""

        async def called(scope: Any, receive: Any, send: Any) -> None:
            await app(scope, receive, _Bodies(self, send) if scope["type"] == "http" else send)

        return called


class _Bodies:
    """The sending end of one answer of HTTP. A length that is announced waits until it is known to hold."""

    def __init__(self, garbler: Garbler, send: Any) -> None:
        self._garbler = garbler
        self._send = send
        self._held: dict[str, Any] | None = None

    async def __call__(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and any(
            name == b"content-length" for name, _ in message["headers"]
        ):
            self._held = message
            return
        if message["type"] == "http.response.body":
            body: bytes = message.get("body", b"")
            sent = self._garbler.garbled(body)
            await self._announce(as_it_is=sent is body)
            message = {**message, "body": sent}
        await self._send(message)

    async def _announce(self, *, as_it_is: bool) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        headers = [each for each in held["headers"] if as_it_is or each[0] != b"content-length"]
        await self._send({**held, "headers": headers})


def _unreadable(message: bytes, form: Form) -> bytes:
    match form:
        case "noise":
            return _NOISE
        case "cut":
            return message[: len(message) * 3 // 5]
        case "encoding":
            return message[:1] + _NO_UTF8 + message[1:]
