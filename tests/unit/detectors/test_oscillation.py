"""Going back and forth, and what only looks like it."""

from collections.abc import Callable

from misstep.core.event import Handoff
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.loops.oscillation import oscillation

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* open reads: Open.\n* change writes: Change.\n* undo writes: Undo.\n"
ROUND = "look(a=1) -> []\nopen(a=2) -> [3]\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[oscillation])]


def test_three_rounds_of_two_looks_are_found_and_the_later_rounds_are_named(read: Read) -> None:
    assert places(read(TOOLS + ROUND * 3)) == [(4, 6, 8, 10)]


def test_two_rounds_of_looks_are_a_comparison(read: Read) -> None:
    assert places(read(TOOLS + ROUND * 2)) == []


def test_looks_whose_answers_change_are_waiting(read: Read) -> None:
    turns = "".join(f"look(a=1) -> {at}\nopen(a=2) -> {at}\n" for at in range(4))
    assert places(read(TOOLS + turns)) == []


def test_one_call_over_and_over_is_no_back_and_forth(read: Read) -> None:
    assert places(read(TOOLS + "look(a=1) -> []\n" * 8)) == []


def test_what_is_done_and_undone_twice_is_found_whatever_is_looked_at_in_between(read: Read) -> None:
    turn = 'change(a="x") -> "ok"\nlook(a="x") -> [1]\nundo(a="x") -> "ok"\n'
    assert places(read(TOOLS + turn * 2)) == [(6, 10)]


def test_what_is_done_to_different_things_in_turn_is_work(read: Read) -> None:
    turn = 'change(a="x") -> "ok"\nundo(b="y") -> "ok"\n'
    assert places(read(TOOLS + turn * 2)) == []


def test_what_the_user_asks_for_in_turn_is_no_oscillation(read: Read) -> None:
    turn = 'user: Do it.\nchange(a="x") -> "ok"\nuser: No, undo it.\nundo(a="x") -> "ok"\n'
    assert places(read(TOOLS + turn * 3)) == []


def test_a_matter_that_is_handed_round_in_the_same_words_is_found() -> None:
    there, back = Handoff(actor="a", to="b", text="You do it."), Handoff(actor="b", to="a", text="No, you do it.")
    assert places(Trace(id="t", events=(there, back) * 3)) == [(2, 3, 4, 5)]
    news = tuple(Handoff(actor="ab"[at % 2], to="ba"[at % 2], text=f"Step {at}.") for at in range(8))
    assert places(Trace(id="t", events=news)) == []


def test_long_rounds_are_found_too(read: Read) -> None:
    turn = "look(a=1) -> 1\nlook(a=2) -> 2\nlook(a=3) -> 3\nlook(a=4) -> 4\n"
    assert len(places(read(TOOLS + turn * 3))) == 1
