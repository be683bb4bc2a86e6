"""suspicion: how likely a session failed, with no answer key."""

from collections.abc import Callable

from misstep.core.event import Message
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors.gists import gist_of
from misstep.detectors.suspicion import suspicion

Read = Callable[..., Trace]

TOOLS = """
* find_seat reads: Find seats.
* take_seat writes: Take a seat.
"""


def taking(read: Read, seat: str, *, note: str = "") -> Trace:
    return read(f'{TOOLS}\nuser: A seat, please.\ntake_seat(seat="{seat}", row=4, note="{note}") -> "ok"\nagent: Done.')


def test_nothing_at_all_is_hardly_suspicious() -> None:
    assert 0 <= suspicion(Trace(id="t"), ()) < 0.3


def test_a_session_that_changed_something_is_more_suspicious_than_one_that_looked(read: Read) -> None:
    looked = read(f'{TOOLS}\nuser: A seat, please.\nfind_seat(seat="A", row=4, note="") -> "ok"\nagent: Done.')
    assert suspicion(taking(read, "A"), ()) > suspicion(looked, ())


def test_a_long_session_is_more_suspicious_than_a_short_one() -> None:
    turn = Message(actor="user", role="user", text="And?")
    assert suspicion(Trace(id="t", events=(turn,) * 80), ()) > suspicion(Trace(id="t", events=(turn,) * 8), ())


def test_a_finding_makes_a_session_more_suspicious(read: Read) -> None:
    finding = Finding(mode="false-success", events=(0,), because="It was not so.")
    assert suspicion(taking(read, "A"), (finding,)) > suspicion(taking(read, "A"), ())


def test_a_trial_that_did_what_the_others_did_is_less_suspicious_than_one_that_did_not(read: Read) -> None:
    others = [gist_of(taking(read, "A")) for _ in range(3)]
    assert suspicion(taking(read, "A"), (), trials=others) < suspicion(taking(read, "B"), (), trials=others)


def test_the_wording_of_a_note_makes_no_difference_between_trials(read: Read) -> None:
    others = [gist_of(taking(read, "A", note="The guest would like to sit by the window today"))]
    mine = taking(read, "A", note="Somebody asked for a place with a good view over the lake")
    assert suspicion(mine, (), trials=others) == suspicion(mine, (), trials=[gist_of(mine)])


def test_passing_the_work_on_is_no_deed_of_its_own(read: Read) -> None:
    passed_on = read('user: A seat.\ntransfer_to_human(summary="too hard") -> "ok"')
    changed = read('user: A seat.\nupdate_seat(summary="too hard") -> "ok"')
    assert suspicion(passed_on, ()) < suspicion(changed, ())
