"""A stream of bytes → the JSON values that it is made of, one at a time and without reading it whole.

Values are told apart by their brackets alone; whether the bytes of one are JSON is for whoever decodes them.
"""

import re
from typing import BinaryIO

LARGEST = 256 * 1024 * 1024
"""The most bytes of one record: it is held in memory whole, so one that is larger is hostile, or no record."""

_CHUNK = 1024 * 1024
_SPACE = re.compile(rb"[\s,\x00]*")
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL)
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb'[^\s,\[\]{}":]++')
_COLON = re.compile(rb"[\s\x00]*:")
_SEPARATOR = re.compile(rb'\s*,\s*\{\s*"[^"\\]{0,200}"\s*:')
_OPENING = re.compile(rb'\{\s*("[^"\\]{0,200}")')


def too_large(most: int) -> str:
    """What is said of a record that is larger than so many bytes."""
    return f"It is larger than {most} bytes, which is more than Misstep holds in memory at once."


class Window:
    """The bytes of a stream from `at` on, read as they are needed and forgotten when they are passed."""

    def __init__(self, stream: BinaryIO, *, largest: int = LARGEST) -> None:
        self._stream = stream
        self._held = b""
        self._ended = False
        self.largest = largest
        """The most bytes to hold; may be changed at any time."""
        self.at = 0

    def more(self) -> bool:
        """Read on, at least as much again as is held: what is scanned anew with each reading stays in proportion."""
        held = len(self._held) - self.at
        if self._ended or held >= self.largest:
            return False
        chunk = self._stream.read(max(_CHUNK, held))
        if not chunk:
            self._ended = True
            return False
        self._held = self._held[self.at :] + chunk
        self.at = 0
        return True

    def too_large(self) -> str:
        """What is to be said if it was for the size, and not for the end of the stream, that nothing more was read."""
        return "" if self._ended else too_large(self.largest)

    def peek(self) -> bytes:
        """The next byte that is neither space nor comma, which `at` then stands on; empty at the end."""
        while True:
            found = _SPACE.match(self._held, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self._held):
                return self._held[self.at : self.at + 1]
            if not self.more():
                return b""

    def step(self) -> None:
        """Pass one byte."""
        self.at += 1

    def value(self) -> bytes | None:
        """The bytes of the value that `at` stands on, without passing them; None where it does not end."""
        opening = self._held[self.at : self.at + 1]
        if opening in (b"[", b"{"):
            return self._nested()
        return self._matched(_STRING if opening == b'"' else _SCALAR)

    def key(self) -> bytes | None:
        """The bytes of an object's key, with its colon passed; None where there is none."""
        found = self._matched(_STRING)
        if found is None:
            return None
        self.at += len(found)
        while not (colon := _COLON.match(self._held, self.at)):
            if not self.more() or len(self._held) - self.at > 2 * _CHUNK:
                return None
        self.at = colon.end()
        return found

    def _matched(self, pattern: re.Pattern[bytes]) -> bytes | None:
        while True:
            found = pattern.match(self._held, self.at)
            if found and (found.end() < len(self._held) or pattern is _STRING or not self.more()):
                return found[0]
            if not found and not self.more():
                return None

    def _nested(self) -> bytes | None:
        depth, passed = 0, 0
        while True:
            found = _BRACKET.match(self._held, self.at + passed)
            if found is None:
                if not self.more():
                    return None
                continue
            passed = found.end() - self.at
            depth += 1 if found[1] in b"[{" else -1
            if depth <= 0:
                return self._held[self.at : self.at + passed]

    def whole(self, most: int) -> bytes | None:
        """All that there is from `at` on, if it is no more than so many bytes: decoding is quicker than splitting."""
        while len(self._held) - self.at <= most:
            if not self.more():
                return self._held[self.at :]
        return None

    def guess(self, separator: bytes) -> bytes | None:
        """The bytes up to what stood between earlier values, if it is in sight: likely a value, and quickly found."""
        end = self._held.find(separator, self.at)
        return self._held[self.at : end] if end > self.at else None

    def separator(self, end: int) -> bytes:
        """What stands between a value that ends so many bytes on and the first key of the next, if it is in sight."""
        found = _SEPARATOR.match(self._held, self.at + end)
        return found[0] if found else b""

    def rest(self) -> bytes:
        """What is held from `at` on."""
        return self._held[self.at :]

    def seek(self, signature: re.Pattern[bytes]) -> bool:
        """Pass everything up to the next place that looks like this, holding next to nothing; False at the end."""
        while True:
            found = signature.search(self._held, self.at)
            if found:
                self.at = found.end() - len(found[1])
                return True
            self.at = max(self.at, len(self._held) - 512)
            if not self.more():
                self.at = len(self._held)
                return False


def signature_of(value: bytes) -> re.Pattern[bytes] | None:
    """What the next record of a list probably opens with, given this one: a comma, a brace, and the same first key."""
    found = _OPENING.match(value)
    return re.compile(rb",\s*(\{\s*" + re.escape(found[1]) + rb"\s*:)") if found else None
