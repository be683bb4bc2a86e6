"""Outcomes → figures with intervals, as the sections print them."""

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random

from misstep.core.statistics import wilson

_DRAWS = 1000


def share(right: int, n: int) -> str:
    """`65% (34 of 52; 51 to 77)`, with Wilson's interval."""
    if not n:
        return "none of 0"
    interval = wilson(right, n)
    return f"{interval.rate:.0%} ({right} of {n}; {100 * interval.low:.0f} to {100 * interval.high:.0f})"


def auroc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """How often a positive one scores above a negative one; ties count half."""
    high = [score for score, yes in zip(scores, positive, strict=True) if yes]
    low = [score for score, yes in zip(scores, positive, strict=True) if not yes]
    if not high or not low:
        return math.nan
    return sum((a > b) + 0.5 * (a == b) for a in high for b in low) / (len(high) * len(low))


def grouped_auroc(scores: Sequence[float], positive: Sequence[bool], groups: Sequence[str]) -> str:
    """`.81 (.68 to .92)`: the interval is that of a bootstrap over groups, whose members are not independent."""
    members: dict[str, list[int]] = {}
    for at, group in enumerate(groups):
        members.setdefault(group, []).append(at)
    rng = Random(0)
    drawn: list[float] = []
    for _ in range(_DRAWS):
        chosen = [at for group in rng.choices(sorted(members), k=len(members)) for at in members[group]]
        value = auroc([scores[at] for at in chosen], [positive[at] for at in chosen])
        if not math.isnan(value):
            drawn.append(value)
    drawn.sort()
    low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn))]
    return f"{auroc(scores, positive):.2f} ({low:.2f} to {high:.2f})"


Row = Mapping[str, float]


def ranker(
    choices: Sequence[tuple[Sequence[Row], int]], start: Row, *, steps: int = 60, caution: float = 2.0
) -> dict[str, float]:
    """Weights that rank the right row first: a conditional logit, pulled towards nought by `caution`."""
    weights = dict(start)
    for _ in range(steps):
        slope = {name: -caution * weight for name, weight in weights.items()}
        for rows, right in choices:
            _add_slope(slope, weights, rows, right)
        for name in weights:
            weights[name] += 0.4 * slope[name] / max(1, len(choices))
    return weights


def _add_slope(slope: dict[str, float], weights: Row, rows: Sequence[Row], right: int) -> None:
    scores = [sum(weights[name] * value for name, value in row.items()) for row in rows]
    most = max(scores)
    shares = [math.exp(score - most) for score in scores]
    total = sum(shares)
    for at, row in enumerate(rows):
        miss = (at == right) - shares[at] / total
        for name, value in row.items():
            slope[name] += miss * value


def logistic(rows: Sequence[Sequence[float]], positive: Sequence[bool]) -> Callable[[Sequence[float]], float]:
    """A logistic regression on standardised columns, pulled towards nought."""
    width = len(rows[0])
    means = [sum(row[at] for row in rows) / len(rows) for at in range(width)]
    spread = [math.sqrt(sum((row[at] - means[at]) ** 2 for row in rows) / len(rows)) or 1.0 for at in range(width)]
    weights, constant = [0.0] * width, 0.0

    def standard(row: Sequence[float]) -> list[float]:
        return [(value - mean) / by for value, mean, by in zip(row, means, spread, strict=True)]

    def score(row: Sequence[float]) -> float:
        return constant + sum(weight * value for weight, value in zip(weights, standard(row), strict=True))

    for _ in range(200):
        misses = [yes - 1 / (1 + math.exp(-score(row))) for row, yes in zip(rows, positive, strict=True)]
        constant += 0.5 * sum(misses) / len(rows)
        steps = [sum(miss * standard(row)[at] for miss, row in zip(misses, rows, strict=True)) for at in range(width)]
        weights = [weight + 0.5 * (step - 3 * weight) / len(rows) for weight, step in zip(weights, steps, strict=True)]
    return score
