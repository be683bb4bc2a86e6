"""false-success: what was claimed and not done."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.hallucination.false_success import false_success

Read = Callable[..., Trace]

TOOLS = """
* search_events reads: Search for events in the calendar.
* create_event writes: Create an event in the calendar.
* remove_event destroys: Remove an event from the calendar.
"""


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, detectors=(false_success,))]


def test_a_claim_with_no_call_at_all_is_false(read: Read) -> None:
    assert found(read(f"{TOOLS}\nuser: Remove event E-1.\nagent: I have removed event E-1.")) == [(1,)]


def test_a_claim_after_an_error_points_at_both(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Remove event E-1.
        remove_event(event="E-1") !! "locked"
        agent: Event E-1 has been removed.
    """)
    assert found(trace) == [(3, 2)]


def test_an_empty_success_bears_nothing_out(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Create an event on Friday.
        create_event(day="2025-05-09") -> {{}}
        agent: Done!
    """)
    assert found(trace) == [(3, 2)]


def test_a_claim_in_unknown_words_is_linked_by_its_stems(read: Read) -> None:
    trace = read("* blorf_zindle writes: Blorf a zindle.\nuser: Blorf w7.\nagent: Your zindle w7 is now blorfed.")
    assert found(trace) == [(1,)]


def test_a_true_claim_is_left_alone(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Remove event E-1.
        remove_event(event="E-1") -> {{"removed": "E-1"}}
        agent: All done! Event E-1 has been removed from your calendar.
    """)
    assert found(trace) == []


def test_plans_conditions_denials_and_questions_claim_nothing(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Remove event E-1.
        agent: I will remove it. Once it has been removed, it is gone. It has not been removed yet. Has it been moved?
    """)
    assert found(trace) == []


def test_what_a_look_up_showed_may_be_told(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: What about E-1?
        search_events(event="E-1") -> [{{"event": "E-1", "status": "removed"}}]
        agent: Event E-1 was removed.
    """)
    assert found(trace) == []


def test_an_error_may_be_quoted(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Remove event E-1.
        remove_event(event="E-1") !! "Event E-1 has been removed already."
        agent: That did not work: Event E-1 has been removed already.
    """)
    assert found(trace) == []


def test_an_unknown_outcome_that_was_looked_up_is_known(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Create an event called Picnic.
        create_event(title="Picnic") !! "timeout"
        search_events(title="Picnic") -> [{{"event": "E-9", "title": "Picnic"}}]
        agent: I have created the event Picnic.
    """)
    assert found(trace) == []


def test_a_look_that_shows_another_answer_than_before_bears_out_what_had_timed_out(read: Read) -> None:
    talk = (
        "* find_loans reads: Find the loans of a member.\n* renew_loan writes: Renew a loan.\n"
        'user: Renew my loan, I am M-7.\nfind_loans(member="M-7") -> [{"loan": "L-1", "due": "2026-03-01"}]\n'
        'renew_loan(loan="L-1") !! "No answer came within 30 seconds."\n'
        'find_loans(member="M-7") -> [{"loan": "L-1", "due": "DUE"}]\nagent: L-1 is renewed.'
    )
    assert detect(read(talk.replace("DUE", "2026-03-15")), detectors=[false_success]) == ()
    assert detect(read(talk.replace("DUE", "2026-03-01")), detectors=[false_success]) != ()


def test_what_was_done_before_may_be_told_after_an_error_or_a_look(read: Read) -> None:
    after_an_error = read(f"""{TOOLS}
        user: Remove event E-1.
        remove_event(event="E-1") !! "there is no event in it any more"
        agent: Event E-1 has already been removed, so there is nothing left to do.
    """)
    after_a_look = read(f"""{TOOLS}
        user: Remove event E-1.
        search_events(event="E-1") -> {{"event": "E-1", "day": null}}
        agent: Event E-1 was already removed.
    """)
    after_nothing = read(f"{TOOLS}\nuser: Remove event E-1.\nagent: Event E-1 has already been removed.")
    by_itself = read(f"""{TOOLS}
        user: Remove event E-1.
        remove_event(event="E-1") !! "locked"
        agent: I have already removed event E-1.
    """)
    assert found(after_an_error) == []
    assert found(after_a_look) == []
    assert found(after_nothing)
    assert found(by_itself)
