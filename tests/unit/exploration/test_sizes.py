"""Sizes of conversations: going further than others in two respects at once is worth something, in one it is not."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.exploration.sizes import Sizes, size_of

Read = Callable[..., Trace]


def test_a_size_counts_calls_errors_tools_turns_and_what_was_said_at_once(read: Read) -> None:
    told = f'user: {"x" * 250}\nfind(a=1) -> 1\nfind(a=2) !! "no"\nclose(a=1) -> 1\nagent: ok\nuser: thanks'
    assert list(size_of(read(told)).values()) == [3, 1, 2, 2, 2]
    assert set(size_of(Trace(id="t")).values()) == {0}


def test_what_nobody_reached_in_two_respects_at_once_is_worth_most() -> None:
    sizes = Sizes()
    for _ in range(10):
        sizes.gain({"calls": 9, "turns": 1})
        sizes.gain({"calls": 1, "turns": 9})
    assert sizes.gain({"calls": 9, "turns": 9}) == 1
    assert sizes.gain({"calls": 99, "turns": 1}) == 1
    assert sizes.gain({"calls": 5, "turns": 1}) == 0


def test_what_was_reached_again_and_again_is_worth_less_and_then_nothing() -> None:
    sizes = Sizes()
    for _ in range(40):
        sizes.gain({"calls": 1, "turns": 1})
    gains = [sizes.gain({"calls": 8, "turns": 8}) for _ in range(8)]
    assert gains == sorted(gains, reverse=True)
    assert (gains[0], gains[-1]) == (1, 0)


def test_a_conversation_with_nothing_in_it_goes_nowhere() -> None:
    assert Sizes().gain({"calls": 0, "turns": 3}) == 0
    assert Sizes().gain({}) == 0
