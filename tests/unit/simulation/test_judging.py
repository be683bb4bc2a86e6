"""Whose error decided a trial."""

from collections.abc import Callable

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.scenario import Scenario
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.simulation.judging import Held, judged, verdict_on


def test_an_objective_that_names_no_tool_on_offer_is_blamed_on_the_scenario() -> None:
    scenario = Scenario(name="a", objective=Objective(calls=(ExpectedCall(tool="fly"),)))
    trace = Trace(id="a#1", tools=(Tool("walk"),), end="finished")
    verdict = judged(Held(scenario=scenario, trial=1, seed=0, trace=trace)).verdict
    assert (verdict.outcome, verdict.blame) == ("invalid", "scenario")


def test_what_we_broke_is_invalid_and_nothing_is_looked_for_in_it() -> None:
    trace = Trace(id="a#1", end="simulator", error="oops")
    trial = judged(Held(scenario=Scenario(name="a"), trial=1, seed=0, trace=trace, blame="user-simulator"))
    assert (trial.verdict.outcome, trial.verdict.blame, trial.findings) == ("invalid", "user-simulator", ())


def test_without_findings_the_verdict_is_that_of_the_objective_alone(read: Callable[..., Trace]) -> None:
    trace = read("""
        * find writes: Find a book.
        user: Find a book.
        fly(to="me") !! "There is no such tool."
        agent: Done.""")
    for objective in (Objective(), Objective(calls=(ExpectedCall(tool="find"),))):
        held = Held(scenario=Scenario(name="a", objective=objective), trial=1, seed=0, trace=trace)
        alone, whole = verdict_on(held), judged(held).verdict
        assert (alone.outcome, alone.reasons) == (whole.outcome, whole.reasons)
        assert "unknown-tool" in whole.modes
        assert alone.modes == ()
    bare = Held(scenario=Scenario(name="a"), trial=1, seed=0, trace=trace)
    assert (verdict_on(bare).outcome, judged(bare).verdict.outcome) == ("undecided", "fail")
