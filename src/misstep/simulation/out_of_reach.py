"""An exception out of an agent's code → whether something that the agent needs is missing, and not the agent wrong."""

import os
import socket
from collections.abc import Iterator
from types import CodeType

_MOST_LINKS = 20
_REFUSED = frozenset((401, 403, 407, 408, 429))
"""Statuses of HTTP: a key that is missing or spent, a limit, a server that gave up. From 500 on, it is broken."""


def is_out_of_reach(error: BaseException) -> bool:
    """An address, a key, a module or a model that is not there: nobody's code did that."""
    return any(_is_missing(each) for each in _behind(error))


def _behind(error: BaseException) -> Iterator[BaseException]:
    """The exception, and those that it came from."""
    each: BaseException | None = error
    for _ in range(_MOST_LINKS):
        if each is None:
            return
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _is_missing(error: BaseException) -> bool:
    if isinstance(error, (ConnectionError, socket.gaierror, ModuleNotFoundError)):
        return True
    if isinstance(error, KeyError):
        return _raised_in(error) is type(os.environ).__getitem__.__code__
    status = _status_of(error)
    return status in _REFUSED or status >= 500


def _raised_in(error: BaseException) -> CodeType | None:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last.tb_frame.f_code if last is not None else None


def _status_of(error: BaseException) -> int:
    """Of HTTP, as clients of models and of the web keep it in what they raise; 0 where there is none."""
    try:
        for holder in (error, getattr(error, "response", None)):
            status: object = getattr(holder, "status_code", None)
            if type(status) is int and 100 <= status < 600:
                return status
    except Exception:  # noqa: BLE001 - attributes of a foreign exception may raise anything
        return 0
    code: object = getattr(error, "code", None) if isinstance(error, OSError) else None  # as urllib keeps it
    return code if type(code) is int else 0
