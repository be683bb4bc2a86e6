import pytest

from misstep.core.errors import UsageError
from misstep.synthesis.abilities import consistent, with_defaults
from misstep.synthesis.factors import FACTORS, difficulty, levels_of
from misstep.synthesis.voicing import voices


def test_every_factor_says_what_it_does_and_its_default_is_one_of_its_levels():
    for name, factor in FACTORS.items():
        assert factor.about.endswith(".")
        levels = levels_of({}, voices=voices())[name]
        assert len(levels) > 1
        assert factor.default is None or factor.default in levels


def test_what_was_named_is_varied_and_nothing_else():
    assert levels_of({"goals": [2, 1, 2]}, voices=voices()) == {"goals": (2, 1)}
    assert levels_of({}, voices=voices()).keys() == FACTORS.keys()


@pytest.mark.parametrize(
    ("factors", "told"),
    [
        ({"gaols": [1]}, "goals"),
        ({"goals": [7]}, "1, 2, 3, 4, 5, 6"),
        ({"goals": []}, "no level"),
        ({"patience": [0]}, "whole numbers"),
        ({"register": ["pirate"]}, "plain"),
        ({"fault": ["timout"]}, "timeout"),
    ],
)
def test_what_is_no_factor_or_level_is_turned_down_with_what_there_is(factors, told):
    with pytest.raises(UsageError, match=told):
        levels_of(factors, voices=voices())


def test_open_factors_take_other_numbers_and_any_kind_of_fault():
    wanted = {"filler": [30], "patience": [9], "fault": ["disconnect"]}
    assert levels_of(wanted, voices=voices()) == {"filler": (30,), "patience": (9,), "fault": ("disconnect",)}


def test_harder_levels_make_a_row_more_difficult():
    easy = with_defaults({"distractors": "none", "steps": 1})
    assert difficulty(easy) == 0
    assert difficulty({**easy, "goals": 6, "noise": "typos"}) == 1.5
    assert difficulty({**easy, "register": "formal", "constraint": "budget"}) == 0


@pytest.mark.parametrize(
    "row",
    [
        {"place": "act", "fault": "none"},
        {"distance": 2, "constraint": "none"},
        {"constraint": "order", "goals": 1},
        {"ambiguity": "none", "correction": "yes"},
        {"patience": 4, "distance": 4},
    ],
)
def test_levels_that_contradict_each_other_do_not_meet(row):
    assert not consistent(row)
    assert all(consistent({name: level}) for name, level in row.items())
