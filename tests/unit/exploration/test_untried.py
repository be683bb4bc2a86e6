"""Rows that try what was not tried: every pair sooner than chance, none of it left out, nothing that clashes."""

from collections.abc import Mapping
from itertools import combinations
from random import Random
from statistics import mean, median

from misstep.core.scenario import Scalar
from misstep.exploration.untried import Untried

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4, 5),
    "fault": ("none", "error", "timeout", "latency"),
    "noise": ("none", "typos", "heavy"),
    "pressure": (0, 1, 2),
    "correction": ("no", "yes"),
}
PAIRS = sum(len(SPACE[one]) * len(SPACE[other]) for one, other in combinations(SPACE, 2))


def rows(seed: int, many: int) -> list[dict[str, Scalar]]:
    untried, random = Untried(SPACE), Random(seed)
    found: list[dict[str, Scalar]] = []
    for _ in range(many):
        found.append(untried.row(random))
        untried.tell(found[-1])
    return found


def until_all_pairs(each: list[dict[str, Scalar]]) -> int:
    seen: set[tuple[object, ...]] = set()
    for at, row in enumerate(each, 1):
        seen.update(combinations(sorted(row.items()), 2))
        if len(seen) == PAIRS:
            return at
    return len(each) + 1


def clashes(row: Mapping[str, Scalar]) -> bool:
    return row.get("fault") == "timeout" and row.get("goals") == 1


def harshness(row: dict[str, Scalar]) -> float:
    """From 0, all mildest, to 1."""
    return mean(levels.index(row[name]) / (len(levels) - 1) for name, levels in SPACE.items())


def test_every_pair_is_tried_in_two_thirds_of_the_rows_that_chance_takes() -> None:
    chance, ours = list[int](), list[int]()
    for seed in range(8):
        random = Random(seed)
        drawn = [{name: random.choice(levels) for name, levels in SPACE.items()} for _ in range(300)]
        chance.append(until_all_pairs(drawn))
        ours.append(until_all_pairs(rows(seed, 150)))
    assert median(ours) <= median(chance) * 2 / 3


def test_no_level_is_liked_better_than_another() -> None:
    assert abs(mean(harshness(row) for row in rows(3, 100)) - 0.5) < 0.03


def test_levels_that_clash_are_never_put_together() -> None:
    untried, random = Untried(SPACE, lambda row: not clashes(row)), Random(10)
    for _ in range(60):
        row = untried.row(random)
        untried.tell(row)
        assert row.keys() == SPACE.keys()
        assert not clashes(row)


def test_a_factor_that_fits_in_no_way_is_left_out() -> None:
    untried = Untried(SPACE, lambda row: "noise" not in row or len(row) == 1)
    row = untried.row(Random(11), {"goals": 1})
    assert row.keys() == SPACE.keys() - {"noise"}


def test_the_mildest_row_is_tried_too() -> None:
    """Each of its pairs, as often as those of other levels in the long run."""
    made = rows(4, 200)
    met = sum(row["goals"] == 1 and row["fault"] == "none" for row in made)
    assert met >= 200 / 20 / 2


def test_a_part_of_a_row_stays_and_the_rest_is_made_for_it() -> None:
    untried = Untried(SPACE)
    row = untried.row(Random(5), {"goals": 2, "correction": "no"})
    assert (row["goals"], row["correction"]) == (2, "no")
    assert row.keys() == SPACE.keys()


def test_what_was_tried_is_worth_less_and_never_nothing() -> None:
    untried = Untried(SPACE)
    row = untried.row(Random(6))
    worth = [untried.worth(row)]
    for _ in range(5):
        untried.tell(row)
        worth.append(untried.worth(row))
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] > 0


def test_levels_that_are_not_of_the_space_are_passed_over() -> None:
    untried = Untried(SPACE)
    untried.tell({"goals": 99, "other": 1})
    assert untried.worth({"goals": 99, "other": 1}) == 0


def test_many_factors_are_no_trouble() -> None:
    wide = {f"f{at}": (0, 1, 2) for at in range(40)}
    untried = Untried(wide)
    assert untried.row(Random(7)).keys() == wide.keys()


def test_the_same_seed_makes_the_same_rows() -> None:
    assert rows(8, 20) == rows(8, 20)
    assert rows(8, 20) != rows(9, 20)
