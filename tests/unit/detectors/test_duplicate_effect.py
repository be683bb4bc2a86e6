"""Effects that happened twice, and repeats that did no harm or were wanted."""

from collections.abc import Callable

import pytest

from misstep.core.state import Change
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_misuse.duplicate_effect import duplicate_effect

Read = Callable[..., Trace]
TOOLS = (
    "* look reads: Look.\n* put writes: Put a note.\n* tell reaches-outside: Tell somebody.\n* burn destroys: Burn.\n"
)


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[duplicate_effect])]


@pytest.mark.parametrize("tool", ["tell", "burn"])
def test_what_reaches_outside_or_destroys_and_succeeds_twice_is_doubled(read: Read, tool: str) -> None:
    assert places(read(TOOLS + f'user: Go.\n{tool}(a="x") -> {{}}\n{tool}(a="X ") -> {{}}')) == [(3, 1)]


@pytest.mark.parametrize("first", ['!! "timed out"', '!! "connection lost"', '!! "HTTP 502 bad gateway"', ""])
def test_a_repeat_after_an_unknown_outcome_without_a_look_is_doubled(read: Read, first: str) -> None:
    assert places(read(TOOLS + f'user: Go.\ntell(a="x") {first}\ntell(a="x") -> {{}}')) != []


@pytest.mark.parametrize(
    "first", ['!! "not found"', '!! "a is required"', '!! "permission denied"', '!! "rate limit hit"']
)
def test_a_repeat_after_a_definite_refusal_is_no_duplicate(read: Read, first: str) -> None:
    assert places(read(TOOLS + f'user: Go.\ntell(a="x") {first}\ntell(a="x") -> {{}}')) == []


def test_a_look_in_between_makes_a_repeat_a_sound_one(read: Read) -> None:
    assert places(read(TOOLS + 'user: Go.\ntell(a="x") !! "timeout"\nlook(b=1) -> []\ntell(a="x") -> {}')) == []


def test_two_answers_with_ids_of_their_own_show_two_creations(read: Read) -> None:
    assert len(places(read(TOOLS + 'user: Go.\nput(a="x") -> {"id": "N-1"}\nput(a="x") -> {"id": "N-2"}'))) == 1


def test_answers_that_differ_in_their_time_alone_do_not(read: Read) -> None:
    answers = '{"id": "N-1", "at": "2025-01-01T10:00"}', '{"id": "N-1", "at": "2025-01-01T10:05"}'
    assert places(read(TOOLS + f'user: Go.\nput(a="x") -> {answers[0]}\nput(a="x") -> {answers[1]}')) == []


def test_setting_a_value_again_is_no_duplicate(read: Read) -> None:
    assert places(read(TOOLS + 'user: Go.\nput(a="x") -> {"ok": true}\nput(a="x") -> {"ok": true}')) == []


def test_two_equal_new_records_in_the_state_are_a_duplicate(read: Read) -> None:
    changes = tuple(Change("notes", f"N-{n}", None, {"id": f"N-{n}", "text": "x"}) for n in (1, 2))
    text = TOOLS + 'user: Go.\nput(a="x") !! "timeout"\nput(a="x") -> {"ok": true}'
    assert len(places(read(text, changes=changes))) == 1
    assert places(read(text, changes=changes[:1])) == []


@pytest.mark.parametrize("wish", ["Tell them twice.", "Tell them, and then once more.", "I want two tellings."])
def test_what_the_user_wanted_more_than_once_is_no_duplicate(read: Read, wish: str) -> None:
    assert places(read(TOOLS + f'user: {wish}\ntell(a="x") -> {{}}\ntell(a="x") -> {{}}')) == []


def test_one_more_after_something_else_is_still_wanted_once(read: Read) -> None:
    text = (
        'user: Go.\ntell(a="x") -> {}\nuser: And one more: tell them y.\ntell(a="y") !! "timed out"\ntell(a="y") -> {}'
    )
    assert places(read(TOOLS + text)) == [(6, 4)]


def test_a_write_that_is_repeated_blindly_is_doubled_unless_it_only_sets(read: Read) -> None:
    tools = "* renew writes: Renew a loan.\n* set_due writes: Set the due date.\n"
    assert places(read(tools + 'user: Go.\nrenew(a="L1") !! "timed out"\nrenew(a="L1") -> {"a": "L1"}')) == [(3, 1)]
    assert places(read(tools + 'user: Go.\nset_due(a="L1") !! "timed out"\nset_due(a="L1") -> {"a": "L1"}')) == []


def test_reads_and_tools_that_nobody_described_are_left_alone(read: Read) -> None:
    assert places(read(TOOLS + 'user: Go.\nlook(a="x") -> {}\nlook(a="x") -> {}')) == []
    assert places(read('user: Go.\nfrob(a="x") -> {}\nfrob(a="x") -> {}')) == []
