"""Sparse rows → coefficients by least squares, with errors that hold where rows come in clusters.

Columns that those before them already say are dropped. The errors are those of the jackknife over clusters (each is
left out in turn), which are on the careful side where clusters are few or unlike.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

Cells = tuple[tuple[int, float], ...]
"""The columns of a row that are not 0, each with its value."""
Matrix = list[list[float]]

_NOTHING_LEFT = 1e-9
"""A column of which less than this part is new is said by the others."""


class Row(Struct, frozen=True):
    """Trials with the same factors and the same cluster."""

    cells: Cells
    mean: float
    weight: float
    cluster: str


class Fit(Struct, frozen=True):
    """What came out of it, by column."""

    coefficients: list[float]
    errors: list[float]
    """Standard errors; infinite where nothing can be said."""
    dropped: tuple[int, ...]
    clusters: int


def fit(rows: Sequence[Row], width: int) -> Fit:
    """Solve for `width` columns."""
    scaled = [_scaled(row) for row in rows]
    gram, moments = _moments(scaled, width)
    dropped = _invert(gram)
    coefficients = [_dot(line, moments) for line in gram]
    left = defaultdict[str, list[tuple[Cells, float]]](list)
    for row, (cells, value) in zip(rows, scaled, strict=True):
        residual = value - sum(part * coefficients[at] for at, part in cells)
        left[row.cluster].append((cells, residual))
    return Fit(coefficients, _errors(gram, left.values(), dropped), dropped, len(left))


def _scaled(row: Row) -> tuple[Cells, float]:
    root = math.sqrt(row.weight)
    return tuple((at, part * root) for at, part in row.cells), row.mean * root


def _moments(rows: Iterable[tuple[Cells, float]], width: int) -> tuple[Matrix, list[float]]:
    gram = _zeros(width)
    moments = [0.0] * width
    for cells, value in rows:
        for at, part in cells:
            moments[at] += part * value
            line = gram[at]
            for other, second in cells:
                line[other] += part * second
    return gram, moments


def _invert(gram: Matrix) -> tuple[int, ...]:
    """In place, by sweeping a column after another; those with nothing new become 0."""
    width = len(gram)
    sizes = [gram[at][at] for at in range(width)]
    dropped: list[int] = []
    for at in range(width):
        pivot = gram[at][at]
        if pivot <= _NOTHING_LEFT * sizes[at] or sizes[at] == 0:
            dropped.append(at)
            continue
        line = [value / pivot for value in gram[at]]
        for other in range(width):
            factor = gram[other][at]
            if other == at or factor == 0:
                continue
            target = gram[other]
            for column, value in enumerate(line):
                target[column] -= factor * value
            target[at] = -factor / pivot
        line[at] = 1 / pivot
        gram[at] = line
    for at in dropped:
        gram[at] = [0.0] * width
        for line in gram:
            line[at] = 0.0
    return tuple(dropped)


def _errors(
    inverse: Matrix, clusters: Iterable[Sequence[tuple[Cells, float]]], dropped: tuple[int, ...]
) -> list[float]:
    width = len(inverse)
    squares = [0.0] * width
    count = 0
    for rows in clusters:
        count += 1
        shift = _shift_by_rows(inverse, rows) if len(rows) <= width else _shift_by_columns(inverse, rows)
        for at, value in enumerate(shift):
            squares[at] += value * value
    if count < 2:
        return [math.inf] * width
    return [math.inf if at in dropped else math.sqrt(each * (count - 1) / count) for at, each in enumerate(squares)]


def _shift_by_rows(inverse: Matrix, rows: Sequence[tuple[Cells, float]]) -> list[float]:
    """By how much the coefficients move when these rows are left out: the quick way for few rows."""
    reach = [_combined(inverse, cells) for cells, _ in rows]
    matrix = [[-sum(part * line[at] for at, part in cells) for cells, _ in rows] for line in reach]
    for at in range(len(rows)):
        matrix[at][at] += 1
    weights = solve(matrix, [residual for _, residual in rows])
    return _combined(reach, enumerate(weights))


def _shift_by_columns(inverse: Matrix, rows: Sequence[tuple[Cells, float]]) -> list[float]:
    """The same for more rows than there are columns."""
    width = len(inverse)
    own, moments = _moments(rows, width)
    matrix = [[-_dot(line, column) for column in inverse] for line in own]  # the inverse is symmetric
    for at in range(width):
        matrix[at][at] += 1
    return _combined(inverse, enumerate(solve(matrix, moments)))


def solve(matrix: Matrix, values: Sequence[float]) -> list[float]:
    """By elimination; a direction that the matrix does not have gets 0, for nothing was left over in it either."""
    lines = [[*line, value] for line, value in zip(matrix, values, strict=True)]
    width = len(lines)
    free: set[int] = set()
    for at in range(width):
        best = max(range(at, width), key=lambda candidate: abs(lines[candidate][at]))
        lines[at], lines[best] = lines[best], lines[at]
        pivot = lines[at][at]
        if abs(pivot) < _NOTHING_LEFT:
            free.add(at)
            continue
        for other in range(at + 1, width):
            factor = lines[other][at] / pivot
            if factor:
                lines[other] = [a - factor * b for a, b in zip(lines[other], lines[at], strict=True)]
    solution = [0.0] * width
    for at in reversed(range(width)):
        if at not in free:
            rest = sum(lines[at][column] * solution[column] for column in range(at + 1, width))
            solution[at] = (lines[at][width] - rest) / lines[at][at]
    return solution


def _combined(lines: Sequence[Sequence[float]], weights: Iterable[tuple[int, float]]) -> list[float]:
    total = [0.0] * len(lines[0])
    for at, weight in weights:
        if weight:
            total = [sum_ + weight * value for sum_, value in zip(total, lines[at], strict=True)]
    return total


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def _zeros(width: int) -> Matrix:
    return [[0.0] * width for _ in range(width)]
