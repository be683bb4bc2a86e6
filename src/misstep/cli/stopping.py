"""A signal that ends programs → the regular end of the work at hand, and the exit code that says which it was."""

import signal
from collections.abc import Callable
from types import FrameType

from misstep.cli.exits import INTERRUPTED
from misstep.cli.notes import note

_ENDING = ("SIGTERM", "SIGHUP")


def until_stopped(work: Callable[[], int]) -> int:
    """What the work gives, unless a signal ends it.

    Each is treated as Ctrl-C is: asyncio cancels what it runs, and whatever is to be written or ended then, is.
    """
    asked: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        interrupted = signal.getsignal(signal.SIGINT)
        if not callable(interrupted):  # As for what a shell runs in the background.
            raise KeyboardInterrupt
        interrupted(signal.SIGINT, frame)

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    # What somebody has ignored on purpose (nohup) stays so.
    before = {number: signal.signal(number, stop) for number in numbers if signal.getsignal(number) is signal.SIG_DFL}
    try:
        return work()
    except KeyboardInterrupt:
        note("Stopped.")
        return 128 + asked[0] if asked else INTERRUPTED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
