"""A finished conversation → the findings in it and the verdict on it."""

from misstep.core.blame import Blame
from misstep.core.errors import InvalidTrialError
from misstep.core.finding import Finding, Verdict
from misstep.core.objective import Objective
from misstep.core.scenario import Scenario
from misstep.core.trace import Trace
from misstep.detectors import detect_with_errors
from misstep.objectives import judge
from misstep.objectives.judging import refused_though_right
from misstep.objectives.notes import not_needed, noted
from misstep.store.trial import Trial


def judged(scenario: Scenario, trial: int, seed: int, trace: Trace, blame: Blame | None) -> Trial:
    """`blame` says whose error ended the conversation, where it did not end regularly.

    Success is what the objective says. A scenario without one can only fail: by its end or by what is found in it.
    What we broke ourselves is invalid, and has no findings.
    """
    if blame is not None and blame != "agent":
        verdict = Verdict(outcome="invalid", blame=blame, reasons=(trace.error or "",))
        return Trial(scenario=scenario, trial=trial, seed=seed, trace=trace, verdict=verdict)
    findings, errors = detect_with_errors(trace, scenario.objective)
    told = tuple(f"The detector of {error.mode} broke: {error.error}" for error in errors)
    try:
        verdict = _verdict(scenario, trace, findings)
    except InvalidTrialError as error:
        verdict = Verdict(outcome="invalid", blame=error.blame, reasons=(error.reason,))
    except Exception as error:  # noqa: BLE001 - a check that breaks is our error, never the agent's failure
        reason = f"The objective could not be checked: {type(error).__name__}: {error}"
        verdict = Verdict(outcome="invalid", blame="infrastructure", reasons=(reason,))
    kept = () if verdict.outcome == "invalid" else findings
    return Trial(scenario=scenario, trial=trial, seed=seed, trace=trace, findings=kept, verdict=verdict, errors=told)


def _verdict(scenario: Scenario, trace: Trace, findings: tuple[Finding, ...]) -> Verdict:
    modes = tuple(sorted({finding.mode for finding in findings if finding.present}))
    objective = scenario.objective
    if objective is not None:
        reasons = [unmet.because for unmet in judge(trace, objective)]
        if reasons:
            _demand_that_it_can_be_done(scenario, trace, objective)
    else:
        reasons = [trace.error] if trace.error else []
        reasons += [finding.because for finding in findings if finding.present]
    notes, spared = (noted(trace, objective), not_needed(trace, objective)) if objective is not None else ((), ())
    if reasons:
        return Verdict(
            outcome="fail", blame="agent", reasons=tuple(reasons), modes=modes, notes=notes, not_needed=spared
        )
    if objective is None:
        return Verdict(outcome="undecided", reasons=("The scenario has no objective that says what success is.",))
    return Verdict(outcome="pass", modes=modes, notes=notes, not_needed=spared)


def _demand_that_it_can_be_done(scenario: Scenario, trace: Trace, objective: Objective) -> None:
    """Acts of tools whose state cannot be put back were never tried when the scenario was made: a refusal is news."""
    unproven = scenario.origin.startswith(_MADE) and objective.state is None
    refused = refused_though_right(trace, objective) if unproven else None
    if refused is not None:
        said = " ".join(str(refused.result.content if refused.result else "").split())[:200]
        raise InvalidTrialError(
            "scenario",
            f"{refused.call.tool} was called as the scenario asks, and turned it down: {said!r}. The scenario was made "
            "without trying that, for the tools have no snapshot and restore. Give them these, or drop the scenario.",
        )


_MADE = "synthesized"
