"""Least squares with errors over clusters, beside the same done the long way."""

import math
import random

import pytest

from misstep.exploration.least_squares import Fit, Row, fit, solve

WIDTH = 5


def rows(seed: int, *, count: int, clusters: int) -> list[Row]:
    drawn = random.Random(seed)
    made: list[Row] = []
    for at in range(count):
        cells = [(0, 1.0), *((column, drawn.choice((0.0, 1.0, 2.0))) for column in range(1, WIDTH))]
        made.append(
            Row(tuple(cell for cell in cells if cell[1]), drawn.random(), drawn.choice((1, 2, 3)), str(at % clusters))
        )
    return made


def the_long_way(given: list[Row]) -> list[float]:
    """The errors, by leaving out each cluster and solving again."""
    whole = fit(given, WIDTH).coefficients
    names = sorted({row.cluster for row in given})
    without = [fit([row for row in given if row.cluster != name], WIDTH).coefficients for name in names]
    part = (len(names) - 1) / len(names)
    return [math.sqrt(part * sum((each[at] - whole[at]) ** 2 for each in without)) for at in range(WIDTH)]


@pytest.mark.parametrize("clusters", [6, 20, 60])
def test_errors_are_those_of_leaving_out_each_cluster_in_turn(clusters: int) -> None:
    given = rows(clusters, count=120, clusters=clusters)
    assert fit(given, WIDTH).errors == pytest.approx(the_long_way(given))


def test_a_row_that_weighs_three_is_three_rows() -> None:
    given = rows(1, count=60, clusters=60)
    spread = [Row(row.cells, row.mean, 1, row.cluster) for row in given for _ in range(int(row.weight))]
    one, other = fit(given, WIDTH), fit(spread, WIDTH)
    assert one.coefficients == pytest.approx(other.coefficients)
    assert one.errors == pytest.approx(other.errors)


def test_a_column_that_others_already_say_is_dropped_and_changes_nothing() -> None:
    given = rows(2, count=80, clusters=20)
    doubled = [
        Row(
            (*row.cells, *((WIDTH, 2 * value) for at, value in row.cells if at == 1)), row.mean, row.weight, row.cluster
        )
        for row in given
    ]
    plain, wider = fit(given, WIDTH), fit(doubled, WIDTH + 1)
    assert wider.dropped == (WIDTH,)
    assert wider.coefficients[:WIDTH] == pytest.approx(plain.coefficients)
    assert math.isinf(wider.errors[WIDTH])


def test_one_cluster_says_nothing_of_its_error() -> None:
    found: Fit = fit(rows(3, count=30, clusters=1), WIDTH)
    assert all(map(math.isinf, found.errors))


def test_a_direction_that_is_not_there_is_solved_by_nothing() -> None:
    assert solve([[2.0, 0.0], [0.0, 0.0]], [4.0, 0.0]) == [2.0, 0.0]
    assert solve([[0.0, 1.0], [4.0, 0.0]], [3.0, 8.0]) == [2.0, 3.0]
