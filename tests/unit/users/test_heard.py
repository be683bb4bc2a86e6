"""Exchanges in four registers: how many are answered rightly, asked back, invalid, or misread without a sign.

Each set was labelled before the user heard it, and the counts of that first hearing are what a new one may expect.
The fourth was written to mislead: of its 120 exchanges 48 were right, 51 asked back and 21 misread without a sign.
The fifth to ninth say what agents and clerks usually say, 100 exchanges each: 65, 65, 63, 62 and 64 were right, 24,
27, 26, 32 and 31 asked back, and 11, 8, 10, 6 and 5 misread (1 of the seventh was invalid). The tenth and the
eleventh are of the same sort: 52 and 67 were right, 41 and 30 asked back, 7 and 3 misread. The rules that came of the
tenth were tried on the eleventh when no more than two of its misread replies had been seen: 65 right, 33 asked back,
2 misread. The twelfth has 150 exchanges: 7 were misread by the user as it was before those rules, 6 with them (71
right, 73 asked back). The thirteenth has 150 too: 14 were misread by the user before its last rules, 13 at the first
hearing (82 right, 55 asked back). The fourteenth to eighteenth, 150 each by five authors, had 4, 6, 9, 11 and 8
misread (377 of 750 right, 333 asked back). What came of them was tried on the nineteenth and twentieth, closed until
then: 6 and 6 of 150 were misread (8 and 7 by the user before), 84 and 92 right.

Then the second hearing was learnt (`users/weighing`). Of ten sets by ten authors, 150 each, the user before it
misread 9, 6, 7, 11, 13, 4, 5, 3, 13 and 7: 78 of 1,500. With it, each heard for the first time by the user as it was
by then: 5, 3, 4, 5, 8, 4, 3, 3, 5 and 7, which is 47. The last six of them stayed closed until what came of those
before was done: 30 of 900, where the user before misread 45, with as many right (354). Two sets of endings (answers,
reports, refusals) of 100 each had 1 and 5 misread before, 1 and 4 with it. So three in a hundred is what a new one
may expect."""

import importlib.util
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from misstep.users import MANNERS

_HERE = Path(__file__).parent
_HARD = ("phrasings/fourth.toml", "phrasings/fifteenth.toml")
"""Most of it is asked back: the fourth was written to mislead, the fifteenth is what people say at counters."""
_REACHED = {
    "phrasings/development.toml": (48, 0),
    "phrasings/second.toml": (63, 0),
    "phrasings/third.toml": (87, 0),
    "phrasings/fourth.toml": (49, 0),
    "phrasings/fifth.toml": (75, 0),
    "phrasings/sixth.toml": (72, 0),
    "phrasings/seventh.toml": (70, 1),
    "phrasings/eighth.toml": (63, 0),
    "phrasings/ninth.toml": (68, 0),
    "phrasings/tenth.toml": (53, 0),
    "phrasings/eleventh.toml": (65, 0),
    "phrasings/twelfth.toml": (89, 0),
    "phrasings/thirteenth.toml": (85, 0),
    "phrasings/fourteenth.toml": (82, 2),
    "phrasings/fifteenth.toml": (60, 3),
    "phrasings/sixteenth.toml": (89, 0),
    "phrasings/seventeenth.toml": (77, 2),
    "phrasings/eighteenth.toml": (76, 0),
    "phrasings/nineteenth.toml": (84, 1),
    "phrasings/twentieth.toml": (96, 1),
    "heard/errands.toml": (38, 0),
    "heard/appointments.toml": (26, 0),
    "heard/moves.toml": (21, 0),
}
"""Right at least, and misread at most: these sets were looked into, so that this guards what was reached, no more."""
_NEWER = {
    "phrasings/twenty-first.toml": (58, 2),
    "phrasings/twenty-second.toml": (50, 3),
    "phrasings/twenty-third.toml": (57, 5),
    "phrasings/twenty-fourth.toml": (42, 2),
    "phrasings/twenty-fifth.toml": (50, 6),
    "phrasings/twenty-sixth.toml": (62, 4),
    "phrasings/twenty-seventh.toml": (52, 2),
    "phrasings/twenty-eighth.toml": (61, 2),
    "phrasings/twenty-ninth.toml": (67, 4),
    "phrasings/thirtieth.toml": (62, 4),
    "phrasings/endings-one.toml": (92, 2),
    "phrasings/endings-two.toml": (87, 5),
}
"""The same for the sets that came after the second hearing was learnt: they are heard in the first manner alone."""


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
def _held(file: str, manner: str) -> tuple[Any, ...]:
    scoring = _scoring()
    exchanges = scoring.read(_HERE / file)
    return tuple(scoring.hold(each, exchanges.people[each.person], manner) for each in exchanges.exchanges)


def _scores(file: str, manner: str) -> Counter[str]:
    return Counter(held.score for held in _held(file, manner))


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", _REACHED)
def test_hardly_anything_is_misread_without_a_sign_and_what_was_understood_stays_so(file: str, manner: str) -> None:
    """One test a set: the conversations are shared, and another test might be another process."""
    scores, (right, misread) = _scores(file, manner), _REACHED[file]
    assert scores["right"] >= right, scores
    assert scores["misread"] <= misread, scores
    assert scores["misread"] <= 0.02 * scores.total(), scores
    if file not in _HARD:
        assert scores["invalid"] <= 0.1 * scores.total(), scores
        assert scores["right"] >= 0.5 * scores.total(), scores
    assert _unbearable(file, manner) <= 0.02


def _unbearable(file: str, manner: str) -> float:
    """How often an agent that repeats itself word for word makes the trial invalid."""
    held = _held(file, manner)
    return [each.bears_repeating for each in held].count(False) / len(held)


@pytest.mark.parametrize("file", _NEWER)
def test_newer_sets_are_understood_as_they_were(file: str) -> None:
    scores, (right, misread) = _scores(file, "first"), _NEWER[file]
    assert scores["right"] >= right, scores
    assert scores["misread"] <= misread, scores
    assert scores["invalid"] <= 0.02 * scores.total(), scores
    assert _unbearable(file, "first") <= 0.03
