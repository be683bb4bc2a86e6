"""Which checks of an objective a trace does not meet."""

from collections.abc import Callable

import pytest
from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.event import ToolResult
from misstep.core.objective import (
    ExpectedCall,
    ExpectedChange,
    ExpectedFact,
    ExpectedQuestion,
    Forbidden,
    Limits,
    Objective,
)
from misstep.core.state import Change
from misstep.core.trace import Trace, Usage
from misstep.objectives import judge

Read = Callable[..., Trace]

TALK = """
* find_flat reads: Find flats.
* rent_flat destroys: Rent a flat for good.
user: I want the flat in Mill Lane.
agent: Which floor would you like?
user: The second.
find_flat(street="Mill Lane") -> [{"flat": "F-2", "rent": 1234.5}]
agent: F-2 is free, at € 1,234.50 from 3 May 2025. Shall I rent it for you?
user: Yes.
rent_flat(flat="F-2") -> "ok"
agent: You have rented F-2.
"""


def checks(trace: Trace, **objective: object) -> list[str]:
    return [unmet.check for unmet in judge(trace, Objective(**objective))]  # pyright: ignore[reportArgumentType]


def test_a_trace_that_does_everything_meets_everything(read: Read) -> None:
    trace = read(
        TALK,
        end="finished",
        changes=(
            Change("flats", "F-2", {"free": True}, {"free": False}),
            Change("log", "1", None, {"text": "…"}),
        ),
    )
    objective = Objective(
        calls=(
            ExpectedCall(tool="find_flat"),
            ExpectedCall(tool="rent_flat", arguments={"flat": "f-2"}, after=("find_flat",), confirmed=True),
        ),
        state=(ExpectedChange(table="flats", key="F-2", fields={"free": False}),),
        ignore_tables=("log",),
        facts=(ExpectedFact("rent", (1234.50,)), ExpectedFact("start", ("2025-05-03",))),
        questions=(ExpectedQuestion(("floor",), before=("rent_flat",)),),
        forbidden=(Forbidden(tool="rent_flat", arguments={"flat": "F-3"}),),
    )
    assert judge(trace, objective) == ()


def test_a_missing_call_says_how_near_it_came(read: Read) -> None:
    (unmet,) = judge(read(TALK), Objective(calls=(ExpectedCall(tool="rent_flat", arguments={"flat": "F-9"}),)))
    assert unmet.check == "calls"
    assert "flat was 'F-2'" in unmet.because
    assert unmet.events == (7,)


def test_an_act_without_the_user_s_yes_is_unmet(read: Read) -> None:
    call = ExpectedCall(tool="rent_flat", confirmed=True)
    assert checks(read(TALK.replace("user: Yes.", "user: How big is it?")), calls=(call,)) == ["calls"]


def test_changes_that_are_missing_or_extra_are_unmet(read: Read) -> None:
    expected = ExpectedChange(table="flats", key="F-2", fields={"free": False})
    wrong = Change("flats", "F-3", {"free": True}, {"free": False})
    assert checks(read(TALK, changes=(wrong,)), state=(expected,)) == ["state", "state"]
    assert checks(read(TALK, changes=()), state=()) == []


def test_a_deleted_record_must_be_gone(read: Read) -> None:
    gone = ExpectedChange(table="flats", key="F-2", deleted=True)
    assert checks(read(TALK, changes=(Change("flats", "F-2", {"free": True}, None),)), state=(gone,)) == []
    assert checks(read(TALK, changes=(Change("flats", "F-2", {"a": 1}, {"a": 2}),)), state=(gone,)) == ["state"] * 2


def test_a_created_record_may_have_any_key(read: Read) -> None:
    made = Change("leases", "L-77", None, {"flat": "F-2"})
    assert checks(read(TALK, changes=(made,)), state=(ExpectedChange(table="leases", fields={"flat": "F-2"}),)) == []


def test_a_fact_that_only_a_tool_told_is_unmet(read: Read) -> None:
    assert checks(read(TALK), facts=(ExpectedFact("deposit", (99, "ninety-nine")),)) == ["facts"]


def test_a_question_that_comes_too_late_is_unmet(read: Read) -> None:
    late = TALK.replace("agent: Which floor would you like?\nuser: The second.\n", "") + "agent: Which floor is it?"
    question = ExpectedQuestion(("floor", "storey"), before=("rent_flat",))
    assert checks(read(late), questions=(question,)) == ["questions"]


def test_who_tells_the_answers_for_all_that_may_be_meant_need_not_ask(read: Read) -> None:
    both = "user: What is the rent in Mill Lane?\nagent: The first floor is 900, the second 1,234.50.\n"
    one = both.replace("The first floor is 900, the second", "That is")
    question = ExpectedQuestion(("floor",), or_told=(1234.5, 900))
    assert checks(read(both), questions=(question,)) == []
    assert checks(read(one), questions=(question,)) == ["questions"]


def test_a_forbidden_call_counts_only_if_it_succeeds(read: Read) -> None:
    rule = Forbidden(effect="destroys", because="nobody may rent today")
    (unmet,) = judge(read(TALK), Objective(forbidden=(rule,)))
    assert (unmet.check, unmet.events) == ("forbidden", (7,))
    assert "nobody may rent today" in unmet.because
    failed = TALK.replace('rent_flat(flat="F-2") -> "ok"', 'rent_flat(flat="F-2") !! "no"')
    assert checks(read(failed), forbidden=(rule,)) == []


@pytest.mark.parametrize("no", ['{"error": "it is let"}', '{"ok": false}', "false"])
def test_a_tool_may_turn_a_forbidden_call_down_without_an_error(read: Read, no: str) -> None:
    turned_down = TALK.replace('rent_flat(flat="F-2") -> "ok"', f'rent_flat(flat="F-2") -> {no}')
    assert checks(read(turned_down), forbidden=(Forbidden(tool="rent_flat"),)) == []


@pytest.mark.parametrize(
    "end", ["gave-up", "turns", "calls", "seconds", "agent-raised", "agent-hung", "agent-nonsense"]
)
def test_an_end_that_is_no_regular_one_is_unmet(read: Read, end: str) -> None:
    assert checks(read(TALK, end=end)) == ["end"]


def test_limits_are_held_to(read: Read) -> None:
    assert checks(read(TALK, usage=Usage(turns=3)), limits=Limits(turns=2)) == ["limits"]


def test_an_objective_that_names_an_unknown_tool_is_the_scenario_s_fault(read: Read) -> None:
    with pytest.raises(InvalidTrialError, match="Did you mean 'rent_flat'") as caught:
        _ = judge(read(TALK), Objective(calls=(ExpectedCall(tool="rent_flats"),)))
    assert caught.value.blame == "scenario"


def test_a_state_that_cannot_be_seen_is_the_scenario_s_fault(read: Read) -> None:
    with pytest.raises(InvalidTrialError) as caught:
        _ = judge(read(TALK), Objective(state=()))
    assert caught.value.blame == "scenario"


def test_a_call_whose_answer_a_fault_kept_back_is_not_held_against_the_agent(read: Read) -> None:
    trace = read(
        TALK.replace('rent_flat(flat="F-2") -> "ok"', 'rent_flat(flat="F-2") !! "no answer came"'), end="finished"
    )
    calls = (ExpectedCall(tool="rent_flat", arguments={"flat": "F-2"}),)
    assert checks(trace, calls=calls) == ["calls"]
    lost = tuple(
        structs.replace(event, fault="timeout") if isinstance(event, ToolResult) and event.is_error else event
        for event in trace.events
    )
    assert checks(structs.replace(trace, events=lost), calls=calls) == []
