"""A trace and the gists of earlier sessions → whether the agent has been getting worse, session by session."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from misstep.core.finding import Finding
from misstep.core.gist import Gist
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.detectors.gists import gist_of

_GROUND = 10
"""So many sessions show how the agent used to be; before there are more, nothing can be said."""
_LONGEST_GROUND = 100
_ODDS = 6.0
"""What is watched for: odds of a bad session that have grown so many times."""
_ALARMS_A_SESSION = 1 / 400
"""An agent that stays as it was is accused once in so many sessions at most, over all charts together."""


_FEWEST = 6
"""Fewer sessions than these before cannot show a trend."""
_GROWN = 1.5
"""What has not grown so many times since the first session is no matter."""


def _failing_calls(gist: Gist) -> float:
    return sum(not call.succeeded for call in gist.calls) / max(1, len(gist.calls))


def _ended_badly(gist: Gist) -> float:
    return float(gist.end not in ("finished", "unknown"))


def _calls(gist: Gist) -> float:
    return float(len(gist.calls))


def _turns(gist: Gist) -> float:
    return float(gist.usage.turns)


_CHARTS: tuple[tuple[str, Callable[[Gist], float]], ...] = (
    ("more of its calls fail", _failing_calls),
    ("its conversations end badly more often", _ended_badly),
    ("it takes more calls", _calls),
    ("it takes more turns", _turns),
)


@detector("silent-degradation", version=2, needs="sessions")
def silent_degradation(trace: Trace, earlier: Sequence[Gist]) -> Iterator[Finding]:
    """Speaks up in the session with which it has become clear, and not again in the next; points at its end."""
    if len(earlier) < _FEWEST or not trace.events:
        return
    sessions = [*earlier, gist_of(trace)]
    if len(earlier) <= _GROUND:
        yield from _steadily_worse(trace, sessions)
        return
    ground = sessions[: min(_LONGEST_GROUND, max(_GROUND, len(earlier) // 2))]
    worse = [said for said, measure in _CHARTS if _crosses_now([measure(each) for each in sessions], len(ground))]
    if worse:
        yield Finding(
            mode="silent-degradation",
            events=(len(trace.events) - 1,),
            because=f"Compared with its first {len(ground)} sessions, {' and '.join(worse)}: the change has built up "
            f"over the {len(sessions) - len(ground)} sessions since.",
            confidence=0.8,
        )


def _steadily_worse(trace: Trace, sessions: Sequence[Gist]) -> Iterator[Finding]:
    """Of a few sessions: each is as bad as the one before or worse, in every respect, and that is no chance."""
    for ways, charts in ((_worsening(sessions), _CHARTS), (_skipping(sessions), _LOOKS)):
        rows = [tuple(measure(each) for _, measure in charts) for each in sessions]
        if ways and _only_ever_up(rows) and not (len(rows) > _FEWEST + 1 and _only_ever_up(rows[:-1])):
            grown = [said for n, (said, _) in enumerate(charts) if rows[-1][n] > rows[0][n]]
            yield Finding(
                mode="silent-degradation",
                events=(len(trace.events) - 1,),
                because=f"Over the last {len(sessions)} sessions, one after the other, {' and '.join(grown)}, "
                "and never less again.",
                confidence=0.7,
            )
            return


def _only_ever_up(rows: Sequence[tuple[float, ...]]) -> bool:
    """Nothing ever gets less, and of all orders in which these sessions could have come this one is rare."""
    if any(before > after for one, other in pairwise(rows) for before, after in zip(one, other, strict=True)):
        return False
    orders = math.factorial(len(rows))
    for count in Counter(rows).values():
        orders //= math.factorial(count)
    return orders * _ALARMS_A_SESSION >= 1


def _worsening(sessions: Sequence[Gist]) -> bool:
    """The same kind of work takes much more, or has come to end badly."""
    first, last = sessions[0], sessions[-1]
    tools = [{call.tool for call in each.calls} for each in (first, last)]
    if not (tools[0] <= tools[1] or tools[1] <= tools[0]):
        return False
    grown = any(measure(last) >= max(1.0, measure(first)) * _GROWN for measure in (_calls, _turns))
    return grown or _ended_badly(last) > _ended_badly(first) or _failing_calls(last) > _failing_calls(first)


def _skipping(sessions: Sequence[Gist]) -> bool:
    """The same acts are done with ever fewer other calls before them."""
    acts = [tuple(call.tool for call in each.calls if call.succeeded)[-1:] for each in sessions]
    first, last = len(sessions[0].calls), len(sessions[-1].calls)
    return bool(acts[0]) and len(set(acts)) == 1 and last * 2 <= first


def _left_out(gist: Gist) -> float:
    return -float(len({call.tool for call in gist.calls}))


_LOOKS: tuple[tuple[str, Callable[[Gist], float]], ...] = (
    ("it leaves out more of what it used to do before it acts", _left_out),
)


def _crosses_now(values: Sequence[float], ground: int) -> bool:
    """Whether a Bernoulli CUSUM of bad sessions crosses its limit with the last one.

    A session is bad when its value lies above nine in ten of those of the ground. Between two false alarms at least
    exp(limit) sessions pass on average, by Lorden's inequality, as far as the ground shows the usual rate.
    """
    bar, usual = _bar(values[:ground])
    worse = usual * _ODDS / (1 - usual + usual * _ODDS)
    up, down = math.log(worse / usual), math.log((1 - worse) / (1 - usual))
    limit = math.log(len(_CHARTS) / _ALARMS_A_SESSION)
    height = 0.0
    crossed = False
    for value in values[ground:]:
        if crossed:
            height, crossed = 0.0, False  # told already: start afresh
        height = max(0.0, height + (up if value > bar else down))
        crossed = height >= limit
    return crossed


def _bar(ground: Sequence[float]) -> tuple[float, float]:
    """The value above which a session is bad, and how often one was: never taken to be less than once in ten."""
    ordered = sorted(ground)
    bar = ordered[math.ceil(0.9 * len(ordered)) - 1]
    if bar == 1.0 and ordered[-1] == 1.0:
        bar = 0.5  # of a yes and a no, only the yes can be bad
    above = sum(value > bar for value in ordered)
    return bar, max(0.1, (above + 1) / (len(ordered) + 2))
