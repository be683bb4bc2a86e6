"""Trials, one at a time → the Summary; keeps counters only, so that a run may be as long as it likes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from misstep.core.event import ToolResult
from misstep.core.finding import SEVERITIES, Finding, Outcome, Severity
from misstep.core.scenario import Fault, Scenario
from misstep.exploration.curves import Point
from misstep.exploration.outcome import Outcome as TrialOutcome
from misstep.exploration.outcomes import outcome_of
from misstep.exploration.robustness import robustness
from misstep.reporting.commands import command
from misstep.reporting.rates import ByScenario, Outcomes, marked, pass_hats, pooled, success, tally
from misstep.reporting.reasons import OTHERS, Reasons
from misstep.reporting.risks import Risks
from misstep.reporting.steps import guilty, step_at, transition
from misstep.reporting.summary import (
    Acts,
    Broken,
    Counts,
    ModeCount,
    Modelled,
    Place,
    Rate,
    SetAside,
    Slice,
    Summary,
    Transition,
)
from misstep.store.disputes import too_many
from misstep.store.manifest import Manifest
from misstep.store.trial import Trial
from misstep.tools.fault_kinds import KINDS

NOT_THE_AGENTS: frozenset[Outcome] = frozenset({"invalid", "disputed"})
"""Outcomes of trials that count for nothing but themselves: what we broke, and what a person has set aside."""
WITHOUT_FAULT = "none"
"""What the slice of trials with no fault is called."""

_TOLD_APART = 20_000
"""So many trials at most, as many of each scenario, are kept apart for what is said of robustness."""
_LISTED_REASONS = 40

Key = TypeVar("Key", str, tuple[str, str], tuple[str, str, str])


def summarize(manifest: Manifest, trials: Iterable[Trial]) -> Summary:
    """Read all trials once and say what they came to."""
    counting = Counting(manifest)
    for trial in trials:
        counting.add(trial)
    return counting.summary()


def shown(trial: Trial) -> tuple[Finding, ...]:
    """The findings that say that a mode is there; none for a trial that says nothing about the agent."""
    if trial.verdict.outcome in NOT_THE_AGENTS:
        return ()
    return tuple(finding for finding in trial.findings if finding.present)


class Counting:
    """The counters of a run."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._each = max(1, _TOLD_APART // max(1, len(manifest.scenarios)))
        self._told: defaultdict[str, list[TrialOutcome]] = defaultdict(list)
        self._scenarios: dict[str, Scenario] = {}
        self._outcomes: ByScenario = defaultdict(Counter)
        self._faults: defaultdict[str, ByScenario] = defaultdict(lambda: defaultdict(Counter))
        self._struck: Counter[str] = Counter()
        self._acts: dict[str, Acts] = {}
        self._modes = _Modes()
        self._modes_of: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._blame: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self._broken: Counter[tuple[str, str]] = Counter()
        self._transitions: Counter[tuple[str, str]] = Counter()
        self._risks = Risks()
        self._reasons = Reasons()
        self._showing: Outcomes = Counter()
        self._errors: Counter[str] = Counter()
        self._disputes: Counter[tuple[str, str, str]] = Counter()
        self._strained: ByScenario = defaultdict(Counter)
        self._not_needed: ByScenario = defaultdict(Counter)
        self._noted = 0
        self._notes: Counter[str] = Counter()
        self._turns = 0
        self._stood_in: Counter[str] = Counter()

    def add(self, trial: Trial) -> None:
        name, outcome = trial.scenario.name, trial.verdict.outcome
        self._scenarios.setdefault(name, trial.scenario)
        if len(self._told[name]) < self._each:
            self._told[name].append(outcome_of(trial))
        findings = shown(trial)
        self._outcomes[name][outcome] += 1
        self._ends[trial.trace.end] += 1
        if trial.verdict.blame:
            self._blame[trial.verdict.blame] += 1
        self._errors.update(error[:300] for error in trial.errors[:20] if len(self._errors) < _LISTED_REASONS)
        self._count_modelled(trial)
        kinds = self._count_faults(trial)
        self._modes.add(trial, findings)
        self._modes_of[name].update({finding.mode for finding in findings})
        self._count_marks(trial)
        if outcome == "disputed":
            label = trial.findings[0]
            self._disputes[name, label.because, label.claimed_by] += 1
        if outcome == "invalid":
            self._count_broken(trial)
        if outcome in NOT_THE_AGENTS:
            return
        self._risks.add(trial.scenario, kinds, findings)
        if findings:
            self._showing[outcome] += 1
        elif outcome == "fail":
            self._reasons.add(trial)
        if outcome == "fail":
            self._transitions[transition(trial.trace, findings)] += 1

    def _count_marks(self, trial: Trial) -> None:
        name, verdict = trial.scenario.name, trial.verdict
        if trial.strained:
            self._strained[name][verdict.outcome] += 1
        if verdict.not_needed:
            self._not_needed[name][verdict.outcome] += 1
        self._noted += bool(verdict.notes)
        _count_listed(self._notes, verdict.notes)

    def _count_faults(self, trial: Trial) -> set[str]:
        events = trial.trace.events
        struck = {event.fault for event in events if isinstance(event, ToolResult) and event.fault}
        for fault in trial.scenario.faults:
            acts = _acts(fault)
            self._acts[fault.kind] = acts if self._acts.get(fault.kind, acts) == acts else "on the list"
            if acts == "from the start":
                struck.add(fault.kind)
        kinds = struck | {fault.kind for fault in trial.scenario.faults}
        self._struck.update(struck)
        for kind in kinds or {WITHOUT_FAULT}:
            self._faults[kind][trial.scenario.name][trial.verdict.outcome] += 1
        return kinds

    def _count_modelled(self, trial: Trial) -> None:
        if trial.trace.origin.user == "modelled":
            self._turns += trial.trace.usage.turns
        _count_listed(self._stood_in, trial.stood_in)

    def _modelled(self) -> Modelled | None:
        model = self._manifest.user_model
        return Modelled(model=model, turns=self._turns, stood_in=_ranked(self._stood_in)) if model else None

    def _count_broken(self, trial: Trial) -> None:
        reasons = trial.verdict.reasons or ((trial.trace.error or "no reason was given"),)
        key = (trial.verdict.blame or "unknown", reasons[0][:300])
        # Reasons may quote what was said and never repeat: past a bound they are counted together.
        if key not in self._broken and len(self._broken) >= _LISTED_REASONS:
            key = (key[0], OTHERS)
        self._broken[key] += 1

    def summary(self) -> Summary:
        manifest = self._manifest
        counts = _counts(self._outcomes.values())
        robust = robustness([outcome for told in self._told.values() for outcome in told])
        failures = self._modes.rows(self._share)
        return Summary(
            agent=manifest.agent,
            world=manifest.tools,
            seed=manifest.seed,
            version=manifest.version,
            command=command(manifest),
            trials=counts.trials,
            passed=counts.passed,
            failed=counts.failed,
            invalid=counts.invalid,
            undecided=counts.undecided,
            disputed=counts.disputed,
            disputes=tuple(
                SetAside(scenario=scenario, because=because, by=by, trials=trials)
                for (scenario, because, by), trials in _sorted(self._disputes)
            ),
            decided=not too_many(counts.disputed, of=counts.passed + counts.failed + counts.disputed),
            strained=marked(self._strained, self._outcomes, self._outcomes),
            not_needed=marked(self._not_needed, self._asking(), self._outcomes),
            noted=self._noted,
            notes=_ranked(self._notes),
            success=success(self._outcomes.values()),
            pass_hat=pass_hats(tuple(map(tally, self._outcomes.values()))),
            modes={row.mode: row.traces for row in failures},
            blame=_ranked(self._blame),
            ends=_ranked(self._ends),
            failures=failures,
            unexplained=self._reasons.trials,
            scenarios=self._scenario_slices(),
            faults=self._fault_slices(),
            factors={curve.factor: tuple(map(_level_slice, curve.points)) for curve in robust.curves},
            modelled=self._modelled(),
            robustness=robust,
            transitions=tuple(
                Transition(after=after, at=at, trials=trials) for (after, at), trials in _sorted(self._transitions)
            ),
            owasp=self._risks.rows(),
            broken=tuple(
                Broken(blame=blame, reason=reason, trials=trials) for (blame, reason), trials in _sorted(self._broken)
            ),
            errors=_ranked(self._errors),
            reasons=self._reasons.rows(),
            showing=self._showing.total(),
            showing_passed=self._showing["pass"],
        )

    def _share(self, mode: str) -> Rate:
        """Of the trials that say something about the agent, those that show a mode."""
        return pooled((self._modes_of[name][mode], _told_of(outcomes)) for name, outcomes in self._outcomes.items())

    def _asking(self) -> list[str]:
        """The scenarios that demand a question."""
        objectives = {name: scenario.objective for name, scenario in self._scenarios.items()}
        return [name for name, objective in objectives.items() if objective is not None and objective.questions]

    def _scenario_slices(self) -> tuple[Slice, ...]:
        slices = [
            Slice(
                name=name,
                counts=_counts([outcomes]),
                success=success([outcomes]),
                difficulty=_difficulty(self._scenarios[name]),
                modes=_ranked(self._modes_of[name]),
                reasons=self._reasons.of(name),
            )
            for name, outcomes in self._outcomes.items()
        ]
        return _worst_first(slices)

    def _fault_slices(self) -> tuple[Slice, ...]:
        kinds = [kind for kind in self._faults if kind != WITHOUT_FAULT]
        slices = [
            _slice(kind, self._faults[kind], struck=self._struck[kind], acts=self._acts.get(kind, "on calls"))
            for kind in kinds
        ]
        plain = self._faults.get(WITHOUT_FAULT)
        return (*_worst_first(slices), *((_slice(WITHOUT_FAULT, plain),) if plain and slices else ()))


class _Modes:
    """Counters by failure mode."""

    def __init__(self) -> None:
        self._traces: Counter[str] = Counter()
        self._passed: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._findings: Counter[str] = Counter()
        self._places: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._severity: dict[str, Severity] = {}

    def add(self, trial: Trial, findings: Iterable[Finding]) -> None:
        seen: set[str] = set()
        for finding in findings:
            self._findings[finding.mode] += 1
            graver = max(_rank(finding.severity), _rank(self._severity.get(finding.mode, "low")))
            self._severity[finding.mode] = SEVERITIES[graver]
            if finding.mode in seen:
                continue
            seen.add(finding.mode)
            self._traces[finding.mode] += 1
            self._passed[finding.mode] += trial.verdict.outcome == "pass"
            self._failed[finding.mode] += trial.verdict.outcome == "fail"
            at = guilty(finding)
            if at is not None:
                self._places[finding.mode][step_at(trial.trace, at)] += 1

    def rows(self, share: Callable[[str], Rate]) -> tuple[ModeCount, ...]:
        ranked = sorted(self._traces, key=lambda mode: (-self._traces[mode], -_rank(self._severity[mode]), mode))
        return tuple(
            ModeCount(
                mode=mode,
                severity=self._severity[mode],
                traces=self._traces[mode],
                findings=self._findings[mode],
                share=share(mode),
                places=tuple(Place(step, count) for step, count in _sorted(self._places[mode])[:5]),
                passed=self._passed[mode],
                failed=self._failed[mode],
            )
            for mode in ranked
        )


def _slice(name: str, by_scenario: Mapping[str, Outcomes], *, struck: int = 0, acts: Acts = "on calls") -> Slice:
    return Slice(
        name=name,
        counts=_counts(by_scenario.values()),
        success=success(by_scenario.values()),
        scenarios=len(by_scenario),
        struck=struck,
        acts=acts,
    )


def _level_slice(point: Point) -> Slice:
    decided, passed = point.rate.n, point.passed
    return Slice(
        name=_level(point.at),
        counts=Counts(trials=decided + point.invalid, passed=passed, failed=decided - passed, invalid=point.invalid),
        success=Rate(
            rate=point.rate.rate if decided else None,
            low=point.rate.low,
            high=point.rate.high,
            n=decided,
            level=point.rate.level,
            method="all levels at once",
        ),
        scenarios=point.clusters,
    )


def _acts(fault: Fault) -> Acts:
    """What changes the list of tools does so from the start, unless the fault says when or how often."""
    kind = KINDS.get(fault.kind)
    if fault.target != "tool" or kind is None or kind.happen is not None:
        return "on calls"
    always = fault.occurrence is None and not fault.arguments and fault.probability >= 1
    return "from the start" if always else "on the list"


def _counts(outcomes: Iterable[Outcomes]) -> Counts:
    total: Outcomes = Counter()
    for each in outcomes:
        total.update(each)
    return Counts(
        trials=total.total(),
        passed=total["pass"],
        failed=total["fail"],
        invalid=total["invalid"],
        undecided=total["undecided"],
        disputed=total["disputed"],
    )


def _told_of(outcomes: Outcomes) -> int:
    return sum(trials for outcome, trials in outcomes.items() if outcome not in NOT_THE_AGENTS)


def _count_listed(counter: Counter[str], texts: Iterable[str]) -> None:
    """Texts may quote what was said and never repeat: past a bound they are counted together."""
    for text in texts:
        counter[text[:300] if text[:300] in counter or len(counter) < _LISTED_REASONS else OTHERS] += 1


def _rank(severity: Severity) -> int:
    return SEVERITIES.index(severity)


def _worst_first(slices: Iterable[Slice]) -> tuple[Slice, ...]:
    def rank(each: Slice) -> tuple[float, float, int, str]:
        rate = each.success.rate
        return (2.0 if rate is None else rate, each.success.high, -each.counts.failed, each.name)

    return tuple(sorted(slices, key=rank))


def _difficulty(scenario: Scenario) -> str:
    return _level(scenario.factors["difficulty"]) if "difficulty" in scenario.factors else ""


def _level(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _sorted(counter: Mapping[Key, int]) -> list[tuple[Key, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _ranked(counter: Mapping[str, int]) -> dict[str, int]:
    return dict(_sorted(counter))
