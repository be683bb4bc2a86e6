"""The lexicon: how people speak of everyday facts, things and acts, read once from `lexicon.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import TypeVar

import msgspec
from msgspec import Struct

from misstep.core.words import stem, words

_Key = TypeVar("_Key")

Phrase = tuple[str, ...]
"""Stems in a row."""


class _Kind(Struct, forbid_unknown_fields=True):
    label: str
    vague: bool = False
    bound: bool = False
    words: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()


class _Words(Struct, forbid_unknown_fields=True):
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


class _Action(Struct, forbid_unknown_fields=True):
    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = msgspec.field(default=(), name="with")


class _File(Struct, forbid_unknown_fields=True):
    kinds: dict[str, _Kind]
    things: dict[str, tuple[str, ...]]
    own: _Words
    generic: dict[str, tuple[str, ...]]
    plain: _Words
    actions: dict[str, _Action]
    assent: _Words
    idle: _Words
    irregular: dict[str, str]
    excluded: dict[str, tuple[str, ...]]
    values: dict[str, tuple[str, ...]]
    hours: dict[str, tuple[int, int]]
    timely: _Words
    limits: _Words
    extremes: dict[str, tuple[str, ...]]
    numbers: _Words
    units: _Words
    places: _Words
    people: _Words
    roles: _Words
    stages: dict[str, _Words]


class Lexicon(Struct, frozen=True):
    """The same, turned round for look-up by stem."""

    kinds: dict[str, tuple[str, ...]]
    """Stem → the kinds of fact that it asks for."""
    forms: dict[str, tuple[str, ...]]
    """Word as it stands → the same."""
    kind_phrases: dict[Phrase, tuple[str, ...]]
    things: dict[str, tuple[str, ...]]
    own: frozenset[Phrase]
    hints: dict[str, tuple[str, ...]]
    generic: dict[str, str]
    plain: frozenset[str]
    actions: dict[str, tuple[str, ...]]
    action_phrases: dict[str, tuple[tuple[Phrase, str], ...]]
    """First stem → the phrases that start with it, each with the act that it names."""
    goes_with: dict[str, frozenset[str]]
    assent: frozenset[str]
    """Stems of words that only say whether something is right."""
    idle: frozenset[str]
    """Stems of words that say nothing of what is agreed to."""
    irregular: dict[str, str]
    """Past form → the word."""
    excluded: dict[str, tuple[str, ...]]
    """Question word → the kinds that never answer it."""
    values: dict[str, str]
    """Stem of a value out of a closed set → the kind of that set."""
    hours: dict[str, tuple[int, int]]
    """Part of the day → its hours."""
    timely: frozenset[str]
    """Stems of values that say when."""
    limits: frozenset[str]
    """Stems that make a number the most that may be asked."""
    extremes: dict[str, str]
    numbers: frozenset[str]
    """Numbers in words."""
    units: frozenset[str]
    """Stems of the units in which time is counted."""
    places: frozenset[str]
    """Stems that end the names of places."""
    people: frozenset[str]
    """Stems of words for those who have to do with something."""
    roles: frozenset[str]
    """Stems of what the one who asks is to the other."""
    stages: dict[str, frozenset[Phrase]]
    """`old` and `new` → the words that say that something is so now, or is to be."""
    labels: dict[str, str]
    vague: frozenset[str]
    bound: frozenset[str]
    longest: int
    """Words in the longest phrase."""


def _phrase(text: str) -> Phrase:
    return tuple(stem(word) for word in words(text))


def _turned(pairs: list[tuple[_Key, str]]) -> dict[_Key, tuple[str, ...]]:
    found: dict[_Key, tuple[str, ...]] = {}
    for key, name in pairs:
        if name not in found.get(key, ()):
            found[key] = (*found.get(key, ()), name)
    return found


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read at the first use."""
    text = files("misstep.wording").joinpath("lexicon.toml").read_text(encoding="utf-8")
    data = msgspec.convert(tomllib.loads(text), _File)
    kind_phrases = _turned([(_phrase(each), name) for name, kind in data.kinds.items() for each in kind.phrases])
    own = frozenset(_phrase(each) for each in data.own.phrases)
    action_phrases: dict[str, tuple[tuple[Phrase, str], ...]] = {}
    for name, act in data.actions.items():
        for phrase in map(_phrase, act.phrases):
            action_phrases[phrase[0]] = (*action_phrases.get(phrase[0], ()), (phrase, name))
    return Lexicon(
        kinds=_turned([(stem(each), name) for name, kind in data.kinds.items() for each in kind.words]),
        forms=_turned([(each, name) for name, kind in data.kinds.items() for each in kind.forms]),
        kind_phrases=kind_phrases,
        things=_turned([(stem(each), name) for name, listed in data.things.items() for each in listed]),
        own=own,
        hints=_turned([(each, name) for name, kind in data.kinds.items() for each in kind.hint]),
        generic={stem(each): name for name, listed in data.generic.items() for each in listed},
        plain=frozenset(stem(each) for each in data.plain.words),
        actions=_turned([(stem(each), name) for name, act in data.actions.items() for each in act.words]),
        action_phrases=action_phrases,
        goes_with={name: frozenset(act.goes_with) for name, act in data.actions.items()},
        assent=frozenset(stem(each) for each in data.assent.words),
        idle=frozenset(stem(each) for each in data.idle.words),
        irregular=data.irregular,
        excluded=data.excluded,
        values={stem(each): name for name, listed in data.values.items() for each in listed},
        hours=data.hours,
        timely=frozenset(stem(each) for each in (*data.timely.words, *data.hours, *data.values.get("weekday", ()))),
        limits=frozenset(stem(each) for each in data.limits.words),
        extremes={stem(each): name for name, listed in data.extremes.items() for each in listed},
        numbers=frozenset(data.numbers.words),
        units=frozenset(stem(each) for each in data.units.words),
        places=frozenset(stem(each) for each in data.places.words),
        people=frozenset(stem(each) for each in data.people.words),
        roles=frozenset(stem(each) for each in data.roles.words),
        stages={
            name: frozenset(_phrase(each) for each in (*listed.words, *listed.phrases))
            for name, listed in data.stages.items()
        },
        labels={name: kind.label for name, kind in data.kinds.items()},
        vague=frozenset(name for name, kind in data.kinds.items() if kind.vague),
        bound=frozenset(name for name, kind in data.kinds.items() if kind.bound),
        longest=max(len(phrase) for phrase in (*kind_phrases, *own)),
    )
