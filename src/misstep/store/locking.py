"""One process a folder: a lock that the operating system lets go of when its holder dies, however it dies."""

from pathlib import Path
from typing import BinaryIO

from misstep.core.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows, where two runs in one folder are the user's own affair
    fcntl = None


def locked(path: Path) -> BinaryIO:
    """Take the lock; closing what is returned lets go of it."""
    file = path.open("ab")
    if fcntl is None:
        return file
    try:
        # lockf, not flock: a forked worker that outlives its parent by a moment must not keep the folder locked.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise UsageError(
            f"Another process is at work in {path.parent}. Wait for it to end, stop it, or choose another folder with "
            "--out."
        ) from None
    return file
