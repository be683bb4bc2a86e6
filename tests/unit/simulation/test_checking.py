"""What a scenario gets wrong is told before the first trial, and never held against the agent."""

import asyncio

import pytest

from misstep.core.errors import UsageError
from misstep.core.objective import ExpectedCall, Forbidden, Objective
from misstep.core.scenario import Scenario
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
