"""Rows by the failures that trouble may hold: all of it first, then what the harshest row leaves out."""

from collections.abc import Mapping
from itertools import product
from random import Random
from statistics import mean

from misstep.core.scenario import Scalar
from misstep.exploration.imagined import Imagined

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4, 5),
    "fault": ("none", "error", "timeout", "latency"),
    "noise": ("none", "typos", "heavy"),
    "pressure": (0, 1, 2),
    "correction": ("no", "yes"),
}


def rows(seed: int, many: int) -> list[dict[str, Scalar]]:
    random = Random(seed)
    imagined = Imagined(SPACE, random)
    found: list[dict[str, Scalar]] = []
    for _ in range(many):
        found.append(imagined.row(random))
        imagined.tell(found[-1])
    return found


def test_the_first_row_is_all_trouble() -> None:
    assert rows(1, 1)[0] == {name: levels[-1] for name, levels in SPACE.items()}


def test_the_mildest_level_of_a_factor_is_hardly_ever_in_a_row() -> None:
    made = rows(2, 30)
    assert mean(level == SPACE[name][0] for row in made for name, level in row.items()) < 0.05


def test_two_levels_that_are_neither_mildest_nor_harshest_are_soon_tried_together() -> None:
    """Chance takes some twenty trials for one such pair, of all that there are the double and more."""
    tried = {(row["fault"], row["noise"]) for row in rows(3, 20)}
    assert tried >= set(product(SPACE["fault"][1:], SPACE["noise"][1:]))


def test_a_harsh_row_is_worth_more_than_a_mild_one_until_it_was_tried() -> None:
    imagined = Imagined(SPACE, Random(4))
    harsh = {name: levels[-1] for name, levels in SPACE.items()}
    middle: dict[str, Scalar] = {**harsh, "goals": 3, "fault": "error"}
    mild = {name: levels[0] for name, levels in SPACE.items()}
    assert imagined.worth(harsh) > imagined.worth(middle) > imagined.worth(mild) == 0
    for _ in range(5):
        imagined.tell(harsh)
    assert imagined.worth(middle) > imagined.worth(harsh) > 0


def test_levels_that_clash_are_never_put_together_and_the_next_best_takes_their_place() -> None:
    def possible(row: Mapping[str, Scalar]) -> bool:
        return not (row.get("goals") == 5 and row.get("noise") == "heavy") and row.get("fault") != "latency"

    random = Random(5)
    imagined = Imagined(SPACE, random, possible)
    made = [imagined.row(random) for _ in range(20)]
    assert all(row.keys() == SPACE.keys() and possible(row) for row in made)
    assert {row["fault"] for row in made} <= {"error", "timeout"}


def test_levels_that_are_not_of_the_space_and_factors_of_one_level_are_passed_over() -> None:
    imagined = Imagined({"goals": (1,)}, Random(6))
    imagined.tell({"goals": 99, "other": 1})
    assert imagined.worth({"goals": 1}) == 0
    assert imagined.row(Random(6)) == {"goals": 1}
    assert Imagined({}, Random(6)).row(Random(6)) == {}


def test_many_factors_are_no_trouble() -> None:
    wide = {f"f{at}": (0, 1, 2) for at in range(40)}
    assert Imagined(wide, Random(7)).row(Random(7)).keys() == wide.keys()


def test_the_same_seed_makes_the_same_rows() -> None:
    assert rows(8, 10) == rows(8, 10)
    assert rows(8, 10) != rows(9, 10)
