"""A function of names and numbers that takes long → the same function, run once for all workers of a session."""

import hashlib
import pickle
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

try:
    import fcntl
except ImportError:  # Windows, where each worker makes its own
    fcntl = None

P = ParamSpec("P")
T = TypeVar("T")

_folder: list[Path] = []
"""Where the workers of this session keep what they made; none where there is only one."""


def share_in(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    _folder[:] = [folder]


def made_once(make: Callable[P, T]) -> Callable[P, T]:
    """For what nobody changes. The first worker that asks makes it, whichever it is; the others wait, and read it."""

    @cache
    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        if not _folder or fcntl is None:
            return make(*args, **kwargs)
        called = f"{make.__module__}.{make.__qualname__}{args!r}{sorted(kwargs.items())!r}"
        kept = _folder[0] / hashlib.blake2b(called.encode(), digest_size=16).hexdigest()
        with kept.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if kept.exists():
                return pickle.loads(kept.read_bytes())
            value = make(*args, **kwargs)
            kept.with_suffix(".part").write_bytes(pickle.dumps(value))
            kept.with_suffix(".part").rename(kept)  # whole, or not there
            return value

    return made
