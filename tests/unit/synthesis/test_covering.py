from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from misstep.synthesis.covering import covering, lower_bound

LEVELS = {"a": (1, 2, 3), "b": ("x", "y"), "c": (True, False), "d": (0, 1, 2, 3), "e": ("p", "q", "r")}


def no_x_with_three(row):
    """One rule between two factors, and one that reaches over a third."""
    if row.get("a") == 3 and row.get("b") == "x":
        return False
    return not (row.get("b") == "y" and row.get("c") is True)


def feasible(levels, names, chosen, possible):
    fixed = dict(zip(names, chosen, strict=True))
    others = [name for name in levels if name not in fixed]
    return any(
        possible({**fixed, **dict(zip(others, rest, strict=True))}) for rest in product(*(levels[o] for o in others))
    )


def uncovered(levels, rows, strength, possible):
    return [
        (names, chosen)
        for names in combinations(levels, strength)
        for chosen in product(*(levels[name] for name in names))
        if feasible(levels, names, chosen, possible)
        and not any(all(row[name] == level for name, level in zip(names, chosen, strict=True)) for row in rows)
    ]


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_every_combination_that_is_possible_is_covered_and_no_row_is_impossible(strength):
    rows = covering(LEVELS, strength=strength, seed=3, possible=no_x_with_three)
    assert uncovered(LEVELS, rows, strength, no_x_with_three) == []
    assert all(no_x_with_three(row) and row.keys() == LEVELS.keys() for row in rows)


@given(some.lists(some.integers(1, 4), min_size=1, max_size=6), some.integers(0, 50))
@settings(max_examples=30, deadline=None)
def test_any_table_of_levels_is_covered(sizes, seed):
    levels = {f"f{at}": tuple(range(size)) for at, size in enumerate(sizes)}
    rows = covering(levels, strength=2, seed=seed)
    assert uncovered(levels, rows, min(2, len(levels)), lambda row: True) == []


@pytest.mark.parametrize(
    ("sizes", "most"),
    [((3,) * 4, 13), ((2,) * 10, 9), ((3,) * 13, 21), ((6, 5, 4, 3, 3, 3, 3, 2, 2, 2, 2), 38)],
)
def test_an_array_is_not_much_larger_than_it_must_be(sizes, most):
    levels = {f"f{at}": tuple(range(size)) for at, size in enumerate(sizes)}
    assert lower_bound(levels) <= len(covering(levels)) <= most


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    assert covering(LEVELS, seed=1) == covering(LEVELS, seed=1)
    assert covering(LEVELS, seed=1) != covering(LEVELS, seed=2)


def test_where_nothing_is_possible_there_are_no_rows():
    assert covering(LEVELS, possible=lambda row: False) == ()
    assert covering({}) == ({},)


def test_levels_that_no_row_has_are_found_out_without_trying_all_that_has_nothing_to_do_with_them():
    levels = {"first": (0, 1), **{f"f{at}": (0, 1, 2) for at in range(14)}, "last": (0, 1), "next": (0, 1)}
    asked = 0

    def possible(row):
        nonlocal asked
        asked += 1
        rules = (row.get("first") == 1 and "last" in row, row.get("f3") == 2 and row.get("next") == 1)
        return not (any(rules) or (row.get("f5") == 0 and row.get("next") == 0))

    rows = covering(levels, possible=possible)
    assert {row["first"] for row in rows} == {0}
    assert asked < 200_000
