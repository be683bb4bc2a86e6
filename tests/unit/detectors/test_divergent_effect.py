"""divergent-effect: the one trial that did something else than all the others."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.gists import gist_of
from misstep.detectors.tool_misuse.divergent_effect import divergent_effect

Read = Callable[..., Trace]

TOOLS = """
* find_seat reads: Find seats.
* take_seat writes: Take a seat.
* send_gift reaches-outside: Send a gift.
"""
TAKE_A = 'take_seat(seat="A", row=4) -> "ok"'
TAKE_B = 'take_seat(seat="B", row=4) -> "ok"'
GIFT = 'send_gift(to="g-1") -> "ok"'


def trial(read: Read, *calls: str) -> Trace:
    return read("\n".join((TOOLS, "user: Do it.", *calls, "agent: It is done.")))


def found(mine: Trace, *others: Trace) -> list[tuple[tuple[int, ...], str]]:
    findings = detect(mine, trials=[gist_of(other) for other in others], detectors=(divergent_effect,))
    return [(finding.events, finding.because) for finding in findings]


def test_one_that_did_it_with_other_values_than_all_others_stands_out(read: Read) -> None:
    [(events, because)] = found(trial(read, TAKE_B), *(trial(read, TAKE_A) for _ in range(3)))
    assert events == (1,)
    assert because == "take_seat was done otherwise than in all 3 other trials in seat."


def test_one_that_left_out_what_all_others_did_stands_out_at_its_last_word(read: Read) -> None:
    [(events, because)] = found(trial(read), *(trial(read, TAKE_A) for _ in range(3)))
    assert events == (1,)
    assert "this one did not" in because


def test_one_that_did_what_nobody_else_did_stands_out(read: Read) -> None:
    [(events, because)] = found(trial(read, TAKE_A, GIFT), *(trial(read, TAKE_A) for _ in range(3)))
    assert events == (3,)
    assert "none of the 3 other trials" in because


def test_two_others_are_too_few(read: Read) -> None:
    assert found(trial(read, TAKE_B), trial(read, TAKE_A), trial(read, TAKE_A)) == []


def test_nobody_stands_out_where_the_others_do_not_agree(read: Read) -> None:
    assert found(trial(read, GIFT), trial(read, TAKE_A), trial(read, TAKE_A), trial(read, TAKE_B)) == []


def test_looking_things_up_in_another_way_is_no_difference(read: Read) -> None:
    looked = trial(read, 'find_seat(row=9) -> "none"', TAKE_A)
    assert found(looked, *(trial(read, TAKE_A) for _ in range(3))) == []


def test_a_deed_that_failed_was_not_done(read: Read) -> None:
    refused = trial(read, 'take_seat(seat="B", row=4) !! "taken"', TAKE_A)
    assert found(refused, *(trial(read, TAKE_A) for _ in range(3))) == []
