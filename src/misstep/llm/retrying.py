"""A source that fails in passing → one that is asked again, after waits that are always the same."""

import asyncio
from collections.abc import Awaitable, Callable

from misstep.llm.errors import ModelError
from misstep.llm.exchange import Reply, Request, Source

_FIRST_S = 0.5
_LONGEST_S = 30.0

Wait = Callable[[float], Awaitable[object]]


class Retrying:
    """Asks again up to `retries` times. Waits twice as long each time, or as long as the other side asks for.

    The waits have no jitter: the same troubles give the same run.
    """

    def __init__(self, source: Source, *, retries: int = 3, wait: Wait = asyncio.sleep) -> None:
        self._source = source
        self._retries = retries
        self._wait = wait

    async def reply(self, request: Request) -> Reply:
        for attempt in range(self._retries):
            try:
                return await self._source.reply(request)
            except ModelError as error:
                if not error.passing:
                    raise
                pause_s = error.wait_s if error.wait_s is not None else _FIRST_S * 2**attempt
            await self._wait(min(pause_s, _LONGEST_S))
        return await self._source.reply(request)
