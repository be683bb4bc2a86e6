"""A value of the same look as another is one that could be."""

import re
from random import Random

import pytest

from misstep.synthesis.tasks.looks import fresh, is_path, looks_like_one_of, noun_of


@pytest.mark.parametrize("value", ["09:30", "9:05", "23:59", "00:00", "14:15:00", "9:30 am"])
def test_another_time_is_a_time(value: str) -> None:
    made = [str(fresh(value, value, Random(seed))) for seed in range(50)]
    assert value not in made
    for each in made:
        assert re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?( am)?", each)
        assert len(each) == len(value)


def test_a_round_time_stays_round() -> None:
    assert all(str(fresh("09:30", "", Random(seed)))[-1] in "05" for seed in range(20))


@pytest.mark.parametrize(
    ("value", "others", "alike"),
    [
        ("/pots/red_3.txt", ["/jars/blue_12.txt"], True),
        ("KN71 RTA", ["LF20 WQB"], True),
        ("BW-552", ["LF20 WQB"], False),
        ("basil", ["armchair"], False),
        ("basil leaf", ["garden chair"], False),
    ],
)
def test_a_value_looks_like_another_by_its_digits_and_signs_and_not_by_being_a_word(
    value: str, others: list[str], alike: bool
) -> None:
    assert looks_like_one_of(value, others) is alike


def test_one_of_the_people_is_a_person() -> None:
    assert [noun_of(table) for table in ("people", "club.people_list", "children", "leads")] == [
        "person",
        "person",
        "child",
        "lead",
    ]


def test_a_path_has_parts_and_a_fraction_of_a_sentence_is_none() -> None:
    assert [is_path(value) for value in ("/pots/red_3.txt", "pots/red", "/pots", "red or/and blue", 3)] == [
        True,
        True,
        False,
        False,
        False,
    ]
