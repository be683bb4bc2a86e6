"""A pattern that cannot mean what its writer meant is told from one that can."""

import datetime

import pytest

from misstep.core.objective import Pattern
from misstep.objectives.matching import fits
from misstep.objectives.wellformed import wrong_with


def nested(depth: int) -> Pattern:
    pattern: Pattern = "x"
    for _ in range(depth):
        pattern = {"not": pattern}
    return pattern


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ({"any_of": []}, "any_of"),
        ({"any_of": "A1"}, "any_of"),
        ({"any_of": ["A1", {"near": "x"}]}, "near"),
        ({"near": "x", "within": 1}, "near"),
        ({"near": 1, "within": -1}, "within"),
        ({"near": 1, "within": "some"}, "within"),
        ({"within": 1}, "without a 'near'"),
        ({"near": 1, "wihtin": 2}, "Did you mean 'within'?"),
        ({"matches": "("}, "no regular expression"),
        ({"matches": 5}, "no text"),
        ({"matches": "(a+)+$"}, "repetition"),
        ({"matches": "(a|a|b|A|1)*(((A1)+)+)+$x"}, "repetition"),
        ({"matches": r"(\w+\s?)*$"}, "repetition"),
        ({"matches": "(?:foo|fo)*$"}, "repetition"),
        ({"matches": "x" * 2000}, "characters"),
        ({"is": "x"}, "anything"),
        ({"contains": []}, "contains"),
        ({"contains": {"a": 1}}, "contains"),
        ({"not": {"is": 1}}, "anything"),
        ([{"is": 1}], "anything"),
        ({"field": {"is": 1}}, "anything"),
        (float("inf"), "no number"),
        ([float("nan")], "no number"),
        (datetime.date(2024, 1, 1), "as a text"),
        (nested(400), "deep"),
    ],
)
def test_what_cannot_be_meant_is_told(pattern: Pattern, told: str) -> None:
    assert told in str(wrong_with(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        "A1",
        5,
        None,
        True,
        {"any_of": ["A1", {"contains": "x"}]},
        {"near": 1},
        {"near": "12.50", "within": 0.5},
        {"contains": ["a", 5]},
        {"not": {"is": "anything"}},
        {"matches": r"^[A-Z]{1,3}-\d+$"},
        {"matches": r"^(\d{3}-)+\d$"},
        {"matches": r"(?i)^(mon|tues)day( to \w{3,9})?$"},
        {"matches": r"(ab|cd)+"},
        {"street": "Elm", "town": {"matches": ".*ham"}},
        {},
        [],
    ],
)
def test_what_can_be_meant_is_left_alone(pattern: Pattern) -> None:
    assert wrong_with(pattern) is None


def test_only_the_beginning_of_a_long_text_is_matched() -> None:
    assert not fits({"matches": "z$"}, "a" * 20_000 + "z")
    assert fits({"matches": "^a"}, "a" * 20_000)


def test_a_number_that_no_float_can_hold_is_none() -> None:
    assert not fits(5, 10**400)
    assert not fits({"near": 5}, 10**400)
