"""A foreign file, packed or not → its records one at a time: lines of JSON, items of a list, or one object."""

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.ingestion.decoding import decoded, well_formed
from misstep.ingestion.items import ENDS_WITHIN, Items
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.splitting import LARGEST, Window, too_large

_HEAD = 4 * 1024 * 1024
_EMPTY = b" \t\r\n\x00"

Wanted = Callable[[JSON], bool]
"""Whether a value is a record: tells the list that holds a file's records from other lists beside it."""


class Bounds(Struct, frozen=True):
    """How much is held in memory at a time."""

    record: int = LARGEST
    """The most bytes of one record."""
    whole: int = 32 * 1024 * 1024
    """An object of up to this size is read at once; of a larger one, the lists in it are read item by item."""
    again: int = LARGEST
    """How many bytes may be searched a second time, in all, for what follows a broken record."""


def opened(path: Path) -> io.BufferedReader:
    """The file for reading, unpacked on the way where gzip has packed it."""
    with io.FileIO(path) as file:
        packed = file.read(2) == b"\x1f\x8b"
        size = path.stat().st_size
    buffer = min(_HEAD, max(size * (20 if packed else 1), 1024) + 1)
    return io.BufferedReader(_Unpacked(path) if packed else io.FileIO(path), buffer)


class _Unpacked(io.RawIOBase):
    """What gzip has packed, up to where it breaks off: read in one go, all before that would be lost too."""

    def __init__(self, path: Path) -> None:
        self._file = gzip.GzipFile(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        data = self._file.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def head_of(path: Path, size: int = 65536) -> bytes:
    """The first bytes of a file, unpacked; none of one that cannot be read."""
    try:
        with opened(path) as stream:
            return stream.read(size)
    except (OSError, EOFError, zlib.error):
        return b""


BOUNDS = Bounds()


def records(path: Path, wanted: Wanted, bounds: Bounds = BOUNDS) -> Iterator[Record | BadRecord]:
    """Every record with its place; what is broken is reported and passed over."""
    place = "the beginning"
    try:
        with opened(path) as stream:
            for found in _Reading(path, stream, wanted, bounds).records():
                place = found.place or place
                yield found
    except (OSError, EOFError, zlib.error) as error:
        said = (error.strerror if isinstance(error, OSError) else None) or error
        yield BadRecord(path, f"after {place}", f"The file cannot be read: {said}.")


class _Reading:
    """One file being read."""

    def __init__(self, path: Path, stream: io.BufferedReader, wanted: Wanted, bounds: Bounds) -> None:
        self._path = path
        self._stream = stream
        self._wanted = wanted
        self._bounds = bounds
        self._passed = 0
        self._given_up = False
        self._window = Window(stream, largest=bounds.record)

    def records(self) -> Iterator[Record | BadRecord]:
        head = self._stream.peek(_HEAD)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            yield self._bad("the beginning", "The file is in UTF-16. Save it as UTF-8, and read it again.")
            return
        if head.startswith(codecs.BOM_UTF8):  # some editors put a mark there
            head = head[len(self._stream.read(3)) :]
        if not head.strip(_EMPTY):
            yield self._bad("the beginning", "The file is empty.")
        elif _has_lines(self._path, head):
            yield from self._lines()
        elif head.lstrip(_EMPTY)[:1] in (b"[", b"{"):
            yield from self._values()
        else:
            yield self._bad("the beginning", f"This is no JSON: it begins with {_beginning(head)!r}.")

    def _bad(self, place: str, because: str) -> BadRecord:
        return BadRecord(self._path, place, because)

    def _decoded(self, place: str, data: bytes) -> Record | BadRecord:
        try:
            return Record(place, decoded(data))
        except FormatError as error:
            return self._bad(place, str(error))

    def _lines(self) -> Iterator[Record | BadRecord]:
        number, most = 0, self._bounds.record
        while line := self._stream.readline(most):
            number += 1
            if len(line) == most and not line.endswith(b"\n"):
                while (rest := self._stream.readline(most)) and not rest.endswith(b"\n"):
                    pass
                yield self._bad(f"line {number}", too_large(most))
            elif stripped := line.strip(_EMPTY):
                yield self._decoded(f"line {number}", stripped)

    def _values(self) -> Iterator[Record | BadRecord]:
        """One value after another; there is more than one only where files were joined."""
        window = self._window
        while not self._given_up and (opening := window.peek()):
            if opening == b"[":
                window.step()
                yield from self._listed("")
            elif opening == b"{":
                yield from self._object()
            else:
                yield self._bad(f"after item {self._passed}", f"Here is no JSON, but {_beginning(window.rest())!r}.")
                self._given_up = True

    def _object(self) -> Iterator[Record | BadRecord]:
        window, bounds = self._window, self._bounds
        if not self._passed and (whole := window.whole(bounds.whole)) and (value := well_formed(whole)) is not None:
            window.at += len(whole)
            self._passed += 1
            yield Record("", value)
            return
        window.largest = bounds.whole
        data = window.value()
        window.largest = bounds.record
        if data is None and window.too_large() and not self._wanted_list(Window(io.BytesIO(window.rest()))):
            data = window.value()
        found = self._decoded(f"item {self._passed + 1}" if self._passed else "", data) if data is not None else None
        if isinstance(found, Record) and data is not None:
            self._passed += 1
            window.at += len(data)
            yield found
            return
        why = found.because if isinstance(found, BadRecord) else window.too_large() or ENDS_WITHIN
        if self._wanted_list(Window(io.BytesIO(data or window.rest()))):
            yield from self._listed_members()
        else:
            yield self._bad("the object", why)
            self._given_up = data is None
            window.at += len(data or b"")

    def _wanted_list(self, window: Window) -> bool:
        """Whether the object that a window stands on has a list of records."""
        return any(self._is_wanted(window) or _skip(window) for _ in _lists(window))

    def _is_wanted(self, window: Window) -> bool:
        data = window.value() if window.peek() else None
        try:
            return data is not None and self._wanted(decoded(data))
        except FormatError:
            return False

    def _listed_members(self) -> Iterator[Record | BadRecord]:
        """The items of each list of records in the object that the window stands on."""
        for key in _lists(self._window):
            if self._is_wanted(self._window):
                yield from self._listed(f"{key} ")
            else:
                _skip(self._window)

    def _listed(self, prefix: str) -> Iterator[Record | BadRecord]:
        """The items of the list whose opening bracket was passed."""
        items = Items(self._path, self._window, prefix=prefix, again=self._bounds.again)
        for item in items:
            self._passed += 1
            yield item
        self._given_up = items.given_up


def _lists(window: Window) -> Iterator[str]:
    """The keys of an object's lists; the window stands behind the opening bracket of each, and is to be moved on."""
    window.peek()
    window.step()
    while window.peek() == b'"' and (key := window.key()) is not None:
        opening = window.peek()
        if opening == b"[":
            window.step()
            yield key.strip(b'"').decode("utf-8", "replace")
        elif not opening or (data := window.value()) is None:
            return
        else:
            window.at += len(data)
    if window.peek() == b"}":
        window.step()


def _skip(window: Window) -> bool:
    """Pass the rest of a list; never true, so that it can stand in a condition."""
    while (opening := window.peek()) and opening not in (b"]", b"}", b":") and (data := window.value()) is not None:
        window.at += len(data)
    window.step()
    return False


def _has_lines(path: Path, head: bytes) -> bool:
    """Whether each line is a record. A list or an object that is spread over lines is one value."""
    first, _, rest = head.lstrip(_EMPTY).partition(b"\n")
    opening = first.strip()
    if opening in (b"[", b"{"):
        return False
    if any(suffix in (".jsonl", ".ndjson") for suffix in path.suffixes):
        return True
    following = rest.lstrip()
    if not following:
        return False
    try:
        return isinstance(decoded(opening), dict | list)
    except FormatError:
        # A broken first line: no object goes on with another one in the next line, without a comma between.
        return opening[:1] == b"{" and opening[-1:] not in (b",", b"[", b"{", b":") and following[:1] == b"{"


def _beginning(data: bytes) -> str:
    return data.strip()[:40].decode("utf-8", "replace")
