"""Trials that failed without a finding → why, counted by kind: what differs from trial to trial only is left out."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from misstep.core.finding import Verdict
from misstep.core.trace import End, Trace
from misstep.reporting.summary import Reason
from misstep.reporting.visible import one_line
from misstep.store.trial import Trial

OTHERS = "other reasons"

_LONGEST = 300
_LISTED = 40
_LISTED_A_SCENARIO = 6

_ENDS: Mapping[End, str] = {
    "gave-up": "the user gave up",
    "turns": "turns used up",
    "calls": "calls used up",
    "seconds": "time used up",
    "agent-raised": "the agent raised",
    "agent-hung": "the agent hung",
    "agent-nonsense": "no text came",
}
_SPENT: frozenset[End] = frozenset({"gave-up", "turns", "calls", "seconds"})

# Ids, amounts and dates; but the line of a file is the same each time that it is reached.
_PARTICULAR = re.compile(r"(?<!\bline )(?<![\w.@-])[\w.@-]*\d[\w.@-]*(?<![.-])")


class Reasons:
    """Counters by kind of reason, each with the first trial that gave it."""

    def __init__(self) -> None:
        self._trials: Counter[str] = Counter()
        self._first: dict[str, tuple[str, str, int]] = {}
        self._differing: set[str] = set()
        self._brief: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, trial: Trial) -> None:
        told = first_reason(trial.verdict, trial.trace)[:_LONGEST]
        kind = alike(told)
        # Reasons may quote what was said and never repeat: past a bound they are counted together.
        if kind not in self._trials and len(self._trials) >= _LISTED:
            kind = told = OTHERS
        self._trials[kind] += 1
        first = self._first.setdefault(kind, (told, trial.scenario.name, trial.trial))
        if told != first[0]:
            self._differing.add(kind)
        brief = self._brief[trial.scenario.name]
        words = in_a_few_words(trial)
        if words in brief or len(brief) < _LISTED_A_SCENARIO:
            brief[words] += 1

    @property
    def trials(self) -> int:
        return self._trials.total()

    def rows(self) -> tuple[Reason, ...]:
        """Most frequent first."""
        ranked = sorted(self._trials.items(), key=lambda item: (item[0] == OTHERS, -item[1], item[0]))
        return tuple(self._row(kind, trials) for kind, trials in ranked)

    def _row(self, kind: str, trials: int) -> Reason:
        told, scenario, trial = self._first[kind]
        return Reason(reason=kind if kind in self._differing else told, trials=trials, scenario=scenario, trial=trial)

    def of(self, scenario: str) -> dict[str, int]:
        """The reasons of one scenario in a few words, most frequent first."""
        return dict(sorted(self._brief[scenario].items(), key=lambda item: (-item[1], item[0])))


def first_reason(verdict: Verdict, trace: Trace) -> str:
    """The first check that was not met, or what was raised: not that a limit was reached before it was met."""
    reasons = verdict.reasons[1:] if trace.end in _SPENT and len(verdict.reasons) > 1 else verdict.reasons
    return next(iter(reasons), trace.error or "No reason was given.")


def alike(reason: str) -> str:
    """The same text for reasons that differ in ids and numbers only."""
    return _PARTICULAR.sub("…", reason)


def in_a_few_words(trial: Trial) -> str:
    """For a table's cell: how it ended, where that was not regular, or the reason."""
    end = _ENDS.get(trial.trace.end)
    if end is None:
        return one_line(alike(first_reason(trial.verdict, trial.trace)), 48).rstrip(".")
    raised = re.match(r"\w+", trial.trace.error or "") if trial.trace.end == "agent-raised" else None
    return f"{end} {raised[0]}" if raised else end
