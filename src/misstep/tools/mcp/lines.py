"""Bytes of a wire → whole lines → messages, in linear time and bounded space; and what is said of those that are none.

The SDK's own reader copies a line anew with each piece of it, which takes a quarter of a minute for 50 MB, and keeps
a line that never ends.
"""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import cast

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from misstep.core.tool import JSON
from misstep.tools.plain import clean

Inbound = SessionMessage | Exception

_EDGE = 400
_DEEPEST = 150  # Whoever writes a message again gives up at 255.
_VALUE = rb'"id"\s*:\s*(\d+|"[^"\\]*")\s*'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_ID_FIRST = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb",\s*)?" + _VALUE)
_ID_LAST = re.compile(_VALUE + rb"(?:,\s*" + _VERSION + rb")?\}\s*$")


class Lines:
    """Pieces of bytes → whole lines. Of a line that is too long only its two ends are kept."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[tuple[bytes, bool]]:
        """Each line that has come to its end, and whether it is whole."""
        *ended, rest = piece.split(b"\n")
        for each in ended:
            self._add(each)
            yield b"".join(self._pieces), self._size <= self._longest
            self._pieces, self._size = [], 0
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > self._longest:
            whole = b"".join(self._pieces)
            self._pieces = [whole[:_EDGE], whole[-_EDGE:]] if len(whole) > 2 * _EDGE else [whole]


def message_in(line: bytes) -> SessionMessage | str:
    """The message of a line, or why it is none. Texts that UTF-8 cannot hold are spelt out."""
    with contextlib.suppress(ValueError):
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    try:
        readable = _spelt_out(json.loads(line), _DEEPEST)
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(readable, by_name=False))
    except RecursionError:
        return "it is nested too deeply"
    except ValidationError:
        return "it is no message of JSON-RPC"
    except ValueError:
        return "it is no JSON"


def refusal(line: bytes, why: str) -> SessionMessage | None:
    """The error that stands for a line that cannot be read; its id is at one of the ends, or there is none."""
    found = _ID_FIRST.match(line[:_EDGE]) or _ID_LAST.search(line[-_EDGE:])
    if found is None:
        return None
    text = found[1].decode("utf-8", "replace")
    request = int(text) if text.isdecimal() else text.strip('"')
    error = types.ErrorData(code=types.INTERNAL_ERROR, message=why)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=request, error=error))


def _spelt_out(value: JSON, deep: int) -> JSON:
    if not deep:
        raise RecursionError
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        named = cast("dict[str, JSON]", value)
        return {clean(name): _spelt_out(each, deep - 1) for name, each in named.items()}
    if isinstance(value, list):
        return [_spelt_out(each, deep - 1) for each in cast("list[JSON]", value)]
    return value
