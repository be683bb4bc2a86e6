"""Exchanges in four registers: how many are answered rightly, asked back, invalid, or misread without a sign.

Each set was labelled before the user heard it, and the counts of that first hearing are what a new one may expect. The
fourth was written to mislead: of its 120 exchanges 48 were right, 51 asked back and 21 misread without a sign. The
fifth to ninth say what agents and clerks usually say, 100 exchanges each: 65, 65, 63, 62 and 64 were right, 24, 27, 26,
32 and 31 asked back, and 11, 8, 10, 6 and 5 misread (1 of the seventh was invalid). The tenth and the eleventh are of
the same sort: 52 and 67 were right, 41 and 30 asked back, 7 and 3 misread. The rules that came of the tenth were tried
on the eleventh when no more than two of its misread replies had been seen: 65 right, 33 asked back, 2 misread. The
twelfth has 150 exchanges: 7 were misread by the user as it was before those rules, 6 with them (71 right, 73 asked
back). The thirteenth has 150 too: 14 were misread by the user before its last rules, 13 at the first hearing (82
right, 55 asked back). The
fourteenth to eighteenth, 150 each by five authors, had 4, 6, 9, 11 and 8 misread (377 of 750 right, 333 asked back).
What came of them was tried on the nineteenth and twentieth, closed until then: 6 and 6 of 150 were misread (8 and 7 by
the user before), 84 and 92 right. So two in a hundred is what is kept on sets that were looked into, and four in a
hundred what a new one may expect."""

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
    "phrasings/fourteenth.toml": (83, 3),
    "phrasings/fifteenth.toml": (61, 3),
    "phrasings/sixteenth.toml": (90, 1),
    "phrasings/seventeenth.toml": (77, 3),
    "phrasings/eighteenth.toml": (75, 2),
    "phrasings/nineteenth.toml": (85, 3),
    "phrasings/twentieth.toml": (95, 3),
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
    # An agent that repeats itself word for word hardly ever makes the trial invalid.
    held = _held(file, manner)
    assert [each.bears_repeating for each in held].count(False) <= 0.02 * len(held)
