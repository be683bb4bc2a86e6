"""Ends an agent that does not end by itself: in an await by cancelling it, in a busy loop by an alarm."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

DEFAULT_S = 30.0
_REAL = getattr(signal, "ITIMER_REAL", 0)
_AGAIN_S = 0.5
_BEAT_S = 1.0

NOBODY, AGENT, TOOL = range(3)
"""Who is at work: whoever that is has hung, or has ended the process."""


class Hung(BaseException):
    """Raised inside an agent that has been busy for too long."""


def _nothing(who: int) -> None:
    """Nobody is told."""


class Watch:
    """Give an agent so many seconds for each reply; used as `with watch:` around the await.

    The alarm needs the main thread, and the process's one timer: `run`'s workers set it, nobody else. Nor is anybody
    else `alone`: where nobody but the watch interrupts the task, every other interruption is the agent's own.
    """

    def __init__(
        self,
        timeout_s: float = DEFAULT_S,
        *,
        alarm: bool = False,
        alone: bool = False,
        tell: Callable[[int], None] = _nothing,
    ) -> None:
        self.timeout_s = timeout_s
        self.struck = False
        self.tell = tell
        self._alarm = alarm
        self._alone = alone
        self._task: asyncio.Task[object] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._short = _Short(self)
        if alarm:
            signal.signal(signal.SIGALRM, self._interrupt)

    def __enter__(self) -> "Watch":
        self._task = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_later(self.timeout_s, self._cancel)
        self.start(AGENT)
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()
        if self._timer is not None:
            self._timer.cancel()
        if self.struck and self._task is not None:
            while self._task.uncancel() > 0:
                pass

    def short(self, who: int) -> "_Short":
        """For what has nothing to await, as a rule: without the timer, which costs more than all the rest."""
        self._short.who = who
        return self._short

    def unhurried(self) -> "_Unhurried":
        """For a user, or the model that speaks for one, which has a time limit of its own: who waits is not stuck."""
        return _Unhurried(self)

    def start(self, who: int) -> None:
        self.struck = False
        self.tell(who)
        if self._alarm:
            # A little later than the timer: an agent that awaits is cancelled, which is the gentler way.
            signal.setitimer(_REAL, self.timeout_s + _AGAIN_S / 2, _AGAIN_S)

    def stop(self) -> None:
        if self._alarm:
            signal.setitimer(_REAL, 0)
        self.tell(NOBODY)

    def spares(self, error: BaseException) -> bool:
        """Was it meant for whoever runs the trial: a person's Ctrl-C, or a cancellation from outside?"""
        if self._alone or self.struck:
            return False
        task = asyncio.current_task()
        cancelled = isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
        return cancelled or isinstance(error, KeyboardInterrupt)

    async def settle(self) -> None:
        """Take up a cancellation that the agent has left behind, so that it does not reach what comes after."""
        task = asyncio.current_task()
        if self._alone and task is not None and task.cancelling():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0)
            while task.uncancel() > 0:
                pass

    def _cancel(self) -> None:
        self.struck = True
        if self._task is not None:
            self._task.cancel()
            # And again: an agent may swallow the first.
            self._timer = asyncio.get_running_loop().call_later(_AGAIN_S, self._cancel)

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        try:
            running = asyncio.current_task() is not None
        except RuntimeError:
            running = False
        # Where nothing runs, the loop itself would be torn; the timer is enough there.
        if running:
            self.struck = True
            raise Hung


class _Short:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.who = AGENT

    def __enter__(self) -> None:
        self._watch.start(self.who)

    def __exit__(self, *exception: object) -> None:
        self._watch.stop()


class _Unhurried:
    """Gives signs of life as long as the event loop turns."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._beat()

    def __exit__(self, *exception: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _beat(self) -> None:
        self._watch.tell(NOBODY)
        self._timer = asyncio.get_running_loop().call_later(_BEAT_S, self._beat)
