"""wrong-argument: a known value in the wrong place."""

from collections.abc import Callable

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_misuse.wrong_argument import wrong_argument

Read = Callable[..., Trace]

TOOLS = """
* find_card reads: Find the cards of a person.
* freeze_card writes: Freeze a card.
* close_card destroys: Close a card for good.
"""
NEEDED = Objective(calls=(ExpectedCall(tool="freeze_card", arguments={"card": "C-9"}),))


def found(trace: Trace, objective: Objective = NEEDED) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, objective, detectors=(wrong_argument,))]


def test_a_value_that_is_known_and_wrong_is_found(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: I have C-8 and C-9. Freeze C-9.\nfreeze_card(card="C-8") -> "ok"')
    assert found(trace) == [(1,)]


def test_a_wrong_value_that_was_refused_is_found(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: I have C-8 and C-9. Freeze C-9.\nfreeze_card(card="C-8") !! "no"')
    assert found(trace) == [(1,)]


def test_a_value_that_is_left_out_is_found(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nfreeze_card() -> "ok"')) == [(1,)]


def test_a_value_from_nowhere_is_another_failure(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nfreeze_card(card="Q-4711") -> "ok"')) == []


def test_a_mistake_that_was_put_right_is_left_alone(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: I have C-8 and C-9. Freeze C-9.
        freeze_card(card="C-8") !! "no"
        freeze_card(card="C-9") -> "ok"
    """)
    assert found(trace) == []


def test_the_right_value_in_another_form_is_right(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nfreeze_card(card=" c-9") -> "ok"')) == []


BOTH = Objective(
    calls=(
        ExpectedCall(id="one", tool="freeze_card", arguments={"card": "C-8", "days": 3}),
        ExpectedCall(id="other", tool="freeze_card", arguments={"card": "C-9", "days": 7}),
    )
)


def test_a_call_that_was_right_and_failed_is_no_wrong_call_for_another_goal(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Freeze C-8 for 3 days and C-9 for 7.
        freeze_card(card="C-8", days=3) !! "the service is busy"
        freeze_card(card="C-8", days=3) -> "ok"
    """)
    assert found(trace, BOTH) == []


def test_a_value_that_belongs_to_another_goal_is_not_wrong(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Freeze C-8 for 3 days and C-9 for 7.
        freeze_card(card="C-8", days=3) -> "ok"
        freeze_card(card="C-9", days=3) !! "the service is busy"
    """)
    assert found(trace, BOTH) == []
    wrong = read(f"""{TOOLS}
        user: Freeze C-8 for 3 days and C-9 for 7, not for 5.
        freeze_card(card="C-8", days=3) -> "ok"
        freeze_card(card="C-9", days=5) -> "ok"
    """)
    assert found(wrong, BOTH) == [(3,)]
