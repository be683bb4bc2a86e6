"""Exchanges in four registers: how many are answered rightly, asked back, invalid, or misread without a sign.

Each set was labelled before the user heard it, and the counts of that first hearing are what a new one may expect. The
fourth was written to mislead: of its 120 exchanges 48 were right, 51 asked back and 21 misread without a sign. The
fifth to ninth say what agents and clerks usually say, 100 exchanges each: 65, 65, 63, 62 and 64 were right, 24, 27, 26,
32 and 31 asked back, and 11, 8, 10, 6 and 5 misread (1 of the seventh was invalid). The tenth and the eleventh are of
the same sort: 52 and 67 were right, 41 and 30 asked back, 7 and 3 misread. The rules that came of the tenth were tried
on the eleventh when no more than two of its misread replies had been seen: 65 right, 33 asked back, 2 misread. The
twelfth has 150 exchanges: 7 were misread by the user as it was before those rules, 6 with them (71 right, 73 asked
back). The thirteenth has 150 too: 14 were misread by the user before its last rules, 13 at the first hearing (82
right, 55 asked back), so that two in a hundred is what is kept on sets that were looked into, and not what a new one
may expect."""

import importlib.util
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from misstep.users import MANNERS

_HERE = Path(__file__).parent
_FILES = (
    "phrasings/development.toml",
    "phrasings/second.toml",
    "phrasings/third.toml",
    "phrasings/fifth.toml",
    "phrasings/sixth.toml",
    "phrasings/seventh.toml",
    "phrasings/eighth.toml",
    "phrasings/ninth.toml",
    "phrasings/tenth.toml",
    "phrasings/eleventh.toml",
    "phrasings/twelfth.toml",
    "phrasings/thirteenth.toml",
    "heard/errands.toml",
    "heard/appointments.toml",
    "heard/moves.toml",
)
_HARD = ("phrasings/fourth.toml",)
"""Written to mislead: most of it is asked back."""
_REACHED = {
    "phrasings/development.toml": (50, 0),
    "phrasings/second.toml": (62, 0),
    "phrasings/third.toml": (86, 0),
    "phrasings/fourth.toml": (49, 0),
    "phrasings/fifth.toml": (75, 0),
    "phrasings/sixth.toml": (72, 0),
    "phrasings/seventh.toml": (70, 1),
    "phrasings/eighth.toml": (64, 0),
    "phrasings/ninth.toml": (68, 0),
    "phrasings/tenth.toml": (52, 0),
    "phrasings/eleventh.toml": (65, 0),
    "phrasings/twelfth.toml": (88, 0),
    "phrasings/thirteenth.toml": (85, 0),
    "heard/errands.toml": (38, 0),
    "heard/appointments.toml": (26, 0),
    "heard/moves.toml": (22, 0),
}
"""Right at least, and misread at most: these sets were looked into, so that this guards what was reached, no more."""


@cache
def _scoring() -> ModuleType:
    """The scorer, which lies with the phrasings and is no part of a package."""
    spec = importlib.util.spec_from_file_location("phrasings_scoring", _HERE / "phrasings" / "scoring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _scores(file: str, manner: str) -> Counter[str]:
    scoring = _scoring()
    exchanges = scoring.read(_HERE / file)
    return Counter(scoring.scored(each, exchanges.people[each.person], manner)[0] for each in exchanges.exchanges)


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", [*_FILES, *_HARD])
def test_hardly_anything_is_misread_without_a_sign(file: str, manner: str) -> None:
    scores = _scores(file, manner)
    assert scores["misread"] <= 0.02 * scores.total(), scores


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", _FILES)
def test_few_exchanges_are_invalid_and_most_are_answered(file: str, manner: str) -> None:
    scores = _scores(file, manner)
    assert scores["invalid"] <= 0.1 * scores.total(), scores
    assert scores["right"] >= 0.5 * scores.total(), scores


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", _REACHED)
def test_what_was_understood_stays_understood(file: str, manner: str) -> None:
    scores, (right, misread) = _scores(file, manner), _REACHED[file]
    assert scores["right"] >= right, scores
    assert scores["misread"] <= misread, scores


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", _REACHED)
def test_an_agent_that_repeats_itself_word_for_word_hardly_ever_makes_the_trial_invalid(file: str, manner: str) -> None:
    scoring = _scoring()
    exchanges = scoring.read(_HERE / file)
    valid = [scoring.repeated(each, exchanges.people[each.person], manner) for each in exchanges.exchanges]
    assert valid.count(False) <= 0.02 * len(valid)
