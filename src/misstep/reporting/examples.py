"""Trials, one at a time → the few conversations that a report shows, and which of them to read first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from misstep.core.finding import Finding, Verdict
from misstep.core.trace import Trace
from misstep.reporting.cards import anchors_of, earliest
from misstep.reporting.commands import command
from misstep.reporting.counting import Counting, shown
from misstep.reporting.reasons import OTHERS, alike, first_reason
from misstep.reporting.summary import Failing, First, SetAside, Start, Summary
from misstep.store.disputes import DISPUTED, Dispute
from misstep.store.manifest import Manifest
from misstep.store.trial import Trial
from misstep.synthesis.flaws import Flaws

UNEXPLAINED = "failed without a finding"
INVALID = "invalid"
OUTCOMES = (UNEXPLAINED, DISPUTED, INVALID)
"""Groups of conversations that are shown for how they ended, not for a mode."""

EXAMPLES_A_MODE = 6
EXAMPLES = 150


class Example(Struct, frozen=True, kw_only=True):
    """One conversation, with the findings that it is shown for and the modes of its others."""

    scenario: str
    summary: str
    wanted: str
    """What success would have been, in a sentence."""
    trial: int
    seed: int
    trace: Trace
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    others: tuple[str, ...] = ()
    strained: bool = False


class Group(Struct, frozen=True):
    """The conversations that are shown for one failure mode, of so many."""

    mode: str
    total: int
    examples: tuple[Example, ...]


class Digest(Struct, frozen=True):
    """All that a report is made from."""

    manifest: Manifest
    summary: Summary
    groups: tuple[Group, ...]
    folder: str = ""
    """Where the run is; empty where it is in none."""


def digest(
    manifest: Manifest, trials: Iterable[Trial], *, flaws: Flaws | None = None, lapsed: Iterable[Dispute] = ()
) -> Digest:
    """Read all trials once; keep counters and a bounded number of conversations. `flaws` are those of the tools."""
    counting, examples = Counting(manifest), Examples()
    for trial in trials:
        counting.add(trial)
        examples.add(trial)
    summary = counting.summary()
    groups = examples.groups((*summary.modes, *OUTCOMES))
    old = [
        SetAside(scenario=each.scenario, because=each.label.because, by=each.label.claimed_by, trials=0)
        for each in lapsed
    ]
    start = start_of(manifest, summary, groups)
    return Digest(manifest, structs.replace(summary, flaws=flaws, lapsed=tuple(old), start=start), groups)


def start_of(manifest: Manifest, summary: Summary, groups: Sequence[Group]) -> Start:
    """Where a reader of this run starts: with what failed, else with what broke, else with more trials."""
    failing = [Failing(what=row.mode, trials=row.failed, mode=row.mode) for row in summary.failures if row.failed]
    failing += [Failing(what=each.reason, trials=each.trials) for each in summary.reasons]
    failing.sort(key=lambda each: (each.what == OTHERS, -each.trials))
    first = _first(groups, failing)
    again = command(manifest, first.scenario, first.trial) if first else command(manifest)
    if not first and not summary.decided:
        why, again = "Says which verdicts are set aside, and why", "misstep dispute --list"
    elif not first and summary.passed and manifest.again is None:
        why = "Nothing failed: more trials make that surer"
        again = command(structs.replace(manifest, trials=max(5, 2 * manifest.trials)))
    else:
        why = "Runs that one again, once something is changed" if first else "Runs all of it again"
    return Start(failing=tuple(failing), first=first, why=why, command=again)


def _first(groups: Sequence[Group], failing: Sequence[Failing]) -> First | None:
    """A short conversation that shows what fails most often; where nothing failed, one that broke on our side."""
    wanted = (failing[0].mode or UNEXPLAINED) if failing else INVALID
    anchors = anchors_of(group.mode for group in groups)
    for group in groups:
        told = [
            (_other(example, failing), example.strained, len(example.trace.events), place, example)
            for place, example in enumerate(group.examples, 1)
            if group.mode == wanted and (not failing or example.verdict.outcome == "fail")
        ]
        if told:
            *_, place, example = min(told, key=lambda each: each[:-1])
            anchor = f"{anchors[wanted]}-{place}"
            return First(scenario=example.scenario, trial=example.trial, because=title_of(example), anchor=anchor)
    return None


def _other(example: Example, failing: Sequence[Failing]) -> bool:
    """Does it show something else than what fails most often?"""
    return bool(failing) and not example.findings and alike(title_of(example)) != alike(failing[0].what)


def title_of(example: Example) -> str:
    """What it is shown for, in a sentence."""
    if example.findings:
        return earliest(example.findings).because
    return first_reason(example.verdict, example.trace)


class Examples:
    """Up to so many conversations a mode; one of a scenario not seen yet takes the place of a scenario's second."""

    def __init__(self, *, each: int = EXAMPLES_A_MODE, most: int = EXAMPLES) -> None:
        self._each = each
        self._most = most
        self._kept: defaultdict[str, list[Example]] = defaultdict(list)
        self._seen: Counter[str] = Counter()

    def add(self, trial: Trial) -> None:
        if trial.verdict.outcome == "invalid":
            self._offer(INVALID, trial, ())
            return
        if trial.verdict.outcome == "disputed":
            self._offer(DISPUTED, trial, trial.findings)
            return
        findings = shown(trial)
        for mode in dict.fromkeys(finding.mode for finding in findings):
            self._offer(mode, trial, findings)
        if not findings and trial.verdict.outcome == "fail":
            self._offer(UNEXPLAINED, trial, ())

    def _offer(self, mode: str, trial: Trial, findings: tuple[Finding, ...]) -> None:
        self._seen[mode] += 1
        kept = self._kept[mode]
        if len(kept) >= self._each:
            repeats = Counter(example.scenario for example in kept)
            name = trial.scenario.name
            twice = [place for place, example in enumerate(kept) if repeats[example.scenario] > 1]
            if name in repeats or not twice:
                return
            del kept[twice[-1]]
        kept.append(self._example(mode, trial, findings))

    def _example(self, mode: str, trial: Trial, findings: tuple[Finding, ...]) -> Example:
        objective = trial.scenario.objective
        return Example(
            scenario=trial.scenario.name,
            summary=trial.scenario.summary,
            wanted=objective.statement if objective else "",
            trial=trial.trial,
            seed=trial.seed,
            trace=trial.trace,
            verdict=trial.verdict,
            findings=tuple(finding for finding in findings if finding.mode == mode),
            strained=trial.strained,
            others=tuple(dict.fromkeys(finding.mode for finding in findings if finding.mode != mode)),
        )

    def groups(self, order: Iterable[str]) -> tuple[Group, ...]:
        """In this order of modes. Where all together are too many, each mode gives up its last ones first."""
        named = [mode for mode in order if self._kept.get(mode)]
        allowed: Counter[str] = Counter()
        for turn in range(self._each):
            for mode in named:
                if turn < len(self._kept[mode]) and allowed.total() < self._most:
                    allowed[mode] += 1
        return tuple(Group(mode, self._seen[mode], tuple(self._kept[mode][: allowed[mode]])) for mode in named)
