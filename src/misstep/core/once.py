"""A function of a text → the same function, which reads a text once while it is in hand, however many ask."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

_SHORT = 500
"""Texts up to this length are remembered by number, longer ones by their length in all."""
_SHORT_ONES = 8192
_CHARACTERS = 2_000_000
"""So many characters of long texts are remembered: what all readers of one trace ask for, and not much more."""


def once_per_text(read: Callable[[str], T]) -> Callable[[str], T]:
    """For functions whose answer nobody changes. The longest-known text is forgotten first."""
    short = lru_cache(maxsize=_SHORT_ONES)(read)
    long: dict[str, T] = {}
    held = 0

    @wraps(read)
    def reading(text: str) -> T:
        nonlocal held
        if len(text) <= _SHORT:
            return short(text)
        if text in long:
            return long[text]
        value = read(text)
        held += len(text)
        while long and held > _CHARACTERS:
            oldest = next(iter(long))
            del long[oldest]
            held -= len(oldest)
        long[text] = value
        return value

    return reading
