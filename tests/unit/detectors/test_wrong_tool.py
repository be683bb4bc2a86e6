"""wrong-tool: another act on the same target."""

from collections.abc import Callable

from misstep.core.objective import ExpectedCall, Forbidden, Objective
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_misuse.wrong_tool import forbidden_call, wrong_tool

Read = Callable[..., Trace]

TOOLS = """
* find_card reads: Find the cards of a person.
* freeze_card writes: Freeze a card.
* close_card destroys: Close a card for good.
"""
NEEDED = Objective(calls=(ExpectedCall(tool="freeze_card", arguments={"card": "C-9"}),))


def found(trace: Trace, objective: Objective = NEEDED) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, objective, detectors=(wrong_tool,))]


def test_another_act_on_the_target_is_found(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nclose_card(card="C-9") -> "ok"')) == [(1,)]


def test_it_is_found_after_look_ups(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Freeze C-9.
        find_card(owner="me") -> ["C-9"]
        close_card(number="C-9") -> "ok"
    """)
    assert found(trace) == [(3,)]


def test_a_needed_call_without_a_target_can_be_replaced_by_any(read: Read) -> None:
    anything = Objective(calls=(ExpectedCall(tool="freeze_card"),))
    assert found(read(f'{TOOLS}\nuser: Freeze it.\nclose_card(card="C-1") -> "ok"'), anything) == [(1,)]


def test_another_act_on_another_target_is_not_in_its_place(read: Read) -> None:
    assert found(read(f'{TOOLS}\nuser: Freeze C-9.\nclose_card(card="C-1") -> "ok"')) == []


def test_another_act_beside_the_needed_one_is_left_alone(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Freeze and close C-9.
        freeze_card(card="C-9") -> "ok"
        close_card(card="C-9") -> "ok"
    """)
    assert found(trace) == []


def test_a_needed_call_that_was_tried_was_not_replaced(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Freeze C-9.
        freeze_card(card="C-9") !! "no"
        close_card(card="C-9") -> "ok"
    """)
    assert found(trace) == []


UNTOUCHED = Objective(forbidden=(Forbidden(tool="close_card"),))


def test_an_act_that_the_task_rules_out_is_found_where_nothing_else_explains_it(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Close C-9.\nclose_card(card="C-9") -> "ok"')
    assert [finding.events for finding in detect(trace, UNTOUCHED, detectors=(forbidden_call,))] == [(1,)]


def test_an_act_that_was_ruled_out_and_refused_is_left_alone(read: Read) -> None:
    trace = read(f'{TOOLS}\nuser: Close C-9.\nclose_card(card="C-9") !! "no"')
    assert detect(trace, UNTOUCHED, detectors=(forbidden_call,)) == ()


def test_a_look_up_is_no_act_where_nobody_described_the_tools(read: Read) -> None:
    trace = read('user: Freeze C-9.\nget_card_details(card="C-9") -> {"card": "C-9"}')
    assert found(trace) == []
