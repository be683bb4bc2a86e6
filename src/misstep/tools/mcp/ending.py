"""A process that we started → one that has ended, gently if it lets us, with all that it started."""

import asyncio
import contextlib
import os
import signal
import sys
from typing import Any

GRACE_S = 2.0
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


async def ended(process: asyncio.subprocess.Process, *, whole_group: bool = True) -> None:
    """Ask it to go, wait, and make it. Whoever will not wait for that has it made at once."""
    try:
        for number in (signal.SIGTERM, _KILL):
            _signal(process, number, whole_group=whole_group)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE_S)
                break
    finally:
        # Also where it has gone of its own accord: those that it started may not have.
        _signal(process, _KILL, whole_group=whole_group)
        transport: Any = getattr(process, "_transport", None)
        if transport is not None:
            transport.close()  # A child that outlived it may hold its pipes; they are no concern of ours any more.


def _signal(process: asyncio.subprocess.Process, number: int, *, whole_group: bool) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32" or not whole_group:
            process.send_signal(number)
        else:
            os.killpg(process.pid, number)
