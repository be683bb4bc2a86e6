"""missing-call: what was needed and never tried."""

from collections.abc import Callable

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.hallucination.false_success import false_success
from misstep.detectors.tool_misuse.missing_call import missing_call

Read = Callable[..., Trace]

TOOLS = """
* find_card reads: Find the cards of a person.
* freeze_card writes: Freeze a card.
* close_card destroys: Close a card for good.
"""
NEEDED = Objective(calls=(ExpectedCall(tool="freeze_card", arguments={"card": "C-9"}),))


def found(trace: Trace, objective: Objective = NEEDED) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, objective, detectors=(missing_call,))]


def test_doing_nothing_is_found_at_the_last_word(read: Read) -> None:
    assert found(read(f"{TOOLS}\nuser: Freeze C-9.\nagent: Hello.\nuser: Well?\nagent: Goodbye.")) == [(3,)]


def test_stopping_after_the_look_up_is_found(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Freeze C-9.\nfind_card(owner="me") -> ["C-9"]\nagent: You have C-9.')
    assert found(trace) == [(3,)]


def test_one_needed_call_of_two_is_found(read: Read) -> None:
    both = Objective(calls=(ExpectedCall(tool="find_card"), ExpectedCall(tool="freeze_card")))
    assert found(read(f'{TOOLS}\nuser: Freeze it.\nfind_card(owner="me") -> []'), both) == [(2,)]


def test_a_call_that_was_tried_is_not_missing(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nfreeze_card(card="C-9") !! "no"\nagent: It failed.')) == []


def test_a_call_that_may_be_made_is_not_missing(read: Read) -> None:
    optional = Objective(calls=(ExpectedCall(tool="freeze_card", optional=True),))
    assert found(read(f"{TOOLS}\nuser: Hi.\nagent: Hello."), optional) == []


def test_an_agent_that_broke_down_left_nothing_out(read: Read) -> None:
    assert found(read(f"{TOOLS}\nuser: Freeze C-9.", end="agent-raised")) == []


def test_it_is_silent_beside_anything_more_specific(read: Read) -> None:
    trace = read(f"{TOOLS}\nuser: Freeze C-9.\nagent: I have frozen C-9.")
    modes = [finding.mode for finding in detect(trace, NEEDED, detectors=(missing_call, false_success))]
    assert modes == ["false-success"]
