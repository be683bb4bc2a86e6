"""A conversation that was held → the verdict of its objective; with the findings in it, a Trial."""

from msgspec import Struct, structs

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


class Held(Struct, frozen=True, kw_only=True):
    """A conversation that is over, and of which nothing has been said yet. The fields are those of a Trial."""

    scenario: Scenario
    trial: int
    seed: int
    trace: Trace
    blame: Blame | None = None
    """Whose error ended it, where it did not end regularly."""
    strained: bool = False
    stood_in: tuple[str, ...] = ()

    def with_verdict(self, verdict: Verdict) -> Trial:
        return Trial(
            scenario=self.scenario,
            trial=self.trial,
            seed=self.seed,
            trace=self.trace,
            verdict=verdict,
            strained=self.strained,
            stood_in=self.stood_in,
        )


def judged(held: Held) -> Trial:
    """A scenario without an objective can only fail: by its end or by what is found in it.

    What we broke ourselves is invalid, and nothing is looked for in it.
    """
    verdict = verdict_on(held)
    if verdict.outcome == "invalid":
        return held.with_verdict(verdict)
    findings, errors = detect_with_errors(held.trace, held.scenario.objective)
    told = tuple(f"The detector of {error.mode} broke: {error.error}" for error in errors)
    verdict = _with_findings(verdict, findings, decisive=held.scenario.objective is None)
    return structs.replace(held.with_verdict(verdict), findings=findings, errors=told)


def verdict_on(held: Held) -> Verdict:
    """What the objective says, with nothing looked for beyond it: a small part of the time that findings take."""
    if held.blame is not None and held.blame != "agent":
        return Verdict(outcome="invalid", blame=held.blame, reasons=(held.trace.error or "",))
    objective = held.scenario.objective
    if objective is None:
        if held.trace.error:
            return Verdict(outcome="fail", blame="agent", reasons=(held.trace.error,))
        return Verdict(outcome="undecided", reasons=("The scenario has no objective that says what success is.",))
    try:
        return _by(objective, held)
    except InvalidTrialError as error:
        return Verdict(outcome="invalid", blame=error.blame, reasons=(error.reason,))
    except Exception as error:  # noqa: BLE001 - a check that breaks is our error, never the agent's failure
        reason = f"The objective could not be checked: {type(error).__name__}: {error}"
        return Verdict(outcome="invalid", blame="infrastructure", reasons=(reason,))


def _by(objective: Objective, held: Held) -> Verdict:
    trace = held.trace
    reasons = tuple(unmet.because for unmet in judge(trace, objective))
    if reasons:
        _demand_that_it_can_be_done(held.scenario, trace, objective)
    return Verdict(
        outcome="fail" if reasons else "pass",
        blame="agent" if reasons else None,
        reasons=reasons,
        notes=noted(trace, objective),
        not_needed=not_needed(trace, objective),
    )


def _with_findings(verdict: Verdict, findings: tuple[Finding, ...], *, decisive: bool) -> Verdict:
    present = [finding for finding in findings if finding.present]
    modes = tuple(sorted({finding.mode for finding in present}))
    if not decisive or not present:
        return structs.replace(verdict, modes=modes)
    before = verdict.reasons if verdict.outcome == "fail" else ()
    reasons = (*before, *(finding.because for finding in present))
    return structs.replace(verdict, outcome="fail", blame="agent", reasons=reasons, modes=modes)


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
