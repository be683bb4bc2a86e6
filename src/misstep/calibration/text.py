"""Text → numbers: hashed words and pairs of words, of which no word can be read back."""

import math
import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise

_TOKEN = re.compile(r"[^\W\d_]+|\d+|<[^\W\d]\w*>|[^\w\s]")
_NUMBERS = 1 << 14


def tokens(text: str) -> list[str]:
    """Words in lower case, tags and signs as they are, any number as 0."""
    return ["0" if token.isdigit() else token.lower() for token in _TOKEN.findall(text)]


def hashed(name: str) -> str:
    """The same everywhere and always, unlike Python's own hash."""
    return str(zlib.crc32(name.encode("utf-8", "replace")) % _NUMBERS)


def grams(prefix: str, text: str, *, pairs: bool, weight: float) -> Mapping[str, float]:
    """Which words (and pairs of neighbours) a text has: together as heavy as `weight`, however long it is."""
    found = sorted(set(_hashes(tokens(text), pairs=pairs)))
    each = weight / math.sqrt(len(found)) if found else 0.0
    return {f"{prefix}:{number}": each for number in found}


def _hashes(found: list[str], *, pairs: bool) -> Iterator[str]:
    yield from map(hashed, found)
    if pairs:
        yield from (hashed(f"{one} {other}") for one, other in pairwise(found))


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of common words among all words."""
    return len(one & other) / len(one | other) if one or other else 1.0
