"""Agents that act by writing code: plans left for memory, requests that are only printed, letters for lines."""

import pytest

from misstep.core.event import Event, Handoff, Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.evidence.spelling import spells_out
from misstep.detectors.evidence.unresearched import grounds
from misstep.detectors.form.malformed_output import malformed_output
from misstep.detectors.hallucination.fabricated_result import fabricated_result
from misstep.detectors.hallucination.false_success import false_success
from misstep.detectors.several_agents.handoff_not_made import handoff_not_made

_PLAN = "1. Use web_lookup to find the harbour's register.\n2. Read the tonnage of the ship.\n3. Give the tonnage."


def _said(text: str) -> Message:
    return Message(actor="coder", role="agent", text=text)


def _printed(text: str) -> ToolResult:
    return ToolResult(actor="environment", call_id="", content=text)


def _found(*events: Event) -> tuple[Finding, ...]:
    asked = Message(actor="user", role="user", text="What is the tonnage of the Marguerite?")
    trace = Trace(id="x", events=(asked, *events), tools=(Tool("web_lookup", effect="reads"),))
    return detect(trace, detectors=[false_success, fabricated_result, handoff_not_made, malformed_output])


def _answered(thought: str) -> list[Event]:
    return [
        _said(_PLAN),
        _said(f"Thought: {thought}\nCode:\n```py\nfinal_answer(412)\n```"),
        ToolCall(actor="coder", call_id="c", tool="final_answer", arguments={"answer": 412}),
    ]


@pytest.mark.parametrize(
    "thought",
    [
        "Based on our careful search of the register, the ship has 412 tons.",
        "I have verified in two sources that the tonnage is 412.",
        "After consulting the harbour's records, the figure is 412.",
        "As reported by our web_lookup, the tonnage is 412.",
    ],
)
def test_an_answer_that_claims_research_nobody_did_is_a_false_success(thought: str) -> None:
    assert [(each.mode, each.events) for each in _found(*_answered(thought))] == [("false-success", (2, 1))]


@pytest.mark.parametrize(
    "thought",
    [
        "I recall that ships of this kind have 412 tons.",
        "It is well known that the Marguerite has 412 tons.",
        "Assuming a typical coaster, the tonnage is 412.",
    ],
)
def test_an_answer_from_memory_in_place_of_the_planned_look_up_is_a_made_up_result(thought: str) -> None:
    assert [(each.mode, each.events) for each in _found(*_answered(thought))] == [("fabricated-result", (2, 1))]


@pytest.mark.parametrize(
    "thought",
    [
        "I will search the register first and have verified nothing yet.",
        "I was unable to look into the register, so this is only my understanding.",
        "The user gave the length and the breadth; their product is 412.",
    ],
)
def test_who_announces_owns_up_or_reckons_pretends_nothing(thought: str) -> None:
    assert grounds(thought) is None


def test_research_that_was_done_may_be_claimed() -> None:
    looked = (
        ToolCall(actor="coder", call_id="l", tool="web_lookup", arguments={"query": "Marguerite tonnage"}),
        ToolResult(actor="web_lookup", call_id="l", content="Marguerite, 412 tons"),
    )
    plan, *answer = _answered("Based on our careful search of the register, the ship has 412 tons.")
    assert _found(plan, *looked, *answer) == ()


_ASKS = (
    "Thought: I will ask our harbour_agent team member for the register.\nCode:\n```py\ntask = (\n"
    '    "Hello harbour_agent, please find the tonnage of the "\n    "Marguerite in the register."\n)\nprint(task)\n```'
)
_ECHO = "Execution logs:\nHello harbour_agent, please find the tonnage of the Marguerite in the register.\nNone"


def test_a_request_to_a_helper_that_is_only_printed_is_a_handoff_not_made() -> None:
    found = _found(_said(_ASKS), _printed(_ECHO), _said("I go on."))
    assert [(each.mode, each.events) for each in found] == [("handoff-not-made", (1, 2))]


def test_a_request_that_is_printed_and_passed_on_was_made() -> None:
    handed = Handoff(actor="coder", to="harbour_agent", text="Please find the tonnage of the Marguerite.")
    assert _found(_said(_ASKS), handed, _printed(_ECHO), _said("I go on.")) == ()


def test_what_a_helper_answers_is_no_echo() -> None:
    assert (
        _found(_said(_ASKS), _printed("The register says: Marguerite, 412 tons, built in Vannes."), _said("So.")) == ()
    )


def test_a_function_that_is_only_spoken_of_is_nobody_to_turn_to() -> None:
    text = "I see that this is called by check_has_init.\n```py\nprint('the function check_has_init is here')\n```"
    assert _found(_said(text), _printed("the function check_has_init is here"), _said("Now I know.")) == ()


def test_a_text_printed_letter_by_letter_is_found_where_it_must_be_read() -> None:
    found = _found(
        _said("```py\nfor entry in tree[:9]: print(entry)\n```"), _printed("D\ni\nr\ne\nc\nt\no\nr\ny\n"), _said("Odd.")
    )
    assert [(each.mode, each.events) for each in found] == [("malformed-output", (3, 1))]


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("entries: ['D', 'i', 'r', 'e', 'c', 't', 'o', 'r', 'y']", True),
        ("0: D\n1: i\n2: r\n3: e\n4: c\n5: t\n6: o\n", True),
        ("1\n2\n3\n4\n5\n6\n7\n8\n", False),
        ("a\nb\nc\nthe rest\n", False),
        ("['A', 'B', 'C']", False),
    ],
)
def test_only_letters_in_a_row_spell_a_text_out(text: str, spelt: bool) -> None:
    assert spells_out(text) is spelt
