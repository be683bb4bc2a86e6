"""A trace and the gists of earlier sessions → whether the agent has been getting worse, session by session."""

import math
from collections.abc import Callable, Iterator, Sequence

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


@detector("silent-degradation", version=1, needs="sessions")
def silent_degradation(trace: Trace, earlier: Sequence[Gist]) -> Iterator[Finding]:
    """Speaks up in the session with which it has become clear, and not again in the next; points at its end."""
    if len(earlier) <= _GROUND or not trace.events:
        return
    sessions = [*earlier, gist_of(trace)]
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
