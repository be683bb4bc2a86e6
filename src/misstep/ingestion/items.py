"""A list in a window of bytes → its items, one at a time: a broken one is reported, and the next one looked for."""

import re
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import FormatError
from misstep.ingestion.decoding import decoded, well_formed
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.splitting import Window, signature_of

ENDS_WITHIN = "The file ends in the middle of it."
_MOST_MISSES = 8
_CLOSING = (b"]", b"}", b":")


class Items:
    """The items of the list whose opening bracket a window has passed."""

    def __init__(self, file: Path, window: Window, *, prefix: str = "", again: int) -> None:
        self._file = file
        self._window = window
        self._prefix = prefix
        self._again = again
        """How many bytes may be searched a second time for what follows a broken item."""
        self._number = 0
        self._signature: re.Pattern[bytes] | None = None
        self._separator = b""
        self._misses = 0
        self.given_up = False
        """Whether the end of the list was not found, so that nothing can be read behind it."""

    def __iter__(self) -> Iterator[Record | BadRecord]:
        window = self._window
        while (opening := window.peek()) not in _CLOSING:
            self._number += 1
            quick = self._quick() if opening == b"{" else None
            if quick:
                yield quick
            elif opening and (data := window.value()) is not None:
                yield self._slow(data)
            else:
                yield from self._broken(opening)
                if self.given_up:
                    return
        window.step()

    @property
    def _place(self) -> str:
        return f"{self._prefix}item {self._number}"

    def _quick(self) -> Record | None:
        """By the guess that what stood between earlier items stands behind this one too: if so, it is whole JSON."""
        if not self._separator or self._misses >= _MOST_MISSES:
            return None
        data = self._window.guess(self._separator)
        value = well_formed(data) if data else None
        if data and value is not None:
            self._window.at += len(data)
            return Record(self._place, value)
        self._misses += data is not None
        return None

    def _slow(self, data: bytes) -> Record | BadRecord:
        self._signature = self._signature or signature_of(data)
        try:
            found = Record(self._place, decoded(data))
        except FormatError as error:
            if not self._found_within(data):
                self._window.at += len(data)
            return BadRecord(self._file, self._place, str(error))
        self._separator = self._separator or self._window.separator(len(data))
        self._window.at += len(data)
        return found

    def _broken(self, opening: bytes) -> Iterator[BadRecord]:
        """An item without an end: the next one may have been swallowed by it, or stand far behind."""
        window = self._window
        if not opening:
            self.given_up = True
            yield BadRecord(self._file, self._place, "The file ends in the middle of the list.")
            return
        self._signature = self._signature or signature_of(window.rest()[:400])
        yield BadRecord(self._file, self._place, window.too_large() or ENDS_WITHIN)
        found = self._found_within(window.rest()) or (self._signature is not None and window.seek(self._signature))
        self.given_up = not found or self._again < 0
        if self._again < 0:
            because = "Too much of the list is broken; the rest of it was not read."
            yield BadRecord(self._file, f"after {self._place}", because)

    def _found_within(self, broken: bytes) -> bool:
        """Whether a broken item has swallowed others, the first of which the window then stands on."""
        self._again -= len(broken)
        found = self._signature.search(broken, 1) if self._signature and self._again >= 0 else None
        if found:
            self._window.at += found.start(1)
        return bool(found)
