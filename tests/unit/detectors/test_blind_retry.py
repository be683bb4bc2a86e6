"""Repeats that could not help or could do harm."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_failure.blind_retry import blind_retry

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* pay reaches-outside: Pay somebody.\n* set_name writes: Set a name.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[blind_retry])]


def test_a_refusal_with_a_reason_is_not_tried_again(read: Read) -> None:
    assert places(read(TOOLS + 'look(a=1) !! "there is no thing 1"\n' * 2)) == [(2, 1)]


def test_an_error_without_a_reason_or_one_that_passes_may_be(read: Read) -> None:
    for said in ("something went wrong", "error", "the server is busy", "timeout", "internal error"):
        assert places(read(TOOLS + f'look(a=1) !! "{said}"\n' * 2)) == [], said


def test_a_retry_that_works_was_worth_it(read: Read) -> None:
    assert places(read(TOOLS + 'look(a=1) !! "there is no thing 1"\nlook(a=1) -> 1')) == []


def test_what_may_have_happened_is_looked_for_first(read: Read) -> None:
    blind = 'pay(to="x") !! "timeout"\npay(to="x") !! "refused, twice is too much"'
    assert places(read(TOOLS + blind)) == [(2, 1)]
    looked = 'pay(to="x") !! "timeout"\nlook(a="x") -> []\npay(to="x") !! "refused, twice is too much"'
    assert places(read(TOOLS + looked)) == []


def test_a_doubled_effect_and_a_longer_loop_are_modes_of_their_own(read: Read) -> None:
    assert places(read(TOOLS + 'pay(to="x") !! "timeout"\npay(to="x") -> {"id": "P-1"}')) == []
    assert places(read(TOOLS + 'look(a=1) !! "there is no thing 1"\n' * 3)) == []


def test_what_ends_in_the_same_state_can_be_done_twice(read: Read) -> None:
    assert places(read(TOOLS + 'set_name(to="x") !! "timeout"\nset_name(to="x") -> "ok"')) == []


def test_a_word_from_the_user_in_between_is_a_reason(read: Read) -> None:
    refused = 'look(a=1) !! "there is no thing 1"\n'
    assert places(read(f"{TOOLS}{refused}user: Try again.\n{refused}")) == []
