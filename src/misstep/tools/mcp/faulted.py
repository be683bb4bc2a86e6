"""An answer → the result that a client of MCP is given, with what a fault wants done on the wire done on the way."""

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.mcp.channel import RefusedError
from misstep.tools.mcp.garbling import Garbler
from misstep.tools.mcp.results import result_from
from misstep.tools.wire import Garbled, Unending, carried_by, without_wire

_PAUSE_S = 0.1

Sign = Callable[[int], Awaitable[None]]
"""Sends the client something that is no answer; told how many went before."""


async def result_on_wire(answer: Answer, tool: Tool | None, garbler: Garbler | None, sign: Sign) -> dict[str, JSON]:
    """Where there is no garbler there are no bytes: the client is then given the error that a fault makes in process.

    Raises RefusedError where the answer is a server's own error of the protocol.
    """
    on_wire = carried_by(answer)
    if on_wire is None:
        return result_from(answer, tool)
    if isinstance(on_wire, Garbled) and garbler is not None:
        return garbler.marked(_as_read(on_wire.answer, tool), on_wire.form)
    if isinstance(on_wire, Unending):
        await _drag_on(on_wire.seconds, sign)
    return result_from(without_wire(answer), tool)


async def _drag_on(seconds: float, sign: Sign) -> None:
    """Whoever gives the call up ends it; so does the time, also where nobody takes what is sent."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            for sent in itertools.count():
                await sign(sent)
                await asyncio.sleep(_PAUSE_S)


def _as_read(answer: Answer, tool: Tool | None) -> dict[str, JSON]:
    try:
        return result_from(without_wire(answer), tool)
    except RefusedError as error:
        return {"content": [{"type": "text", "text": error.message}], "isError": True}
