"""Async work from plain code: the one way to wait for it, wherever it is called from."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def awaited(work: Coroutine[object, object, T]) -> T:
    """The result of async work, also where this thread has a loop at work, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    result: list[T] = []
    errors: list[BaseException] = []

    def elsewhere() -> None:
        try:
            result.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits
            errors.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return result[0]
