"""Outcomes are read from a run folder, one at a time."""

from pathlib import Path

from misstep.core.event import Message
from misstep.core.finding import Finding, Verdict
from misstep.core.objective import ExpectedCall, Objective
from misstep.core.scenario import Scenario
from misstep.core.trace import Origin, Trace, Usage
from misstep.exploration.outcome import Outcome
from misstep.exploration.outcomes import outcome_of, outcomes_of
from misstep.store.journal import Journal
from misstep.store.manifest import Manifest, digest_of
from misstep.store.run_folder import Locked
from misstep.store.trial import Trial

SCENARIO = Scenario(
    name="late",
    task="refund",
    factors={"goals": 2},
    objective=Objective(calls=(ExpectedCall(tool="find", optional=True), ExpectedCall(tool="refund"))),
)


def trial(verdict: Verdict, *findings: Finding, number: int = 1) -> Trial:
    trace = Trace(
        id=f"late#{number}",
        events=(Message(actor="user", role="user", text="hi"),),
        usage=Usage(turns=3, calls=5),
        origin=Origin(user="first"),
    )
    return Trial(scenario=SCENARIO, trial=number, seed=7, trace=trace, findings=findings, verdict=verdict)


def test_an_outcome_says_what_the_trial_and_its_scenario_say() -> None:
    findings = [
        Finding(mode=mode, events=(0,), because="seen") for mode in ("wrong-tool", "missing-call", "wrong-tool")
    ]
    absent = Finding(mode="loops", events=(), because="looked", present=False)
    assert outcome_of(trial(Verdict(outcome="fail"), *findings, absent)) == Outcome(
        scenario="late",
        task="refund",
        trial=1,
        factors={"goals": 2},
        passed=False,
        modes=("missing-call", "wrong-tool"),
        steps=2,
        calls=5,
        turns=3,
        user="first",
    )


def test_an_invalid_trial_neither_passed_nor_failed_and_shows_no_modes() -> None:
    finding = Finding(mode="wrong-tool", events=(0,), because="seen")
    for outcome in ("invalid", "undecided"):
        assert outcome_of(trial(Verdict(outcome=outcome), finding)).passed is None
    assert outcome_of(trial(Verdict(outcome="invalid"), finding)).modes == ()


def test_the_trials_of_a_run_folder_become_outcomes_in_their_order(tmp_path: Path) -> None:
    manifest = Manifest(agent="a:b", tools="c:d", seed=7, scenarios=("late",), digest=digest_of([SCENARIO]), trials=2)
    with Locked(tmp_path, manifest, [SCENARIO]) as writing:
        journal = Journal(writing.new_journal())
        journal.add(trial(Verdict(outcome="fail", blame="agent"), number=2))
        journal.add(trial(Verdict(outcome="pass"), number=1))
        journal.close()
        folder = writing.finish()
    told = outcomes_of(folder)
    assert next(told).passed is True
    assert [(each.trial, each.passed) for each in outcomes_of(tmp_path)] == [(1, True), (2, False)]
