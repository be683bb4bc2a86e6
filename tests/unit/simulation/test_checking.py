"""What a scenario gets wrong is told before the first trial, and never held against the agent."""

import asyncio

import pytest

from misstep.core.errors import UsageError
from misstep.core.objective import (
    ExpectedCall,
    ExpectedChange,
    ExpectedFact,
    ExpectedQuestion,
    Forbidden,
    Limits,
    Objective,
)
from misstep.core.scenario import Fact, Fault, Goal, Person, Scenario
from misstep.simulation.checking import check_scenario
from misstep.tools.functions import Functions


def renew(loan: str) -> str:
    """Renew a loan."""
    return loan


def close(loan: str) -> str:
    """Close a loan."""
    return loan


TOOLS = Functions([renew, close])


def complaint(scenario: Scenario) -> str:
    with pytest.raises(UsageError) as raised:
        check_scenario(scenario, TOOLS, asyncio.run(TOOLS.tools()), "desk:tools")
    return str(raised.value)


@pytest.mark.parametrize(
    "objective",
    [
        Objective(calls=(ExpectedCall(tool="renew", arguments={"lone": "L-1"}),)),
        Objective(forbidden=(Forbidden(tool="renew", arguments={"lone": "L-1"}),)),
    ],
)
def test_an_argument_that_the_tool_does_not_take_is_a_typo(objective: Objective) -> None:
    assert "Did you mean 'loan'?" in complaint(Scenario(name="x", objective=objective))


def test_a_tool_that_the_scenario_leaves_out_is_told_from_one_that_is_not_there() -> None:
    objective = Objective(calls=(ExpectedCall(tool="close"),))
    assert "leaves it out" in complaint(Scenario(name="x", tools=("renew",), objective=objective))
    objective = Objective(calls=(ExpectedCall(tool="closse"),))
    assert "Did you mean 'close'?" in complaint(Scenario(name="x", objective=objective))


def expects(*calls: ExpectedCall) -> Scenario:
    return Scenario(name="x", user=Person(opening="Hello."), objective=Objective(calls=calls))


def knows(*facts: Fact) -> Scenario:
    return Scenario(name="x", user=Person(goals=(Goal(ask="renew my loan"), Goal(ask="close it")), facts=facts))


def wants(**fields: object) -> Scenario:
    return Scenario(name="x", objective=Objective(**fields))  # pyright: ignore[reportArgumentType]


def strikes(**fields: object) -> Scenario:
    return Scenario(name="x", faults=(Fault(kind="error", **fields),))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        (expects(ExpectedCall(tool="renew", arguments={"loan": {"any_of": []}})), "any_of"),
        (expects(ExpectedCall(tool="renew", arguments={"loan": {"matches": "(a+)+$"}})), "repetition"),
        (expects(ExpectedCall(tool="renew", arguments={"loan": {"containing": "x"}})), "Did you mean 'contains'?"),
        (wants(forbidden=(Forbidden(effect="destroys", arguments={"loan": {"is": "x"}}),)), "anything"),
        (wants(state=(ExpectedChange(table="loans", fields={"due": {"near": "x"}}),)), "near"),
        (strikes(arguments={"loan": {"matches": "("}}), "no regular expression"),
        (expects(ExpectedCall(tool="renew", after=("nope",))), "'nope', which is no call"),
        (
            expects(ExpectedCall(tool="renew", id="a", after=("b",)), ExpectedCall(tool="close", id="b", after=("a",))),
            "circle",
        ),
        (expects(ExpectedCall(tool="renew", after=("renew",))), "circle"),
        (expects(ExpectedCall(tool="renew", id="a"), ExpectedCall(tool="close", id="a")), "id 'a'"),
        (wants(limits=Limits(turns=0)), "turns"),
        (wants(limits=Limits(calls=-1)), "calls"),
        (wants(limits=Limits(seconds=0)), "seconds"),
        (wants(limits=Limits(seconds=float("nan"))), "objective.limits"),
        (wants(limits=Limits(seconds=float("inf"))), "objective.limits"),
        (wants(forbidden=(Forbidden(),)), "forbids nothing"),
        (wants(facts=(ExpectedFact("due", ()),)), "any_of"),
        (wants(questions=(ExpectedQuestion(()),)), "about"),
        (strikes(occurrence=0), "occurrence"),
        (strikes(times=0), "times"),
        (strikes(probability=2.0), "probability"),
        (strikes(probability=-0.5), "probability"),
        (strikes(probability=float("nan")), "probability"),
        (strikes(parameters={"seconds": float("inf")}), "faults[0].parameters.seconds"),
        (Scenario(name="x", user=Person(goals=(Goal(ask=" "),))), "ask"),
        (Scenario(name="x", user=Person(opening=" ")), "empty line"),
        (Scenario(name="x", user=Person(script=("Hello.", ""))), "empty line"),
        (Scenario(name="x", user=Person(patience=0)), "patience"),
        (Scenario(name="x", user=Person(facts=(Fact(name="", value=1),))), "name"),
        (Scenario(name="x", user=Person(facts=(Fact(name="due", value=float("inf")),))), "user.facts[0].value"),
        (Scenario(name="x", seed=10**30), "64 bits"),
        (knows(Fact(name="loan", value="L-1"), Fact(name="loan", value="L-2")), "both 'L-1' and 'L-2'"),
        (knows(Fact(name="loan", value="L-1", goals=(0,)), Fact(name="loan", value="L-2")), "both"),
        (knows(Fact(name="loan", value="L-1", at_first="L-1")), "at_first"),
        (wants(calls=(ExpectedCall(tool="renew"),)), "says nothing"),
        (
            wants(calls=(ExpectedCall(tool="renew"),), forbidden=(Forbidden(tool="renew"),)),
            "wants a call of 'renew' and forbids",
        ),
        (
            wants(calls=(ExpectedCall(tool="renew"), ExpectedCall(tool="close")), limits=Limits(calls=1)),
            "wants 2 calls and allows 1",
        ),
    ],
)
def test_what_no_trial_could_make_right_is_told(scenario: Scenario, told: str) -> None:
    complained = complaint(scenario)
    assert told in complained
    assert "'x'" in complained


def test_a_table_for_an_argument_that_takes_one_is_left_alone() -> None:
    def ship(to: dict[str, str]) -> str:
        """Ship a parcel."""
        return str(to)

    box = Functions([ship])
    scenario = expects(ExpectedCall(tool="ship", arguments={"to": {"street": "Elm"}}))
    check_scenario(scenario, box, asyncio.run(box.tools()), "desk:tools")


def test_the_same_tool_may_be_expected_twice_and_in_order() -> None:
    scenario = expects(
        ExpectedCall(tool="renew", id="first"),
        ExpectedCall(tool="renew", after=("first",)),
        ExpectedCall(tool="renew", id="last", after=("first", "renew")),
    )
    check_scenario(scenario, TOOLS, asyncio.run(TOOLS.tools()), "desk:tools")


def test_each_goal_may_have_a_fact_of_the_same_name() -> None:
    scenario = knows(Fact(name="loan", value="L-1", goals=(0,)), Fact(name="loan", value="L-2", goals=(1,)))
    check_scenario(scenario, TOOLS, asyncio.run(TOOLS.tools()), "desk:tools")


def test_who_knows_nothing_at_all_may_still_want_something() -> None:
    wanted = expects(ExpectedCall(tool="renew"))
    check_scenario(wanted, TOOLS, asyncio.run(TOOLS.tools()), "desk:tools")


@pytest.mark.parametrize("name", [" ", "a\rb", "a\0b", "a\x1b[31m", "a\u202eb"])
def test_a_name_that_would_mislead_is_refused(name: str) -> None:
    assert "name" in complaint(Scenario(name=name))
