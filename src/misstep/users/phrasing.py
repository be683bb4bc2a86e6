"""What a person says: frames out of `phrases.toml`, chosen by a seeded generator, filled with facts and wishes."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Literal

import msgspec

from misstep.core.words import words

Frames = dict[str, dict[str, tuple[str, ...]]]
"""Group → what is to be said → the ways to say it."""
Manner = Literal["first", "second"]

MANNERS: tuple[Manner, ...] = ("first", "second")
"""The ways to speak that there are, each with frames of its own; trials take them in turn."""

_FILES: dict[Manner, str] = {"first": "phrases.toml", "second": "phrases_second.toml"}
_PLAIN = "plain"
_AS_IT_STANDS = ("{value}", "{text}", "{label}")
"""What opens with one of these is not capitalised: a value is said as it is."""

_INTERROGATIVE = (
    "what",
    "which",
    "who",
    "when",
    "where",
    "why",
    "how",
    "is",
    "are",
    "do",
    "does",
    "did",
    "can",
    "could",
)
_IMPERATIVE_MARKS = ("i", "i'd", "i'm", "my", "please", "we", "there", "it", "the", "you", "your", "hello", "hi")
_CLOSING_MARKS = "\"'”’»›)"


@lru_cache(maxsize=2)
def phrases(manner: Manner = "first") -> dict[str, Frames]:
    """All frames of a manner by register, read at the first use."""
    text = files("misstep.users").joinpath(_FILES[manner]).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Frames])


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Every word of every frame: what may be said with no fact behind it."""
    found = {
        word
        for manner in MANNERS
        for register in phrases(manner).values()
        for group in register.values()
        for frames in group.values()
        for frame in frames
        for word in words(frame)
    }
    return frozenset(found | {"and", "yes", "no"})


class Voice:
    """One person's way to put things: same seed, same words. A register that nobody wrote frames for is plain."""

    def __init__(self, seed: int, manner: Manner = "first", register: str = _PLAIN) -> None:
        self._random = Random(seed)
        self._plain = phrases(manner)[_PLAIN]
        self._own = phrases(manner).get(register, {})
        self._reversed = manner == "second"

    def say(self, group: str, key: str, **filling: str) -> str:
        """One of the frames, filled."""
        frame = self.choice(self._own.get(group, {}).get(key) or self._plain[group][key])
        said = frame.format(**{name: way.rstrip(".") if frame.endswith("}.") else way for name, way in filling.items()})
        return said if frame.startswith(_AS_IT_STANDS) else capitalised(said)

    def ordered(self, texts: Sequence[str]) -> list[str]:
        """Several answers in a row: as they were asked for, or the other way round."""
        return list(reversed(texts)) if self._reversed else list(texts)

    def choice(self, ways: Sequence[str]) -> str:
        """One of several ways to put a value."""
        return ways[0] if len(ways) == 1 else self._random.choice(ways)

    def goal(self, wish: str, group: str, key: str) -> str:
        """A wish inside a frame; one that is a sentence by itself goes in as it is."""
        if is_sentence(wish):
            return self.say(group, f"{key}_request", goal=capitalised(wish))
        return self.say(group, key, goal=wish.rstrip("."))

    def opening(self, wishes: Sequence[str], rest: Sequence[str]) -> str:
        """A greeting, the wishes, then sentences that are said with them."""
        greeting = self.say("openings", "greeting")
        said = [
            capitalised(wish)
            if is_sentence(wish)
            else self.say("openings", "also" if at else "wish", goal=wish.rstrip("."))
            for at, wish in enumerate(wishes)
        ]
        if said and greeting.endswith(",") and said[0][:2] not in ("I ", "I'"):
            said[0] = said[0][0].lower() + said[0][1:]
        return capitalised(" ".join(part for part in (greeting, *said, *rest) if part))


def is_sentence(wish: str) -> bool:
    """Whether a wish is said as it stands, rather than after `I'd like to`."""
    first = words(wish)[:1]
    marked = not first or "\n" in wish or first[0] in _INTERROGATIVE or first[0] in _IMPERATIVE_MARKS
    return marked or wish.rstrip().rstrip(_CLOSING_MARKS)[-1:] in "?!.…"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
