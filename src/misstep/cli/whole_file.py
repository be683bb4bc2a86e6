"""A file that is there whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from misstep.core.errors import UsageError
from misstep.store.journal import StorageError


class WholeFile:
    """Open for as long as a `with` lasts; does nothing where there is no path.

    It is written beside its place, and put there when it is whole: what broke on the way leaves the older one alone.
    """

    def __init__(self, path: Path | None) -> None:
        # A device or a pipe is no file that could be replaced, not even where /dev/stdout leads to one.
        through = path is None or path.is_relative_to("/dev") or (path.exists() and not path.is_file())
        # Through links, so that a link stays one.
        self._path = path if path is None or through else path.resolve()
        self._beside = self._path if self._path is None or through else _beside(self._path)
        self._file: BinaryIO | None = None

    @property
    def wanted(self) -> bool:
        return self._path is not None

    def __enter__(self) -> "WholeFile":
        if self._beside is not None:
            try:
                self._file = self._beside.open("wb")
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror or error}.") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self._file is None or self._path is None or self._beside is None:
            return
        try:
            self._file.close()
            if kind is None and self._beside != self._path:
                self._beside.replace(self._path)
        except OSError as error:
            raise self._unwritten(error) from None
        finally:
            with suppress(OSError):
                self._file.close()
            if self._beside != self._path:
                self._beside.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        if self._file is not None:
            try:
                self._file.write(data)
            except OSError as error:
                raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> StorageError:
        return StorageError(
            f"{self._path} cannot be written: {error.strerror or error}. Make room, or write elsewhere."
        )


def _beside(path: Path) -> Path:
    """A name of this process's own: another may be writing the same file."""
    return path.with_name(f".{path.name[-100:]}.{os.getpid()}.new")
