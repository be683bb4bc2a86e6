"""A text → what it quotes, and the text with the quotes veiled, so that nobody reads them as the writer's own words."""

import re
from functools import lru_cache

from msgspec import Struct

_QUOTE = re.compile(
    r"“(?P<a>[^“”]{1,4000})”|\"(?P<b>[^\"]{1,4000})\"|‘(?P<c>[^‘’]{1,4000})’(?!\w)"
    r"|(?<![\w'])'(?P<d>[^\s'](?:[^']|(?<=\w)'(?=\w)){0,4000}?)'(?!\w)"
)
_VEIL = "¤"


class Quote(Struct, frozen=True):
    """A quoted passage: what stands between the marks, and where it starts and ends with them."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=2048)
def quotes(text: str) -> tuple[Quote, ...]:
    """The quoted passages of a text, in order."""
    return tuple(
        Quote(next(each for each in match.groups() if each is not None), match.start(), match.end())
        for match in _QUOTE.finditer(text)
    )


@lru_cache(maxsize=4096)
def veiled(text: str, *, ends: bool = False) -> str:
    """The same text, as long as it was, with signs in place of what is quoted.

    `ends`: the stop of a quoted sentence is kept, because the sentence around it can end there too.
    """
    for quote in quotes(text):
        last = quote.text[-1] if ends and quote.text[-1] in ".!?" else _VEIL
        text = text[: quote.start] + _VEIL * (quote.end - quote.start - 1) + last + text[quote.end :]
    return text


def opens_quote(text: str) -> Quote | None:
    """The quote that a text starts with."""
    found = quotes(text.lstrip(" :"))
    return found[0] if found and found[0].start == 0 else None
