"""culprit: where a failed conversation most likely went wrong."""

from collections.abc import Sequence

import pytest

from misstep.core.event import Event, Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Origin, Trace
from misstep.diagnosis.culprit import Culprit, culprit

QUESTION = "How many lamps did the harbour office order in March?"
OPENING = "The task: how many lamps did the harbour office order in March? Plan: find the orders, then count them."


def said(actor: str, text: str) -> Message:
    return Message(actor=actor, role="agent", text=text)


def failed(*turns: Event, asked: str = QUESTION) -> Trace:
    request = Message(actor="user", role="user", text=asked)
    return Trace(id="t", events=(request, *turns), origin=Origin(failed=True))


def guilty(trace: Trace, findings: Sequence[Finding] = ()) -> Culprit:
    found = culprit(trace, findings)
    assert found is not None
    return found


def test_nobody_is_guilty_where_nothing_says_that_it_failed() -> None:
    trace = Trace(id="t", events=(said("agent", "Forty lamps, on 3 March."),))
    assert culprit(trace) is None


def test_a_finding_is_reason_enough_to_look_for_one() -> None:
    trace = Trace(id="t", events=(said("agent", "Forty lamps."), said("agent", "Is there anything else?")))
    finding = Finding(mode="false-success", events=(1,), because="It was not so.", confidence=1.0)
    assert guilty(trace, (finding,)).at == 1


def test_a_conversation_that_passed_has_none_unless_something_was_found() -> None:
    trace = Trace(id="t", events=(said("agent", "Forty."),), origin=Origin(failed=False))
    assert culprit(trace) is None


def test_a_trace_without_a_turn_of_an_agent_has_none() -> None:
    assert culprit(failed()) is None


def test_passing_on_the_task_is_not_where_it_went_wrong() -> None:
    trace = failed(
        said("Clerk", OPENING),
        said("Counter", "The office ordered 41 lamps on 3 March and 12 on 19 March, so 53 in all."),
        said("Checker", "I agree, that is correct."),
    )
    found = guilty(trace)
    assert (found.at, found.actor) == (2, "Counter")
    assert "first that does anything" in found.because


def test_a_turn_that_only_plans_is_passed_over() -> None:
    trace = failed(
        said("Clerk", OPENING),
        said("Planner", "Let's start. Clerk, please look for the orders. Once we have them, we can count."),
        said("Clerk", "The orders say 41 lamps on 3 March and 12 lamps on 19 March."),
    )
    assert guilty(trace).at == 3


def test_an_opening_about_something_else_is_guilty() -> None:
    trace = failed(
        said(
            "Debugger",
            "The task: the script exits with an unknown language and prints a warning. Plan: review the "
            "code, repair the faulty import, test the corrected program with sample input and report its output.",
        ),
        said("Tester", "Here it is, with 3 lines changed:\n```python\nprint(12)\n```"),
        ToolResult(actor="terminal", call_id="", content="exitcode: 0 (execution succeeded)\nCode output: 12"),
    )
    found = guilty(trace)
    assert found.at == 1
    assert "something else than was asked" in found.because


def test_an_opening_whose_code_is_run_has_acted() -> None:
    trace = failed(
        said("Clerk", f"{OPENING}\n```python\nprint(len(orders))\n```"),
        said("Computer_terminal", "exitcode: 1 (execution failed)\nNameError: name 'orders' is not defined"),
        said("Checker", "It seems the name is missing."),
    )
    found = guilty(trace)
    assert found.at == 1
    assert "what it ran failed" in found.because


def test_where_nobody_adds_anything_what_the_first_one_brought_stands() -> None:
    trace = failed(
        said("Clerk", f"{OPENING} Result of the last round: 40."),
        said("Checker", "I agree, that is correct."),
        said("Clerk", "TERMINATE"),
    )
    assert guilty(trace).at == 1


def test_a_terminal_is_never_guilty() -> None:
    trace = failed(
        said("Clerk", OPENING),
        said("Coder", "```python\ncount()\n```"),
        said("Computer_terminal", "exitcode: 1 (execution failed)\nTraceback (most recent call last)"),
    )
    found = guilty(trace)
    assert {found.at, *(other.at for other in found.others)} == {1, 2}


def test_two_more_are_named_and_all_confidences_together_stay_within_one() -> None:
    turns = [said(f"Expert {at}", f"It is {at}17 lamps, by the note of {at} March.") for at in range(1, 7)]
    found = guilty(failed(said("Clerk", OPENING), *turns))
    assert len(found.others) == 2
    assert found.confidence >= found.others[0].confidence >= found.others[1].confidence
    assert found.confidence + sum(other.confidence for other in found.others) <= 1


def test_an_assumption_outweighs_another_late_turn() -> None:
    trace = failed(
        said("Clerk", OPENING),
        said("Coder", "```python\nread()\n```"),
        said("Checker", "The note of 4 March has 20 lamps and that of 9 March has 7."),
        said("Coder", "Let's assume that there were 33 lamps in the note of 11 March."),
    )
    assert [other.at for other in guilty(trace).others] == [4, 3]


def test_thoughts_and_orders_to_others_do_nothing_yet() -> None:
    trace = failed(
        Thought(actor="Lead", text="Perhaps 53 lamps on 3 March, or 12 on 19 March?"),
        Handoff(actor="Lead", to="Surfer", text="Look for orders of 2024-03-03 and 2024-03-19."),
        said("Surfer", "The page says 41 lamps on 3 March 2023, order 8817."),
    )
    assert guilty(trace).actor == "Surfer"


@pytest.mark.parametrize("is_error", [True, False])
def test_a_look_up_counts_only_when_it_failed(is_error: bool) -> None:
    trace = failed(
        said("agent", "One moment."),
        ToolCall(actor="agent", call_id="c1", tool="get_orders", arguments={"month": "March"}),
        ToolResult(actor="get_orders", call_id="c1", content="boom" if is_error else "[8817]", is_error=is_error),
        ToolCall(actor="agent", call_id="c2", tool="delete_order", arguments={"order": 8817}),
        ToolResult(actor="delete_order", call_id="c2", content="deleted"),
    )
    assert guilty(trace).at == (2 if is_error else 4)


def test_what_a_tool_showed_is_no_statement_of_the_agents_own() -> None:
    shown = failed(
        said("agent", "One moment."),
        ToolCall(actor="agent", call_id="c1", tool="get_orders"),
        ToolResult(actor="get_orders", call_id="c1", content="41 lamps on 2024-03-03, 12 on 2024-03-19"),
        said("agent", "It was 41 on 2024-03-03 and 12 on 2024-03-19."),
        said("agent", "There were 77 lamps in stock on 2024-04-02."),
    )
    assert guilty(shown).at == 5


def test_of_unknown_outcome_only_a_turn_in_which_something_was_found_is_guilty() -> None:
    turns = (said("agent", "It was 41 lamps on 3 March."), said("agent", "One moment."), said("agent", "As I said."))
    finding = Finding(mode="no-progress", events=(2,), because="Nothing came of it.", confidence=0.3)
    assert guilty(Trace(id="t", events=turns), (finding,)).at == 2


def test_what_is_found_in_an_answer_is_laid_to_the_call_before_it() -> None:
    events = (
        said("agent", "One moment."),
        ToolCall(actor="agent", call_id="c1", tool="get_orders"),
        ToolResult(actor="get_orders", call_id="c1", content="Error: no"),
        said("agent", "Here you are."),
    )
    finding = Finding(mode="ignored-tool-error", events=(2,), because="It was an error.", confidence=0.8)
    assert guilty(Trace(id="t", events=events), (finding,)).at == 1
