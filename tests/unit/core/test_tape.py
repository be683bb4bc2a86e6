"""The tape only grows, stamps what is written with simulated time, and is read through views."""

import pytest

from misstep.core.event import Event, Message, Thought, ToolCall
from misstep.core.tape import Clock, Tape


def said(text: str, *, role: str = "user", at_s: float = 0.0) -> Event:
    return Message(actor=role, role="user" if role == "user" else "agent", text=text, at_s=at_s)


def test_an_event_is_stamped_with_the_clocks_time_whatever_it_claims() -> None:
    clock = Clock()
    tape = Tape(clock)
    clock.advance(2.5)
    tape.append(said("hello", at_s=99.0))
    assert tape.view[0].at_s == 2.5


def test_the_clock_never_goes_back() -> None:
    clock = Clock()
    clock.advance(3)
    clock.advance(-1)
    assert clock.now_s == 3


def test_append_returns_the_place_of_the_event() -> None:
    tape = Tape()
    assert [tape.append(said(text)) for text in "abc"] == [0, 1, 2]


def test_a_view_grows_with_the_tape() -> None:
    tape = Tape()
    view = tape.view
    tape.append(said("a"))
    assert len(view) == 1
    assert view[-1] is tape.view[0]
    assert list(view) == [view[0]]


def test_changing_a_slice_of_a_view_leaves_the_tape_alone() -> None:
    tape = Tape()
    tape.append(said("a"))
    part = tape.view[:]
    assert isinstance(part, list)
    part.clear()
    assert len(tape.view) == 1


def test_a_view_offers_no_way_to_change_it() -> None:
    tape = Tape()
    tape.append(said("a"))
    with pytest.raises(TypeError):
        tape.view[0] = said("b")  # type: ignore[index]
    with pytest.raises(TypeError):
        del tape.view[0]  # type: ignore[attr-defined]
    assert not {"append", "pop", "clear", "insert", "extend", "remove"} & set(dir(tape.view))


def test_a_frozen_tape_does_not_grow() -> None:
    tape = Tape()
    tape.append(said("a"))
    frozen = tape.frozen()
    tape.append(said("b"))
    assert len(frozen) == 1


def test_usage_counts_what_users_said_what_was_called_and_simulated_seconds() -> None:
    tape = Tape()
    tape.append(said("a"))
    tape.append(Thought(actor="agent", text="hm"))
    tape.append(ToolCall(actor="agent", call_id="c1", tool="look"))
    tape.append(said("b", role="agent"))
    tape.clock.advance(0.1)
    tape.clock.advance(0.2)
    assert (tape.usage.turns, tape.usage.calls, tape.usage.seconds) == (1, 1, 0.3)
