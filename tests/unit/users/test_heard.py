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
reports, refusals) of 100 each had 1 and 5 misread before, 1 and 4 with it.

Then proposals were judged by how likely each fact is got wrong in them. Sets by twenty-three authors, 150
exchanges each, were heard for the first time by the user before that and after it. On the eleven that it was made
with, and on three batches of four that stayed closed, one after the other, until what came of those before was done
(the forty-eighth to fifty-first, fifty-second to fifty-fifth and fifty-sixth to fifty-ninth): the user before
misread 22, 28 and 32 of 600 each, the one of that day 16, 15 and 18, with 740 right of 1,800 and 681 before: three in
a hundred.

Then misgivings were learnt: how likely what somebody is about to do rests on a misreading. On the sixtieth to
sixty-third, heard first while that was made, the user before misread 21 of 600. Eight sets by eight authors, 1,200
exchanges, stayed closed until that stood, and no weight has seen them: the sixty-fourth to sixty-seventh and the
seventy-sixth to seventy-ninth. The user before misreads 19 and 14 of 600 of them; with misgivings it was 9 and 5 at
first, where two in a hundred are the target. After that the bounds were eased so that half of each older set stays
right and the worlds' own agents are not asked back needlessly: 15 of 1,200 since, and 417 right, where 446 were right
before. The next to last eight, the sixty-eighth on, are harder: 44 in a hundred are proposals, half of these wrong,
and 13 ask for what is not there; the user before misread 80 of 1,200 of these."""

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
    "phrasings/development.toml": (43, 0),
    "phrasings/second.toml": (62, 0),
    "phrasings/third.toml": (85, 0),
    "phrasings/fourth.toml": (49, 1),
    "phrasings/fifth.toml": (76, 0),
    "phrasings/sixth.toml": (73, 0),
    "phrasings/seventh.toml": (78, 0),
    "phrasings/eighth.toml": (66, 0),
    "phrasings/ninth.toml": (69, 0),
    "phrasings/tenth.toml": (54, 0),
    "phrasings/eleventh.toml": (67, 0),
    "phrasings/twelfth.toml": (89, 0),
    "phrasings/thirteenth.toml": (87, 0),
    "phrasings/fourteenth.toml": (85, 2),
    "phrasings/fifteenth.toml": (62, 1),
    "phrasings/sixteenth.toml": (92, 0),
    "phrasings/seventeenth.toml": (76, 0),
    "phrasings/eighteenth.toml": (75, 0),
    "phrasings/nineteenth.toml": (90, 1),
    "phrasings/twentieth.toml": (100, 0),
    "heard/errands.toml": (34, 0),
    "heard/appointments.toml": (26, 0),
    "heard/moves.toml": (20, 0),
}
"""Right at least, and misread at most: these sets were looked into, so that this guards what was reached, no more."""
_NEWER = {
    "phrasings/twenty-first.toml": (65, 0),
    "phrasings/twenty-second.toml": (55, 0),
    "phrasings/twenty-third.toml": (68, 1),
    "phrasings/twenty-fourth.toml": (48, 1),
    "phrasings/twenty-fifth.toml": (54, 3),
    "phrasings/twenty-sixth.toml": (67, 1),
    "phrasings/twenty-seventh.toml": (60, 1),
    "phrasings/twenty-eighth.toml": (68, 0),
    "phrasings/twenty-ninth.toml": (74, 2),
    "phrasings/thirtieth.toml": (62, 4),
    "phrasings/fifty-sixth.toml": (66, 2),
    "phrasings/fifty-seventh.toml": (61, 2),
    "phrasings/fifty-eighth.toml": (62, 0),
    "phrasings/fifty-ninth.toml": (58, 3),
    "phrasings/sixty-fourth.toml": (64, 3),
    "phrasings/sixty-fifth.toml": (53, 0),
    "phrasings/sixty-sixth.toml": (53, 2),
    "phrasings/sixty-seventh.toml": (52, 5),
    "phrasings/seventy-sixth.toml": (58, 1),
    "phrasings/seventy-seventh.toml": (48, 0),
    "phrasings/seventy-eighth.toml": (39, 2),
    "phrasings/seventy-ninth.toml": (50, 2),
    "phrasings/steps-one.toml": (146, 0),
    "phrasings/endings-one.toml": (94, 1),
    "phrasings/endings-two.toml": (88, 4),
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
