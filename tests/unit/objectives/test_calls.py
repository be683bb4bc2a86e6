"""How calls meet expected calls."""

from collections.abc import Callable

from misstep.core.objective import ExpectedCall
from misstep.core.trace import Trace
from misstep.objectives.calls import match_calls

Read = Callable[..., Trace]


def names(matched: object) -> list[str]:
    return [each.expected.name for each in matched]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownMemberType, reportAttributeAccessIssue]


def test_only_calls_that_succeeded_meet_an_expectation(read: Read) -> None:
    match = match_calls(read('pay(to="a") !! "no"'), (ExpectedCall(tool="pay", arguments={"to": "a"}),))
    assert not match.matched
    assert match.missing[0].differing == ()
    assert match.missing[0].nearest is not None


def test_the_best_assignment_is_found_and_not_the_first(read: Read) -> None:
    trace = read('pay(to="a", sum=5) -> "ok"\npay(to="b", sum=5) -> "ok"')
    anyone = ExpectedCall(id="anyone", tool="pay", arguments={"sum": 5})
    first = ExpectedCall(id="a", tool="pay", arguments={"to": "a"})
    match = match_calls(trace, (anyone, first))
    assert [(each.expected.name, each.exchange.at) for each in match.matched] == [("anyone", 2), ("a", 0)]
    assert not match.missing


def test_any_call_of_another_tool_may_do_as_well(read: Read) -> None:
    expected = (ExpectedCall(tool="find", arguments={"code": "Z-9"}, or_tools=("list_all",)),)
    assert not match_calls(read("list_all() -> []"), expected).missing
    assert not match_calls(read('find(code="Z-9") -> []'), expected).missing
    assert match_calls(read('find(code="Z-8") -> []'), expected).missing
    assert match_calls(read("other() -> []"), expected).missing


def test_needed_calls_go_before_optional_ones(read: Read) -> None:
    trace = read('pay(to="a") -> "ok"')
    match = match_calls(trace, (ExpectedCall(id="maybe", tool="pay", optional=True), ExpectedCall(tool="pay")))
    assert names(match.matched) == ["pay"]
    assert not match.missing


def test_a_call_before_what_it_must_follow_is_out_of_order(read: Read) -> None:
    expected = (ExpectedCall(tool="look"), ExpectedCall(tool="pay", after=("look",)))
    assert names(match_calls(read('pay() -> "ok"\nlook() -> "ok"'), expected).disordered) == ["pay"]
    assert not match_calls(read('look() -> "ok"\npay() -> "ok"'), expected).disordered


def test_a_later_call_that_is_in_order_is_preferred(read: Read) -> None:
    trace = read('pay() -> "ok"\nlook() -> "ok"\npay() -> "ok"')
    match = match_calls(trace, (ExpectedCall(tool="look"), ExpectedCall(tool="pay", after=("look",))))
    assert not match.disordered
    assert [exchange.at for exchange in match.unexpected] == [0]


def test_of_a_missing_call_the_nearest_one_is_shown(read: Read) -> None:
    trace = read('pay(to="x", sum=9) -> "ok"\npay(to="a", sum=9) -> "ok"')
    match = match_calls(trace, (ExpectedCall(tool="pay", arguments={"to": "a", "sum": 5}),))
    assert match.missing[0].nearest is not None
    assert match.missing[0].nearest.at == 2
    assert match.missing[0].differing == ("sum",)


def test_an_optional_call_is_never_missing(read: Read) -> None:
    assert not match_calls(read("user: hi"), (ExpectedCall(tool="pay", optional=True),)).missing
