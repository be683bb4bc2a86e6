"""Numbers of a summary → the geometry of its charts; the templates draw it, and CSS gives it colour."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from misstep.reporting.steps import NOWHERE, REPLY, START
from misstep.reporting.summary import PassHat, Transition

OTHER = "others"

_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 348.0, 14.0, 158.0
_MOST_STEPS = 12
_HEATS = 6


class Point(Struct, frozen=True):
    """A dot of the curve with its whisker, in the units of the view box."""

    k: int
    x: float
    y: float
    low: float
    high: float
    rate: float


class Curve(Struct, frozen=True):
    """pass^k over k."""

    points: tuple[Point, ...]
    line: str
    band: str
    levels: tuple[tuple[int, float], ...]
    """Percent and height of each grid line."""


class Cell(Struct, frozen=True):
    """How many trials, and how hot that is, from 0 to 6."""

    trials: int
    heat: int


class Matrix(Struct, frozen=True):
    """Last good step by first failing step."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...], int], ...]
    """Name, cells and sum of each row."""
    sums: tuple[int, ...]
    total: int


def curve(hats: Sequence[PassHat]) -> Curve | None:
    """Nothing to draw for a single k."""
    if len(hats) < 2:
        return None
    step = (_RIGHT - _LEFT - 24) / (len(hats) - 1)
    points = tuple(
        Point(
            hat.k, round(_LEFT + 12 + place * step, 1), _height(hat.rate), _height(hat.low), _height(hat.high), hat.rate
        )
        for place, hat in enumerate(hats)
    )
    upper = [f"{point.x},{point.high}" for point in points]
    lower = [f"{point.x},{point.low}" for point in reversed(points)]
    return Curve(
        points=points,
        line=" ".join(f"{point.x},{point.y}" for point in points),
        band=" ".join(upper + lower),
        levels=tuple((percent, _height(percent / 100)) for percent in (0, 50, 100)),
    )


def _height(rate: float) -> float:
    return round(_BOTTOM - rate * (_BOTTOM - _TOP), 1)


def matrix(transitions: Sequence[Transition]) -> Matrix | None:
    """The steps that matter most by name, the rest of them together."""
    if not transitions:
        return None
    afters: Counter[str] = Counter()
    ats: Counter[str] = Counter()
    for each in transitions:
        afters[each.after] += each.trials
        ats[each.at] += each.trials
    rows, columns = _steps(afters), _steps(ats)
    cells: Counter[tuple[str, str]] = Counter()
    for each in transitions:
        cells[each.after if each.after in rows else OTHER, each.at if each.at in columns else OTHER] += each.trials
    hottest = max(cells.values())
    return Matrix(
        columns=columns,
        rows=tuple(
            (
                after,
                tuple(Cell(cells[after, at], _heat(cells[after, at], hottest)) for at in columns),
                sum(cells[after, at] for at in columns),
            )
            for after in rows
        ),
        sums=tuple(sum(cells[after, at] for after in rows) for at in columns),
        total=cells.total(),
    )


def _steps(counts: Counter[str]) -> tuple[str, ...]:
    """`start` first, then by weight, then the reply and what has no step."""
    ranked = sorted(counts, key=lambda step: (-counts[step], step))
    named = [step for step in ranked if step not in (START, REPLY, NOWHERE)]
    first, last = [START] * (START in counts), [step for step in (REPLY, NOWHERE) if step in counts]
    more = [OTHER] * (len(named) > _MOST_STEPS)
    return (*first, *named[:_MOST_STEPS], *more, *last)


def _heat(trials: int, hottest: int) -> int:
    return 0 if not trials else max(1, round(_HEATS * trials / hottest))
