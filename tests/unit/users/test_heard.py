"""Exchanges in four registers: how many are answered rightly, asked back, invalid, or misread without a sign."""

import importlib.util
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from misstep.users import MANNERS

_HERE = Path(__file__).parent
_FILES = ("phrasings/development.toml", "heard/errands.toml", "heard/appointments.toml", "heard/moves.toml")


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
@pytest.mark.parametrize("file", _FILES)
def test_hardly_anything_is_misread_without_a_sign(file: str, manner: str) -> None:
    scores = _scores(file, manner)
    assert scores["misread"] <= 0.02 * scores.total(), scores


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("file", _FILES)
def test_few_exchanges_are_invalid_and_most_are_answered(file: str, manner: str) -> None:
    scores = _scores(file, manner)
    assert scores["invalid"] <= 0.1 * scores.total(), scores
    assert scores["right"] >= 0.5 * scores.total(), scores
