"""Boosted trees: which way a trait leads, and what comes of several trees."""

import math

import pytest

from misstep.users.weighing.forest import Forest, Node

_BY_SIZE = (Node(1, 0.5, 1, 2), Node(-1, -2.0), Node(-1, 3.0))
_FOREST = Forest(traits=("colour", "size"), always=0.5, trees=(_BY_SIZE, (Node(-1, 0.25),)))


@pytest.mark.parametrize(("size", "odds"), [(0.5, -1.25), (0.51, 3.75)])
def test_up_to_the_bound_one_goes_to_the_first(size: float, odds: float) -> None:
    assert _FOREST.chance({"size": size}) == pytest.approx(1 / (1 + math.exp(-odds)))


def test_a_trait_that_is_not_there_is_nought_and_one_that_no_tree_knows_says_nothing() -> None:
    assert _FOREST.chance({}) == _FOREST.chance({"size": 0.0, "weight": 9.0})


def test_no_odds_are_too_large() -> None:
    sure = Forest(traits=(), always=1e9, trees=())
    assert 0.99 < sure.chance({}) <= 1.0
