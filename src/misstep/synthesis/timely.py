"""A toolbox that may hang → one in which every call ends: what takes too long is an error, and is not called again."""

import asyncio
import signal
import threading
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import cast

from misstep.core.errors import UsageError
from misstep.core.policy import Policy
from misstep.core.roles import Equipped, Governed, Irrevocable, Stateful, Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool

LIMIT_S = 10.0
_LATER_S = 0.25
_AGAIN_S = 0.5


class _Struck(BaseException):
    """Raised inside a tool that is busy and does not await: no `except Exception` of its own keeps it."""


class TimelyMaker:
    """Makes toolboxes whose calls have so many seconds of real time; knows which tools needed more."""

    def __init__(self, make: Callable[[int], Toolbox], limit_s: float = LIMIT_S) -> None:
        self._make = make
        self.limit_s = limit_s
        self.hung: dict[str, str] = {}
        """A tool → that it did not answer."""

    def hung_but(self, reached: Collection[str]) -> dict[str, str]:
        """The tools that hung, without those that are of use all the same."""
        return {tool: why for tool, why in self.hung.items() if tool not in reached}

    def __call__(self, seed: int) -> Toolbox:
        try:
            with _alarm(self.limit_s):
                toolbox = self._make(seed)
        except _Struck:
            raise UsageError(f"The tools were not set up within {self.limit_s:g} seconds.") from None
        return _kind(*(isinstance(toolbox, role) for role in (Stateful, Governed, Equipped, Irrevocable)))(
            toolbox, self
        )


class _Timely:
    def __init__(self, toolbox: Toolbox, maker: TimelyMaker) -> None:
        self._toolbox = toolbox
        self._maker = maker

    async def tools(self) -> Sequence[Tool]:
        limit_s = self._maker.limit_s
        try:
            with _alarm(limit_s + _LATER_S):
                async with asyncio.timeout(limit_s):
                    return await self._toolbox.tools()
        except (_Struck, TimeoutError):
            raise UsageError(f"The tools were not listed within {limit_s:g} seconds.") from None

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        hung, limit_s = self._maker.hung, self._maker.limit_s
        await asyncio.sleep(0)  # tools in process never wait, and an interrupt would not be heard
        if tool not in hung:
            timer = asyncio.timeout(limit_s)
            try:
                # A tool that awaits is cancelled, which is the gentler way; the alarm is for one that is busy.
                with _alarm(limit_s + _LATER_S):
                    async with timer:
                        return await self._toolbox.call(tool, arguments)
            except (_Struck, TimeoutError) as error:
                if isinstance(error, TimeoutError) and not timer.expired():
                    raise  # the tool's own
                hung[tool] = f"It did not answer within {limit_s:g} seconds."
        return Answer({"error": hung[tool]}, is_error=True)


class _WithState(_Timely):
    def snapshot(self) -> State:
        return cast("Stateful", self._toolbox).snapshot()

    def restore(self, state: State) -> None:
        cast("Stateful", self._toolbox).restore(state)


class _WithPolicy(_Timely):
    @property
    def policy(self) -> Policy:
        return cast("Governed", self._toolbox).policy


class _WithUsersTools(_Timely):
    def user_tools(self) -> Toolbox:
        return cast("Equipped", self._toolbox).user_tools()


class _WithIrrevocable(_Timely):
    def irrevocable(self) -> Mapping[str, str]:
        return cast("Irrevocable", self._toolbox).irrevocable()


@cache
def _kind(*filled: bool) -> type[_Timely]:
    """What fills the same roles as the toolbox inside."""
    kinds = (_WithState, _WithPolicy, _WithUsersTools, _WithIrrevocable)
    return type("Timely", (*(kind for kind, wanted in zip(kinds, filled, strict=True) if wanted), _Timely), {})


@contextmanager
def _alarm(limit_s: float) -> Generator[None]:
    """Ends what is busy in the main thread, also when somebody presses Ctrl-C, which asyncio only notes for later.

    Elsewhere, and on systems without alarms, nothing does.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.getsignal(signal.SIGINT)

    def interrupted(number: int, frame: FrameType | None) -> None:
        if callable(heard):
            heard(number, frame)
        _strike(number, frame)

    before = signal.signal(signal.SIGALRM, _strike)
    signal.signal(signal.SIGINT, interrupted)
    signal.setitimer(signal.ITIMER_REAL, limit_s, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, heard)
        signal.signal(signal.SIGALRM, before)


def _strike(number: int, frame: FrameType | None) -> None:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise _Struck from None
    # Where no task is at work, the loop itself would be torn; its own timer is enough there.
    if asyncio.current_task(loop) is not None:
        raise _Struck
