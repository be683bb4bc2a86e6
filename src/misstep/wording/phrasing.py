"""What a person says: frames out of `phrases.toml`, chosen by a seeded generator, filled with facts and goals."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random

import msgspec

from misstep.core.scenario import Goal
from misstep.core.words import words

Phrases = dict[str, dict[str, tuple[str, ...]]]

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


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """All frames, read at the first use."""
    text = files("misstep.wording").joinpath("phrases.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Phrases)


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Every word of every frame: what may be said with no fact behind it."""
    found = {
        word for group in phrases().values() for frames in group.values() for frame in frames for word in words(frame)
    }
    return frozenset(found | {"and", "yes", "no"})


class Voice:
    """One person's way to put things: same seed, same words."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def say(self, group: str, key: str, **filling: str) -> str:
        """One of the frames, filled."""
        frame = self._random.choice(phrases()[group][key])
        return _capitalised(frame.format(**filling))

    def choice(self, ways: Sequence[str]) -> str:
        """One of several ways to put a value."""
        return ways[0] if len(ways) == 1 else self._random.choice(ways)

    def opening(self, goals: Sequence[Goal], rest: Sequence[str]) -> str:
        """A greeting, the goals, then sentences that are said with them."""
        greeting = self._random.choice(phrases()["openings"]["greeting"])
        said = [self._wish(goal.ask, "wish" if at == 0 else "also") for at, goal in enumerate(goals)]
        if said and greeting and said[0][:2] not in ("I ", "I'"):
            said[0] = said[0][0].lower() + said[0][1:]
        return _capitalised(" ".join(part for part in (greeting, *said, *rest) if part))

    def goal(self, ask: str, group: str, key: str) -> str:
        """A goal inside a frame; one that is a sentence by itself goes in as it is."""
        if is_sentence(ask):
            return self.say(group, f"{key}_request", goal=ask)
        return self.say(group, key, goal=ask)

    def _wish(self, ask: str, key: str) -> str:
        return _capitalised(ask) if is_sentence(ask) else self.say("openings", key, goal=ask.rstrip("."))


def is_sentence(ask: str) -> bool:
    """Whether a goal is said as it stands, rather than after `I'd like to`."""
    first = words(ask)[:1]
    return not first or first[0] in _INTERROGATIVE or first[0] in _IMPERATIVE_MARKS or ask.rstrip()[-1:] in "?!."


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
