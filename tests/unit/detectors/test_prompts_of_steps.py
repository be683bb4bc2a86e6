"""Demands in the prompts of single steps, limits on reading, code that nobody can parse, plans by another name."""

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.evidence.hearing import prompted
from misstep.detectors.evidence.helpings import helping
from misstep.detectors.evidence.plans import plan_in
from misstep.detectors.form.instruction_not_followed import instruction_not_followed
from misstep.detectors.form.malformed_output import malformed_output
from misstep.detectors.tool_misuse.malformed_argument import malformed_argument


def _system(text: str, source: str) -> Message:
    return Message(actor="system", role="system", text=text, source=source)


def _said(text: str, source: str, actor: str = "worker") -> Message:
    return Message(actor=actor, role="agent", text=text, source=source)


def _found(*events: Event) -> tuple[Finding, ...]:
    return detect(Trace(id="x", events=events), detectors=[instruction_not_followed, malformed_output])


_END = "After the last step of your plan, write the '<over>' tag and stop there."


def test_a_closing_tag_that_one_answer_has_and_another_lacks_is_found_where_it_is_wanting() -> None:
    (found,) = _found(
        _system(_END, "a"), _said("1. Look. <over>", "a"), _system(_END, "b"), _said("1. Look again. 2. Tell.", "b")
    )
    assert (found.mode, found.events) == ("instruction-not-followed", (3, 2))


def test_a_closing_tag_that_no_answer_has_was_cut_off_by_whoever_stops_there() -> None:
    assert _found(_system(_END, "a"), _said("1. Look. 2. Tell.", "a"), _said("Seven.", "b", "editor")) == ()


def test_a_tag_that_one_agent_was_asked_for_is_not_asked_of_another() -> None:
    assert _found(_system(_END, "a"), _said("1. Look. <over>", "a"), _said("Seven.", "b", "editor")) == ()


def test_a_closing_tag_for_every_answer_that_no_answer_has_was_cut_off_by_whoever_stops_there() -> None:
    every = "The code sequence must end with '<over>' sequence."
    assert _found(_system(every, "a"), _said("print(1)", "a"), _said("print(2)", "b")) == ()


def test_prompts_without_a_source_belong_to_nobody_in_particular() -> None:
    trace = Trace(
        id="x",
        events=(
            Message(actor="system", role="system", text=_END),
            Message(actor="worker", role="agent", text="1. Look."),
        ),
    )
    assert prompted(trace) == ()


def _reading(size: int) -> tuple[Finding, ...]:
    return _found(
        Message(actor="user", role="user", text="Read the log, but analyse it 300 characters at a time."),
        _said("```\nprint(log)\n```", "a"),
        ToolResult(actor="environment", call_id="", content="x" * size, source="b"),
        _said("Now I see it all.", "c"),
    )


def test_going_on_from_far_more_at_once_than_was_allowed_is_found_where_it_is_read() -> None:
    (found,) = _reading(5000)
    assert (found.mode, found.events[0]) == ("instruction-not-followed", 3)


def test_a_few_helpings_in_one_answer_are_let_pass() -> None:
    assert _reading(1100) == ()


def test_a_length_that_is_not_about_reading_is_no_helping() -> None:
    assert helping("The title has 300 characters at a time when most have 80.") is None
    chunked = helping("Load the file in chunks of 50 lines.")
    assert chunked is not None
    assert (chunked.number, chunked.unit) == (50, "lines")


def test_code_that_could_not_be_parsed_is_found_where_it_must_be_written_again() -> None:
    (found,) = _found(
        _said("```\nprint(1\n```", "a"),
        ToolResult(
            actor="environment",
            call_id="",
            content="Code parsing failed on line 1 due to: SyntaxError: '(' was never closed",
            is_error=True,
            source="b",
        ),
        _said("```\nprint(1)\n```", "c"),
    )
    assert (found.mode, found.events) == ("malformed-output", (2, 0))


def test_each_call_with_arguments_that_its_tool_does_not_know_is_a_finding() -> None:
    calls: list[Event] = []
    for number in range(3):
        calls += [
            ToolCall(actor="worker", call_id=f"c{number}", tool="turn", arguments={"": ""}),
            ToolResult(
                actor="turn",
                call_id=f"c{number}",
                content="TypeError: turn() got an unexpected keyword argument ''",
                is_error=True,
            ),
        ]
    trace = Trace(id="x", events=tuple(calls), tools=(Tool("turn", input_schema={"type": "object", "properties": {}}),))
    assert [each.events for each in detect(trace, detectors=[malformed_argument])] == [(0,), (2,), (4,)]


def test_a_plan_need_not_be_called_one() -> None:
    plan = plan_in("1. Search the archive for the letter.\n2. Read its date.\n3. Give the date.")
    assert plan is not None
    assert plan.fetching == 2


def test_a_list_within_much_other_text_is_no_plan() -> None:
    assert (
        plan_in("These are they.\nThe first.\nMore of it.\nAnd more.\nSo it is.\n1. Oak\n2. Elm\n3. Ash\nThe end.")
        is None
    )
