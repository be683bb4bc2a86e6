"""Trials, one at a time → the few conversations that a report shows: some a failure mode, from many scenarios."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct, structs

from misstep.core.finding import Finding, Verdict
from misstep.core.trace import Trace
from misstep.reporting.counting import Counting, shown
from misstep.reporting.summary import Summary
from misstep.store.manifest import Manifest
from misstep.store.trial import Trial
from misstep.synthesis.flaws import Flaws

UNEXPLAINED = "failed without a finding"
INVALID = "invalid"

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


def digest(manifest: Manifest, trials: Iterable[Trial], *, flaws: Flaws | None = None) -> Digest:
    """Read all trials once; keep counters and a bounded number of conversations. `flaws` are those of the tools."""
    counting, examples = Counting(manifest), Examples()
    for trial in trials:
        counting.add(trial)
        examples.add(trial)
    summary = structs.replace(counting.summary(), flaws=flaws)
    return Digest(manifest, summary, examples.groups((*summary.modes, UNEXPLAINED, INVALID)))


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
