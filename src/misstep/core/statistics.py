"""Counts of passes and trials → rates with honest intervals, exact tests, Student's t and Holm's care; pure, small.

Every interval has `n`, the trials it was measured from. Where `n` is 0 nothing is known: the interval is all of 0 to 1
and its rate of 0 means nothing.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, variance

from misstep.core.finding import Interval

Tally = tuple[int, int]
"""Passes and trials, of one scenario."""


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval: for independent trials, close to the promised level on average over rates."""
    _check((successes, n), level)
    if n == 0:
        return _nothing(level)
    rate = successes / n
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Interval(rate, low, high, n, level)


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> Interval:
    """The exact interval: for independent trials, never below the promised level, and wider for it."""
    _check((successes, n), level)
    if n == 0:
        return _nothing(level)
    low, high = _beta_bounds(successes, n, level)
    return Interval(successes / n, low, high, n, level)


def clustered_rate(per_cluster: Sequence[Tally], level: float = 0.95) -> Interval:
    """The rate over a population of scenarios from which these are a sample, each with its own trials.

    Trials of one scenario resemble each other, so that they count for less than as many trials of different ones. The
    standard error is taken over scenarios and turned into a number of independent trials that would have the same; the
    exact interval is taken for that number (the way Korn and Graubard do for surveys). Where all trials went the same
    way nothing shows how alike they are, and each scenario counts for one. One scenario speaks only for itself.
    """
    for tally in per_cluster:
        _check(tally, level)
    seen = [(passes, trials) for passes, trials in per_cluster if trials]
    total = sum(trials for _, trials in seen)
    passed = sum(passes for passes, _ in seen)
    if len(seen) < 2:
        return clopper_pearson(passed, total, level)
    rate = passed / total
    scatter = sum((passes - rate * trials) ** 2 for passes, trials in seen)
    squared_error = scatter / total**2 * len(seen) / (len(seen) - 1)
    low, high = _sampled_bounds(rate, squared_error, clusters=len(seen), most=total, level=level)
    return Interval(rate, low, high, total, level)


def pass_hat_k(per_scenario: Sequence[Tally], k: int, level: float = 0.95) -> Interval:
    """The chance that k trials of a scenario all pass, averaged over scenarios.

    Unbiased: C(passes, k) / C(trials, k) for each. Scenarios with fewer than k trials cannot say and are left out, also
    of `n`. The interval is that of `clustered_rate`, with k trials counted as one at best; for one scenario it is that
    of its rate, to the power of k.
    """
    if k < 1:
        raise ValueError(f"pass^k needs a k of 1 or more; got {k}.")
    for tally in per_scenario:
        _check(tally, level)
    able = [(passes, trials) for passes, trials in per_scenario if trials >= k]
    if not able:
        return _nothing(level)
    total = sum(trials for _, trials in able)
    each = [math.comb(passes, k) / math.comb(trials, k) for passes, trials in able]
    rate = fmean(each)
    if len(able) == 1:
        single = clopper_pearson(*able[0], level)
        return Interval(rate, min(rate, single.low**k), max(rate, single.high**k), total, level)
    low, high = _sampled_bounds(rate, variance(each) / len(each), clusters=len(each), most=total / k, level=level)
    return Interval(rate, low, high, total, level)


def confidence_sequence(successes: int, n: int, level: float = 0.95) -> Interval:
    """An interval for a rate that one may look at after every trial, and stop when one likes what one sees.

    With probability `level` it holds after all trials at once: it leaves out a rate only when a mixture of all rates
    (Jeffreys' beta) has made the trials 1 / (1 - level) times likelier than that rate does.
    """
    _check((successes, n), level)
    if n == 0:
        return _nothing(level)
    failures = n - successes
    mixture = _log_beta(successes + 0.5, failures + 0.5) - _log_beta(0.5, 0.5)

    def excluded(rate: float) -> bool:
        likelihood = _times_log(successes, rate) + _times_log(failures, 1 - rate)
        return mixture - likelihood >= -math.log(1 - level)

    observed = successes / n
    low = 0.0 if successes == 0 else _edge(excluded, outside=0.0, inside=observed)
    high = 1.0 if failures == 0 else _edge(excluded, outside=1.0, inside=observed)
    return Interval(observed, low, high, n, level)


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """The two-sided p-value of paired trials in which only a, or only b, passed, if neither is better."""
    if min(only_a, only_b) < 0:
        raise ValueError(f"McNemar's test needs counts of 0 or more; got {only_a} and {only_b}.")
    fewer, more = sorted((only_a, only_b))
    if fewer == more:
        return 1.0
    return min(1.0, 2 * _beta_cdf(0.5, more, fewer + 1))


def _check(tally: Tally, level: float) -> None:
    passes, trials = tally
    if not 0 <= passes <= trials:
        raise ValueError(f"There cannot be {passes} passes in {trials} trials.")
    if not 0 < level < 1:
        raise ValueError(f"A confidence level lies between 0 and 1, like 0.95; got {level}.")


def _nothing(level: float) -> Interval:
    return Interval(0.0, 0.0, 1.0, 0, level)


def _sampled_bounds(
    rate: float, squared_error: float, *, clusters: int, most: float, level: float
) -> tuple[float, float]:
    """The exact bounds for as many independent trials as would have this standard error, and never more than `most`."""
    if rate in (0.0, 1.0):
        return _beta_bounds(rate * clusters, clusters, level)
    worth = min(most, rate * (1 - rate) / squared_error) if squared_error > 0 else most
    # The standard error is itself an estimate, from few scenarios: Student's quantile in place of the normal one.
    worth *= (NormalDist().inv_cdf((1 + level) / 2) / _student_quantile(level, clusters - 1)) ** 2
    return _beta_bounds(rate * worth, worth, level)


def _beta_bounds(successes: float, n: float, level: float) -> tuple[float, float]:
    failures, tail = n - successes, (1 - level) / 2
    low = 0.0 if successes <= 0 else _beta_quantile(tail, successes, failures + 1)
    high = 1.0 if failures <= 0 else 1 - _beta_quantile(tail, failures, successes + 1)
    return low, high


def _student_quantile(level: float, freedom: int) -> float:
    """The t that a Student variable keeps within, on both sides, with this probability."""
    inner = _beta_quantile(1 - level, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 / inner - 1))


def _times_log(count: int, rate: float) -> float:
    if count == 0:
        return 0.0
    return count * math.log(rate) if rate > 0 else -math.inf


def _edge(excluded: Callable[[float], bool], *, outside: float, inside: float) -> float:
    """Where `excluded` turns, given to the outside: what is left is never too narrow."""
    while (middle := (outside + inside) / 2) not in (outside, inside):
        if excluded(middle):
            outside = middle
        else:
            inside = middle
    return outside


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - _log_beta(a, b))
    # The fraction converges fast on the near side of the mean; the far side follows by symmetry.
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, from the front, by Lentz's method."""
    tiny = 1e-300
    above = 1.0
    below = 1 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    value = below
    for m in range(1, 20_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            below = 1 / _away_from_zero(1 + term * below, tiny)
            above = _away_from_zero(1 + term / above, tiny)
            value *= above * below
        if abs(above * below - 1) < 1e-15:
            break
    return value


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _beta_quantile(probability: float, a: float, b: float) -> float:
    """The x whose `_beta_cdf` is the probability: by Newton's steps, or by halving where those leave the bracket."""
    low, high, x = 0.0, 1.0, a / (a + b)
    log_beta = _log_beta(a, b)
    for _ in range(200):
        miss = _beta_cdf(x, a, b) - probability
        low, high = (low, x) if miss > 0 else (x, high)
        log_density = (a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - log_beta
        step = miss * math.exp(-log_density) if log_density > -700 else math.inf
        following = x - step
        if not low < following < high:
            following = (low + high) / 2
        if following in (0.0, 1.0) or abs(following - x) <= 1e-15 * x:
            return following
        x = following
    return x


def student_tails(t: float, freedom: int) -> float:
    """The chance that Student's variable is at least so far from 0."""
    return max(0.0, 1 - _within(abs(t), freedom))


@lru_cache(maxsize=256)
def student_quantile(tail: float, freedom: int) -> float:
    """What Student's variable lies beyond, on one side or the other, with the chance `tail`."""
    low, high = 0.0, 1.0
    while student_tails(high, freedom) > tail:
        high *= 2
        if high > 1e12:  # past what the arithmetic can tell
            return high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, freedom) > tail else (low, middle)
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
