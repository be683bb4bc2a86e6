"""Whose error decided a trial."""

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.scenario import Scenario
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.simulation.judging import judged


def test_an_objective_that_names_no_tool_on_offer_is_blamed_on_the_scenario() -> None:
    scenario = Scenario(name="a", objective=Objective(calls=(ExpectedCall(tool="fly"),)))
    trace = Trace(id="a#1", tools=(Tool("walk"),), end="finished")
    verdict = judged(scenario, 1, 0, trace, None).verdict
    assert (verdict.outcome, verdict.blame) == ("invalid", "scenario")


def test_what_we_broke_is_invalid_and_nothing_is_looked_for_in_it() -> None:
    trial = judged(Scenario(name="a"), 1, 0, Trace(id="a#1", end="simulator", error="oops"), "user-simulator")
    assert (trial.verdict.outcome, trial.verdict.blame, trial.findings) == ("invalid", "user-simulator", ())
