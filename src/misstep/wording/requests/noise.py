"""A text → the same with slips of the fingers, in plain words only: no value, number or word that turns the meaning."""

import re
from collections.abc import Collection
from random import Random

_WORD = re.compile(r"(?<![\w@./#'’-])[A-Za-z]{4,}(?![\w@/#'’-]|\.\w)")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|'[^'\n]{0,200}'(?!\w)")
_KEPT = frozenset(
    """only except without before after first then never none nothing nobody more most less least under over until
    unless instead between both either neither each every cannot dont empty blank leave alone false true must
    mustn""".split()
)
_NEIGHBOURS = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry",
    "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip


def typos(text: str, *, keep: Collection[str] = (), random: Random, rate: float = 0.05) -> str:
    """About `rate` of the words get a slip; the texts to `keep`, and all that is quoted, stay as they are."""
    kept = _kept_spans(text, keep)
    said: list[str] = []
    at = 0
    for match in _WORD.finditer(text):
        free = not any(match.start() < right and left < match.end() for left, right in kept)
        if free and match[0].lower() not in _KEPT and random.random() < rate:
            said += [text[at : match.start()], _slipped(match[0], random)]
            at = match.end()
    return "".join((*said, text[at:]))


def _kept_spans(text: str, keep: Collection[str]) -> list[tuple[int, int]]:
    spans = [match.span() for match in _QUOTED.finditer(text)]
    for value in keep:
        start = text.find(value) if value else -1
        while start >= 0:
            spans.append((start, start + len(value)))
            start = text.find(value, start + len(value))
    return spans


def _slipped(word: str, random: Random) -> str:
    """Two letters swapped, one left out, doubled or missed; never the first."""
    at = random.randrange(1, len(word) - 1)
    match random.randrange(4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + word[at] + word[at:]
        case _:
            near = random.choice(_NEIGHBOURS[word[at].lower()])
            return word[:at] + (near.upper() if word[at].isupper() else near) + word[at + 1 :]
