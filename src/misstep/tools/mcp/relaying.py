"""What a server sends on its way to the client that waits: progress in order, questions all at once, plain JSON."""

import asyncio
from collections.abc import Mapping
from typing import cast

import mcp_types as types
from pydantic import BaseModel

from misstep.core.tool import JSON
from misstep.tools.mcp.channel import NOTHING, Exchange, RefusedError


class Forwarded:
    """A progress callback that can be waited for: a result must not overtake the progress that came before it."""

    def __init__(self, caller: Exchange) -> None:
        self._caller = caller
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self._running += 1
        self._idle.clear()
        try:
            await self._caller.progress(progress, total, message)
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def delivered(self) -> None:
        await self._idle.wait()


async def all_asked(wanted: Mapping[str, Mapping[str, JSON]], caller: Exchange | None) -> dict[str, JSON]:
    if caller is None or caller.abilities == NOTHING:
        raise RefusedError(types.INVALID_REQUEST, "The tool needs input in mid-call, and there is no client to ask.")
    tasks = [
        asyncio.ensure_future(
            caller.ask(key, str(each["method"]), cast("Mapping[str, JSON]", each.get("params") or {}))
        )
        for key, each in wanted.items()
    ]
    try:
        return dict(zip(wanted, await asyncio.gather(*tasks), strict=True))
    finally:
        for task in tasks:
            task.cancel()


def json_of(params: BaseModel) -> dict[str, JSON]:
    dumped = params.model_dump(mode="json", by_alias=True, exclude_none=True)
    if "_meta" in dumped:
        dumped["_meta"].pop("progressToken", None)
        if not dumped["_meta"]:
            del dumped["_meta"]
    return dumped
