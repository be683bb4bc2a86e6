"""Errors that were passed over, and errors that were dealt with."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_failure.ignored_tool_error import ignored_tool_error

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* other reads: Look elsewhere.\n* act writes: Act.\n* tell reaches-outside: Tell.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[ignored_tool_error])]


def test_a_claim_of_success_after_an_error_points_at_the_claim_and_the_error(read: Read) -> None:
    assert places(read(TOOLS + 'user: Act on X.\nact(a="X") !! "no"\nagent: X is done.')) == [(3, 2)]


def test_an_effect_after_an_error_is_where_the_agent_went_on(read: Read) -> None:
    trace = read(TOOLS + 'user: Act.\nact(a="X") !! "no"\ntell(b="Y") -> {}\nagent: All done.')
    assert places(trace) == [(3, 2)]


@pytest.mark.parametrize(
    "payload",
    [
        '{"ok": false}', '{"success": false, "id": 3}', '{"error": "locked"}', '{"errors": ["locked"]}',
        '{"status": 404}', '{"statusCode": 500, "body": ""}', '{"status": "failed"}', '"Error: locked"',
        '"TimeoutError: no answer"', '"HTTP 503"',
    ],
)  # fmt: skip
def test_an_error_in_a_payload_that_calls_itself_a_success_counts(read: Read, payload: str) -> None:
    assert len(places(read(TOOLS + f'user: Act on X.\nact(a="X") -> {payload}\nagent: X is done.'))) == 1


@pytest.mark.parametrize(
    "payload", ['{"error": null}', '{"ok": true}', '{"status": 200}', '"errand run"', "[]", "null"]
)
def test_a_success_is_no_error(read: Read, payload: str) -> None:
    assert places(read(TOOLS + f'user: Act on X.\nact(a="X") -> {payload}\nagent: X is done.')) == []


def test_the_status_of_a_record_that_was_read_is_data(read: Read) -> None:
    assert places(read(TOOLS + 'user: X?\nlook(a="X") -> {"id": "X", "status": "failed"}\nagent: X is blue.')) == []


@pytest.mark.parametrize(
    "reply",
    [
        "I could not act on X.",
        "Sorry, that did not work.",
        "Unfortunately X is out of reach.",
        "There was a problem with X.",
        "It was declined.",
        "The system has a technical issue.",
        "No such thing exists.",
        "Which X do you mean?",
        "Could you give me the number of X?",
        "X stands behind a paywall of grumbles.",
        "Let me try again later.",
        "X isn’t possible right now.",
    ],
)
def test_an_agent_that_lets_on_or_asks_did_not_ignore_it(read: Read, reply: str) -> None:
    assert places(read(TOOLS + f'user: Act on X.\nact(a="X") !! "paywall of grumbles"\nagent: {reply}')) == []


@pytest.mark.parametrize(
    "reply",
    [
        "X is done.",
        "That went through without any problem!",
        "No problem, X is all set. Is there anything else?",
        "I've issued the refund for X.",
        "X has been sent. Would you like a receipt?",
        "Happy to help. If you have any issues, let me know.",
        "You won't have to do anything else.",
        "Thank you and goodbye.",
    ],
)
def test_cheerful_words_are_no_report_of_trouble(read: Read, reply: str) -> None:
    assert len(places(read(TOOLS + f'user: Act on X.\nact(a="X") !! "paywall of grumbles"\nagent: {reply}'))) == 1


def test_a_second_try_that_worked_deals_with_the_error(read: Read) -> None:
    assert places(read(TOOLS + 'user: X.\nact(a="X") !! "no"\nact(a="X", b=1) -> {}\nagent: X is done.')) == []


def test_a_second_try_that_failed_too_is_what_was_ignored(read: Read) -> None:
    trace = read(TOOLS + 'user: X.\nact(a="X") !! "no"\nact(a="X", b=1) !! "no"\nagent: X is done.')
    assert places(trace) == [(5, 4)]


def test_another_tool_that_gave_the_same_deals_with_the_error(read: Read) -> None:
    trace = read(TOOLS + 'user: X?\nlook(a="X") !! "no"\nother(b="X") -> {"n": 4}\nagent: X has four.')
    assert places(trace) == []


def test_a_conversation_that_broke_off_after_an_error_ignored_nothing(read: Read) -> None:
    assert places(read(TOOLS + 'user: X.\nact(a="X") !! "no"')) == []


def test_where_no_word_of_the_agent_is_in_the_trace_nobody_knows_what_it_told_the_user(read: Read) -> None:
    calls = TOOLS + 'act(a="X") !! "no"\ntell(b="Y") -> {}\n'
    assert places(read(calls)) == []
    assert places(read(calls + "agent: All done.")) == [(2, 1)]
