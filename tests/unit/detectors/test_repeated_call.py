"""Loops of one call, and what only looks like one."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.loops.repeated_call import repeated_call

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* change writes: Change.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[repeated_call])]


def test_three_equal_calls_with_equal_outcomes_are_a_loop_and_the_repeats_are_named(read: Read) -> None:
    assert places(read(TOOLS + 'user: Go.\nlook(a="x") -> []\nlook(a="X") -> []\nlook(a=" x") -> []')) == [(3, 5)]


def test_a_call_that_is_refused_three_times_is_a_loop(read: Read) -> None:
    assert places(read(TOOLS + 'change(a=1) !! "no"\nchange(a=1.0) !! "no"\nchange(a=1) !! "no"')) == [(2, 4)]


def test_a_loop_of_two_calls_in_turn_is_left_to_oscillation_once_it_has_gone_round_three_times(read: Read) -> None:
    turn = "look(a=1) -> []\nlook(a=2) -> [3]\n"
    assert places(read(TOOLS + turn * 3)) == []
    assert len(places(read(TOOLS + turn * 2 + "look(a=1) -> []"))) == 1


def test_a_loop_is_found_where_the_tools_are_not_described(read: Read) -> None:
    assert len(places(read('frob(a="x") -> []\n' * 3))) == 1


def test_a_fourth_try_of_what_may_pass_is_one_too_many(read: Read) -> None:
    assert places(read(TOOLS + 'look(a=1) !! "timeout"\n' * 3)) == []
    assert places(read(TOOLS + 'look(a=1) !! "timeout"\n' * 4)) == [(2, 4, 6)]


def test_two_equal_calls_are_no_loop(read: Read) -> None:
    assert places(read(TOOLS + "look(a=1) -> []\nlook(a=1) -> []")) == []


def test_answers_that_change_are_waiting_and_no_loop(read: Read) -> None:
    assert places(read(TOOLS + "look(a=1) -> 10\nlook(a=1) -> 20\nlook(a=1) -> 30\nlook(a=1) -> 40")) == []


def test_a_change_in_between_gives_reason_to_look_again(read: Read) -> None:
    assert (
        places(read(TOOLS + "look(a=1) -> 1\nchange(b=1) -> 1\nlook(a=1) -> 1\nchange(b=2) -> 1\nlook(a=1) -> 1")) == []
    )


def test_news_from_the_user_gives_reason_to_look_again(read: Read) -> None:
    looks = ["user: Is it there?", "look(a=1) -> []", "user: It should be, I paid.", "look(a=1) -> []"]
    assert places(read(TOOLS + "\n".join([*looks, "user: My friend sees it.", "look(a=1) -> []"]))) == []


def test_the_user_saying_the_same_again_is_no_news(read: Read) -> None:
    turn = "user: Is it there?\nlook(a=1) -> []\nagent: One moment.\n"
    assert len(places(read(TOOLS + turn * 3))) == 1


def test_asking_whether_something_is_ready_until_it_is_goes_nowhere_twice(read: Read) -> None:
    polled = """
    * build_status reads: Show how far a build is.
    user: Tell me when build 81 is through.
    build_status(build=81) -> {"state": "running"}
    build_status(build=81) -> {"state": "running"}
    build_status(build=81) -> {"state": "running"}
    build_status(build=81) -> {"state": "passed"}
    agent: Build 81 has passed."""
    assert detect(read(polled), detectors=[repeated_call]) == ()
    for_ever = polled.replace('"passed"', '"running"').replace("has passed", "is still running")
    assert [each.mode for each in detect(read(for_ever), detectors=[repeated_call])] == ["repeated-call"]
