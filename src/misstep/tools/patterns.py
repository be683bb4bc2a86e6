"""A regular expression, as JSON Schema uses them, and a source of chance → a text that matches it."""

import string
from collections.abc import Callable
from random import Random

from msgspec import Struct

_CLASSES = {
    "d": string.digits,
    "w": string.ascii_lowercase + string.digits,
    "s": " ",
    "D": string.ascii_lowercase,
    "W": "-",
    "S": string.ascii_lowercase,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_PRINTABLE = string.ascii_letters + string.digits + "-_ .,:;/@#+*=!?()"
_MORE = 3
"""How often at most something is repeated beyond what it must be."""

_Maker = Callable[[Random], str]


class UnknownPatternError(Exception):
    """A pattern with something in it that is not understood here: a look-around, a back reference."""


def matching(pattern: str, random: Random) -> str:
    """A text that matches; the anchors are taken as given, since a match of the whole is a match of a part."""
    reader = _Reader(pattern)
    make = reader.alternatives()
    if reader.rest:
        raise UnknownPatternError(f"{pattern!r} cannot be read from {reader.rest!r} on")
    return make(random)


class _Repeat(Struct, frozen=True):
    least: int
    most: int


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    @property
    def rest(self) -> str:
        return self._pattern[self._at :]

    def alternatives(self) -> _Maker:
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else lambda random: random.choice(branches)(random)

    def _sequence(self) -> _Maker:
        parts: list[_Maker] = []
        while self.rest and self.rest[0] not in "|)":
            part, repeat = self._part(), self._repeat()
            parts.append(part if repeat is None else _repeated(part, repeat))
        return lambda random: "".join(part(random) for part in parts)

    def _part(self) -> _Maker:
        if self._take("("):
            return self._group()
        if self._take("["):
            return _one_of(self._set())
        if self._take("\\"):
            return self._escaped()
        letter = self._next()
        if letter in "^$":
            return lambda _: ""
        if letter == ".":
            return _one_of(string.ascii_lowercase)
        return lambda _: letter

    def _group(self) -> _Maker:
        if self._take("?"):
            if self._take("P<") or (self.rest[:1] == "<" and self.rest[1:2] not in "=!"):
                self._at = self._pattern.index(">", self._at) + 1
            elif not self._take(":"):
                raise UnknownPatternError(f"{self._pattern!r} looks around")
        inner = self.alternatives()
        if not self._take(")"):
            raise UnknownPatternError(f"{self._pattern!r} has a group that is not closed")
        return inner

    def _escaped(self) -> _Maker:
        letter = self._next()
        if letter in "bBAZz":
            return lambda _: ""
        if letter.isdigit() or letter in "pPk":
            raise UnknownPatternError(f"{self._pattern!r} has \\{letter}")
        return _one_of(self._meant(letter))

    def _meant(self, letter: str) -> str:
        if letter in "xu":
            digits = 2 if letter == "x" else 4
            code, self._at = self.rest[:digits], self._at + digits
            try:
                return chr(int(code, 16))
            except ValueError:
                raise UnknownPatternError(f"{self._pattern!r} has \\{letter}{code}") from None
        return _CLASSES.get(letter) or _ESCAPES.get(letter) or letter

    def _set(self) -> str:
        negated = self._take("^")
        members = ""
        while not self._take("]") or not members:
            if not self.rest:
                raise UnknownPatternError(f"{self._pattern!r} has a set that is not closed")
            first = self._member()
            if len(first) == 1 and self.rest[:1] == "-" and self.rest[1:2] not in ("]", ""):
                self._at += 1
                last = self._member()
                members += "".join(map(chr, range(ord(first), min(ord(last), ord(first) + 255) + 1)))
            else:
                members += first
        if not negated:
            return members
        return "".join(letter for letter in _PRINTABLE if letter not in members) or "~"

    def _member(self) -> str:
        letter = self._next()
        return self._meant(self._next()) if letter == "\\" else letter

    def _repeat(self) -> _Repeat | None:
        for sign, repeat in (("*", _Repeat(0, _MORE)), ("+", _Repeat(1, 1 + _MORE)), ("?", _Repeat(0, 1))):
            if self._take(sign):
                self._take("?")
                return repeat
        counts = self.rest[1:].partition("}")[0] if self.rest[:1] == "{" else ""
        least, comma, most = counts.partition(",")
        if not least.isdigit() or not (most == "" or most.isdigit()):
            return None
        self._at += len(counts) + 2
        self._take("?")
        return _Repeat(int(least), int(most) if most else int(least) + (_MORE if comma else 0))

    def _take(self, text: str) -> bool:
        if not self.rest.startswith(text):
            return False
        self._at += len(text)
        return True

    def _next(self) -> str:
        if not self.rest:
            raise UnknownPatternError(f"{self._pattern!r} ends too early")
        self._at += 1
        return self._pattern[self._at - 1]


def _one_of(letters: str) -> _Maker:
    return lambda random: random.choice(letters)


def _repeated(part: _Maker, repeat: _Repeat) -> _Maker:
    most = min(repeat.most, repeat.least + _MORE)
    return lambda random: "".join(part(random) for _ in range(random.randint(repeat.least, most)))
