"""The simulated user where words fail it: what it no longer knows it must ask back, not answer with something else.

Each labelled exchange is heard again with one word of the agent's replaced by nonsense, or with a word in the name of
each fact replaced, as if everybody spoke of it by words that no lexicon has. The right reply stays right, and asking
back is always right; another fact, a yes, a no or silence is not. Before every word had to be accounted for, 2.9% of
the first kind were misread and 6.1% of the second (of 4,224 and 4,268 replies); since then 0.8% and 1.9%."""

import importlib.util
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from misstep.core.scenario import Fact, Person
from misstep.core.words import STOPWORDS, words

_SETS = Path(__file__).parent.parent / "unit" / "users" / "phrasings"
_FILES = ("fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
_NONSENSE = "blorp dax wug fep toma zindle quorn prell snarf glim vash kemp tarl drosk".split()
_WORD = re.compile(r"(?<![\w'’@.#/-])[a-z]{3,}(?![\w'’@/-]|\.\w)")
_ENDINGS = ("ing", "ed", "s")


@cache
def _scoring() -> ModuleType:
    """The scorer, which lies with the phrasings and is no part of a package."""
    spec = importlib.util.spec_from_file_location("phrasings_scoring", _SETS / "scoring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _with_a_strange_word(text: str, person: Person, chance: random.Random) -> str:
    """One word that carries meaning and is no part of a value, as nonsense with the same ending."""
    values = {word for fact in person.facts for way in (str(fact.value), *fact.says) for word in words(way)}
    spots = [spot for spot in _WORD.finditer(text) if spot[0] not in STOPWORDS | values]
    if not spots:
        return text
    spot = chance.choice(spots)
    ending = next((end for end in _ENDINGS if spot[0].endswith(end) and len(spot[0]) > len(end) + 2), "")
    return f"{text[: spot.start()]}{chance.choice(_NONSENSE)}{ending}{text[spot.end() :]}"


def _renamed(fact: Fact, chance: random.Random) -> Fact:
    named = fact.name.split()
    at = chance.choice([at for at, word in enumerate(named) if word.lower() not in STOPWORDS])
    return msgspec.structs.replace(fact, name=" ".join((*named[:at], chance.choice(_NONSENSE), *named[at + 1 :])))


def _heard(how: str) -> Iterator[str]:
    scoring = _scoring()
    for file in _FILES:
        exchanges = scoring.read(_SETS / f"{file}.toml")
        for at, each in enumerate(exchanges.exchanges):
            chance, person, heard = random.Random(f"{file} {at}"), exchanges.people[each.person], each
            if how == "strange words":
                heard = msgspec.structs.replace(each, agent=_with_a_strange_word(each.agent, person, chance))
            else:
                facts = tuple(_renamed(fact, chance) for fact in person.facts)
                person = msgspec.structs.replace(person, facts=facts)
            yield scoring.hold(heard, person, "first").score


@pytest.mark.parametrize(("how", "misread", "right"), [("strange words", 0.015, 0.45), ("strange names", 0.03, 0.4)])
def test_what_is_not_known_is_asked_back_and_hardly_ever_misread(how: str, misread: float, right: float) -> None:
    scores = Counter(_heard(how))
    assert scores["misread"] <= misread * scores.total(), scores
    assert scores["invalid"] <= 0.01 * scores.total(), scores
    assert scores["right"] >= right * scores.total(), scores
