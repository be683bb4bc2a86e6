"""Calls that came too early, by the rules or by what the tool says."""

from collections.abc import Callable

from misstep.core.policy import Policy, Rule
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_misuse.out_of_order_call import out_of_order_call

Read = Callable[..., Trace]
TOOLS = "* check reads: Check somebody.\n* change writes: Change a thing.\n* look reads: Look.\n"
RULE = Rule("who", "requires", "Check first.", effects=("writes",), parameters={"tool": "check", "same": ["id"]})
POLICY = Policy("Check first.", (RULE,))


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[out_of_order_call])]


def test_what_a_rule_wants_first_must_have_succeeded_first(read: Read) -> None:
    late = TOOLS + 'change(id="A-1", to=2) -> "ok"\ncheck(id="A-1") -> "ok"'
    assert places(read(late, policy=POLICY)) == [(0,)]
    failed = TOOLS + 'check(id="A-1") !! "no"\nchange(id="A-1", to=2) -> "ok"'
    assert places(read(failed, policy=POLICY)) == [(2,)]
    right = TOOLS + 'check(id="A-1") -> "ok"\nchange(id="A-1", to=2) -> "ok"\nchange(id="a-1", to=3) -> "ok"'
    assert places(read(right, policy=POLICY)) == []


def test_it_must_have_been_about_the_same(read: Read) -> None:
    other = TOOLS + 'check(id="A-1") -> "ok"\nchange(id="A-2", to=2) -> "ok"'
    assert places(read(other, policy=POLICY)) == [(2,)]


def test_what_is_not_covered_may_come_at_any_time(read: Read) -> None:
    assert places(read(TOOLS + 'look(id="A-1") -> 1', policy=POLICY)) == []
    assert places(read(TOOLS + 'change(id="A-1", to=2) -> "ok"')) == []


def test_nobody_can_do_first_what_is_not_on_offer(read: Read) -> None:
    trace = read('* change writes: Change.\nchange(id="A-1", to=2) -> "ok"', policy=POLICY)
    assert places(trace) == []


def test_a_misshapen_call_is_not_taken_for_one_about_somebody_else(read: Read) -> None:
    trace = read(TOOLS + 'check(id="A-1") -> "ok"\nchange(id=["A-1"]) !! "no list"', policy=POLICY)
    assert places(trace) == []


def test_a_tool_that_says_what_comes_first_is_believed_when_that_helps(read: Read) -> None:
    helped = 'change(id="A-1") !! "not connected, please connect first"\nconnect() -> "ok"\nchange(id="A-1") -> "ok"'
    assert places(read(helped)) == [(0, 2)]
    vain = 'change(id="A-1") !! "not connected, please connect first"\nchange(id="A-1") !! "no"'
    assert places(read(vain)) == []


def test_an_error_that_names_another_tool_is_enough(read: Read) -> None:
    assert places(read(TOOLS + 'change(id="A-1") !! "You must use check first."')) == [(0,)]


def test_a_date_before_another_is_no_order_of_calls(read: Read) -> None:
    trace = read('book(a=1) !! "The end is before the start."\nlook(a=2) -> 1\nbook(a=1) -> 2')
    assert places(trace) == []
