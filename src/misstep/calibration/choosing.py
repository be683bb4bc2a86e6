"""Probabilities on traces that were left out → how strict to be: the loosest threshold that is right often enough."""

from collections.abc import Sequence

from msgspec import Struct

from misstep.calibration.learned import Choice, chosen_from, expected
from misstep.calibration.measures import Claims, found_share

SHARINGS = (0.25, 0.5, 0.75)

Chances = Sequence[Sequence[float]]
"""Of one trace: for each place, one for each mode."""


class Asked(Struct, frozen=True):
    """What is asked of a learned detector."""

    precision: float
    claims_a_trace: float


class Chosen(Struct, frozen=True):
    """A choice, and the share of each trace's failures that it found on the traces it was made on."""

    choice: Choice
    found: float


def best_choice(chances: Sequence[Chances], labels: Sequence[Claims], modes: Sequence[str], asked: Asked) -> Chosen:
    """The way of sharing with its loosest threshold that finds the most; the first of equals."""
    options = [_loosest(chances, labels, modes, asked, sharing) for sharing in SHARINGS]
    return max(options, key=lambda option: (option.choice.reached, option.found))


def claims_of(chances: Chances, choice: Choice, modes: Sequence[str]) -> Claims:
    return frozenset((place, modes[mode]) for place, mode, _ in chosen_from(chances, choice))


def _loosest(
    chances: Sequence[Chances], labels: Sequence[Claims], modes: Sequence[str], asked: Asked, sharing: float
) -> Chosen:
    ranked: list[tuple[float, bool]] = []
    for rows, right in zip(chances, labels, strict=True):
        share = expected(rows) ** sharing
        ranked += [
            (chance / share, (place, modes[mode]) in right)
            for place, row in enumerate(rows)
            for mode, chance in enumerate(row)
        ]
    ranked.sort(key=lambda each: -each[0])
    threshold, reached = _threshold(ranked, most=int(asked.claims_a_trace * len(labels)), precision=asked.precision)
    choice = Choice(threshold, sharing, asked.precision, reached)
    return Chosen(choice, found_share([claims_of(rows, choice, modes) for rows in chances], labels))


_TOO_FEW = 8
"""Claims among which a share of right ones means little."""


def _threshold(ranked: Sequence[tuple[float, bool]], *, most: int, precision: float) -> tuple[float, bool]:
    """The lowest one that is right often enough; where there is none, the one that is right most often."""
    best, best_precision, loosest, right = 1.0, -1.0, None, 0
    for number, (score, is_right) in enumerate(ranked[:most], 1):
        right += is_right
        if number < min(_TOO_FEW, most):
            continue
        if is_right and right / number >= precision:  # beyond the last right one there is nothing to be had
            loosest = score
        if right / number > best_precision:
            best, best_precision = score, right / number
    return (best, False) if loosest is None else (loosest, True)
