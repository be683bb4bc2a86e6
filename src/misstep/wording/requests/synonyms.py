"""Verbs and nouns → other words for them, out of `synonyms.toml`; what is not there has no other word."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.words import stem
from misstep.wording.requests.inflection import is_plural, plural, singular


class Meaning(Struct, frozen=True, forbid_unknown_fields=True):
    """What several verbs have in common."""

    verbs: tuple[str, ...]
    means: tuple[str, ...]
    makes: bool = False
    reads: bool = False
    served: bool = False
    gets: bool = False
    own: Literal["", "always", "mine"] = ""
    foreign: tuple[str, ...] = ()


class _Outcome(Struct, forbid_unknown_fields=True):
    foreign: tuple[str, ...]


class _Others(Struct, forbid_unknown_fields=True):
    verbs: str


class _Owed(Struct, forbid_unknown_fields=True):
    words: str


class _File(Struct, forbid_unknown_fields=True):
    acts: dict[str, Meaning]
    outcome: _Outcome
    others: _Others
    owed: _Owed
    things: dict[str, tuple[str, ...]]
    short: dict[str, str]


@lru_cache(maxsize=1)
def _file() -> _File:
    text = files("misstep.wording.requests").joinpath("synonyms.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _File)


@lru_cache(maxsize=1)
def known_verbs() -> frozenset[str]:
    """All verbs that a tool's name is searched for."""
    return frozenset(_file().others.verbs.split()) | _by_verb().keys()


@lru_cache(maxsize=1)
def _by_verb() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for meaning in _file().acts.values():
        for verb in meaning.verbs:
            found.setdefault(verb, meaning)
    return found


def meaning_of(verb: str) -> Meaning | None:
    """What a verb means, where that is known."""
    return _by_verb().get(verb)


def verbs_like(verb: str, sense: str = "") -> tuple[str, ...]:
    """Other ways to put a verb, or one whose sense it has, none of which uses it; `_` is where the thing goes."""
    meaning = _by_verb().get(sense or verb)
    return tuple(way for way in meaning.means if stem(way.split()[0]) != stem(verb)) if meaning else ()


def nouns_like(noun: str) -> tuple[str, ...]:
    """Other names for a thing, in the number of the noun; its last word is looked up where the whole is unknown."""
    many = is_plural(noun)
    one = singular(noun)
    found = _file().things.get(one) or _file().things.get(one.rpartition(" ")[2], ())
    return tuple(plural(each) if many else each for each in found)


def outcome_frames() -> tuple[str, ...]:
    """How to say what a field of a thing should become."""
    return _file().outcome.foreign


def is_owed(noun: str) -> bool:
    """Whether a payment can go towards it: a fine, a bill."""
    return noun.rpartition(" ")[2] in _file().owed.words.split()


def in_full(word: str) -> str:
    """`msg` → `message`."""
    return _file().short.get(word, word)
