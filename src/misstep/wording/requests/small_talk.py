"""Harmless background: sentences that state no fact and ask for nothing, recombined out of `small_talk.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from random import Random

import msgspec

from misstep.wording.requests.grammar import Rules, expand

_TRIES = 12


@lru_cache(maxsize=1)
def _file() -> dict[str, dict[str, tuple[str, ...]]]:
    text = files("misstep.wording.requests").joinpath("small_talk.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, tuple[str, ...]]])


def filler(words: int, random: Random) -> str:
    """Background of about so many words, at most a sentence more; no sentence twice while there are others."""
    rules = _file()["filler"]
    said: dict[str, None] = {}
    count = 0
    while count < words:
        sentence = _fresh(rules, said, random)
        said[sentence] = None
        count += len(sentence.split())
    joints: set[str] = set()
    return " ".join(f"{_joined(sentence, rules, random, joints)}." for sentence in said)


def aside(random: Random) -> str:
    """One remark off the topic."""
    rules = _file()["aside"]
    said = expand(rules["start"], rules=rules, slots={}, random=random) or ""
    return said[:1].upper() + said[1:]


def _fresh(rules: Rules, said: dict[str, None], random: Random) -> str:
    sentence = ""
    for _ in range(_TRIES):
        sentence = expand(rules["start"], rules=rules, slots={}, random=random) or ""
        if sentence not in said:
            break
    else:
        sentence = f"{sentence}, as I said" + ", as I said" * sum(each.startswith(sentence) for each in said)
    return sentence


def _joined(sentence: str, rules: Rules, random: Random, used: set[str]) -> str:
    """With a word that leads over to it, where that has not been used yet: nobody says "Oh, and" ten times."""
    joint = random.choice(rules["joins"])
    if not joint or joint in used:
        return sentence[:1].upper() + sentence[1:]
    used.add(joint)
    return joint + (sentence if sentence.startswith(("I ", "I'")) else sentence[:1].lower() + sentence[1:])
