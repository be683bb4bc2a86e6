"""Student's t with a whole number of degrees of freedom: its tails and quantiles; and Holm's care for many tests."""

import math
from collections.abc import Sequence
from functools import lru_cache


def two_sided(t: float, freedom: int) -> float:
    """The chance that Student's variable is at least so far from 0."""
    return max(0.0, 1 - _within(abs(t), freedom))


@lru_cache(maxsize=256)
def quantile(tail: float, freedom: int) -> float:
    """What Student's variable lies beyond, on one side or the other, with the chance `tail`."""
    low, high = 0.0, 1.0
    while two_sided(high, freedom) > tail:
        high *= 2
        if high > 1e12:  # past what the arithmetic can tell
            return high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided(middle, freedom) > tail else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The chance of lying between -t and t: a finite sum, by integration in parts."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    odd = freedom % 2 == 1
    total = term = math.cos(angle) if odd else 1.0
    if freedom == 1:
        total = 0.0
    for step in range(3 if odd else 2, freedom - 1, 2):
        term *= square * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """p-values of several tests → those that keep the chance of any false alarm at its level."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    adjusted = [1.0] * len(values)
    so_far = 0.0
    for rank, at in enumerate(order):
        so_far = max(so_far, min(1.0, values[at] * (len(values) - rank)))
        adjusted[at] = so_far
    return tuple(adjusted)
