"""Agents that get worse from session to session, and agents that have a bad day."""

import random

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.gist import Gist, GistCall
from misstep.core.trace import Trace, Usage
from misstep.detectors import detect
from misstep.detectors.cascade.silent_degradation import silent_degradation


def session(failing: int, calls: int = 10) -> Gist:
    made = tuple(GistCall(at, "look", "{}", "reads", at >= failing) for at in range(calls))
    return Gist("t", made, "finished", Usage(turns=2, calls=calls))


def now(failing: int, calls: int = 10) -> Trace:
    events = [Message(actor="user", role="user", text="Go."), Message(actor="user", role="user", text="On.")]
    made = [
        event
        for at in range(calls)
        for event in (
            ToolCall(actor="agent", call_id=str(at), tool="look"),
            ToolResult(actor="look", call_id=str(at), content=1, is_error=at < failing),
        )
    ]
    return Trace(id="now", events=(*events, *made), end="finished", usage=Usage(turns=2, calls=calls))


def claims(earlier: list[Gist], trace: Trace) -> int:
    return len(detect(trace, sessions=earlier, detectors=[silent_degradation]))


def first_claim(sessions: list[int]) -> int | None:
    """With which session it is first said, counted from the beginning."""
    gists = [session(each) for each in sessions]
    return next((at for at in range(len(sessions)) if at and claims(gists[:at], now(sessions[at]))), None)


def test_a_lasting_rise_of_failing_calls_is_said_once_after_a_few_sessions() -> None:
    steady, worse = [0, 1, 0, 0, 1, 0, 0, 0, 1, 0] * 3, [4, 5, 4, 6, 5, 4, 5, 6, 5, 4]
    said = first_claim(steady + worse)
    assert said is not None
    assert 33 <= said <= 38
    gists = [session(each) for each in steady + worse]
    assert claims(gists[: said + 1], now(5)) == 0


def test_one_bad_day_is_not_enough() -> None:
    steady = [0, 1, 0, 0, 1, 0, 0, 0, 1, 0] * 3
    assert first_claim([*steady, 9, 8, *steady]) is None


def test_longer_and_longer_sessions_are_a_decline_too() -> None:
    earlier = [session(0, 10 + at % 3) for at in range(20)] + [session(0, 30) for _ in range(5)]
    assert claims(earlier, now(0, 30)) == 1


def test_with_few_earlier_sessions_nothing_is_said() -> None:
    assert claims([session(0)] * 10, now(9)) == 0
    assert claims([], now(9)) == 0


def test_agents_that_stay_as_they_are_are_seldom_accused() -> None:
    rng = random.Random(7)
    accused = 0
    for _ in range(20):
        sessions = [session(sum(rng.random() < 0.15 for _ in range(10)), rng.randrange(6, 15)) for _ in range(60)]
        accused += sum(claims(sessions[:at], now(len(sessions[at].calls) // 8)) for at in range(15, 60, 5))
    assert accused <= 2


def test_a_few_sessions_that_only_ever_get_longer_are_a_decline() -> None:
    lengths = [2, 2, 3, 4, 5, 7]
    assert claims([session(0, each) for each in lengths], now(0, 9)) == 1
    assert claims([*(session(0, each) for each in lengths), session(0, 9)], now(0, 11)) == 0


def test_a_few_sessions_that_go_up_and_down_are_none() -> None:
    assert claims([session(0, each) for each in (2, 4, 3, 4, 2, 7)], now(0, 9)) == 0
