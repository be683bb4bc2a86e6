"""Calls that wait for their client: asked on one request of the stateless generation, answered on the next."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from misstep.core.tool import JSON
from misstep.tools.mcp.channel import RefusedError

_KEPT_S = 600.0
_MOST = 1000
_INVALID_PARAMS = -32602


class Questions:
    """What one call has asked its client and not been told yet."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[dict[str, JSON], asyncio.Future[dict[str, JSON]]]] = {}
        self.asked = asyncio.Event()

    async def ask(self, key: str, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]:
        answer: asyncio.Future[dict[str, JSON]] = asyncio.get_running_loop().create_future()
        self.open[key] = ({"method": method, "params": dict(params)}, answer)
        self.asked.set()
        try:
            return await answer
        finally:
            self.open.pop(key, None)

    def answer(self, told: Mapping[str, JSON]) -> None:
        for key, value in told.items():
            if key in self.open and isinstance(value, dict) and not self.open[key][1].done():
                self.open.pop(key)[1].set_result(cast("dict[str, JSON]", value))
        if not self.open:
            self.asked.clear()


class Parked:
    """The calls that wait, by the token that their clients bring back."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[asyncio.Task[dict[str, JSON]], Questions, object]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    async def start(
        self, work: Callable[[], Awaitable[dict[str, JSON]]], questions: Questions, kept: object
    ) -> dict[str, JSON]:
        """The result, or the questions that the client must answer first; `kept` is given back when it does."""

        async def run() -> dict[str, JSON]:
            return await work()

        return await self._next(asyncio.create_task(run()), questions, kept)

    def kept(self, token: str) -> object:
        if token not in self._calls:
            raise RefusedError(
                _INVALID_PARAMS,
                "The request state is not known: it was used before, or its call was given up. Call again.",
            )
        return self._calls[token][2]

    async def resume(self, token: str, told: Mapping[str, JSON]) -> dict[str, JSON]:
        self.kept(token)
        task, questions, kept = self._calls.pop(token)
        self._timers.pop(token).cancel()
        questions.answer(told)
        return await self._next(task, questions, kept)

    def close(self) -> None:
        for token in list(self._calls):
            self._drop(token)

    async def _next(self, task: "asyncio.Task[dict[str, JSON]]", questions: Questions, kept: object) -> dict[str, JSON]:
        asked = asyncio.ensure_future(questions.asked.wait())
        try:
            await asyncio.wait({task, asked}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            asked.cancel()
        if task.done():
            return task.result()
        await asyncio.sleep(0)  # Questions that belong together are asked one after the other; ask them at once.
        token = secrets.token_urlsafe(16)
        if len(self._calls) >= _MOST:
            self._drop(next(iter(self._calls)))
        self._calls[token] = (task, questions, kept)
        self._timers[token] = asyncio.get_running_loop().call_later(_KEPT_S, self._drop, token)
        wanted: dict[str, JSON] = {key: request for key, (request, _) in questions.open.items()}
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": token}

    def _drop(self, token: str) -> None:
        task, _, _ = self._calls.pop(token)
        self._timers.pop(token).cancel()
        task.cancel()
