"""The process's stdout → the client's end of a wire, claimed for messages; what else is printed goes to stderr."""

import contextlib
import os
import sys
from collections.abc import Callable, Generator

from anyio import to_thread

Changed = Callable[[bytes], bytes]


class Stdout:
    """Writes a line at a time, each as it is changed on its way: the SDK's own writer knows texts, and no bytes."""

    def __init__(self, descriptor: int, change: Changed) -> None:
        self._descriptor = descriptor
        self._change = change

    async def write(self, line: str) -> int:
        data = self._change(line.encode())
        # A client that has gone is told by the end of stdin; until then there is nobody to tell.
        with contextlib.suppress(BrokenPipeError):
            await to_thread.run_sync(self._written, data)
        return len(line)

    async def flush(self) -> None:
        """Nothing is kept back."""

    def _written(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


@contextlib.contextmanager
def claimed_stdout(change: Changed) -> Generator[Stdout, None, None]:
    """The copy is not closed afterwards: a thread may still write to it, and its number would go to another file."""
    sys.stdout.flush()
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        yield Stdout(wire, change)
    finally:
        sys.stdout.flush()
        os.dup2(wire, 1)
