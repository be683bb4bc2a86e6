"""tau-bench: failing runs found with the answer key and typed, and without it ranked by suspicion, grouped by task."""

import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from misstep.core.finding import Finding
from misstep.core.gist import Gist
from misstep.core.objective import Objective
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.gists import gist_of
from misstep.detectors.suspicion import Clues, clues, weighed
from misstep.diagnosis.failure_types import failure_types
from misstep.ingestion.ingesting import ingest
from misstep.ingestion.tau_objectives import objectives_in
from misstep.objectives import judge

from .measuring import grouped_auroc, logistic, share

_TYPED = Path(__file__).with_name("tau_typed.toml")


class _Run(Struct, frozen=True):
    trace: Trace
    objective: Objective
    trials: tuple[Gist, ...]
    """Those of the same task, without this one."""

    @property
    def failed(self) -> bool:
        return self.trace.origin.failed is True

    @property
    def task(self) -> str:
        return self.trace.origin.scenario or ""


def section(folder: Path) -> str:
    """Some lines for each file of runs in the folder."""
    lines = ["tau-bench"]
    for path in sorted((folder / "tau-airline").glob("*.json")):
        runs = _runs(path)
        lines += [f"  {path.stem}, {len(runs)} runs of {len({run.task for run in runs})} tasks"]
        lines += [*_with_the_key(runs), *_without_it(runs), *_found(runs)]
    return "\n".join(lines)


def _runs(path: Path) -> list[_Run]:
    objectives = objectives_in(path)
    traces = [trace for trace in ingest(path) if isinstance(trace, Trace)]
    gists: defaultdict[str, list[Gist]] = defaultdict(list)
    for trace in traces:
        gists[trace.origin.scenario or ""].append(gist_of(trace))
    return [
        _Run(
            trace,
            objectives[trace.origin.scenario or ""],
            tuple(gist for gist in gists[trace.origin.scenario or ""] if gist.trace != trace.id),
        )
        for trace in traces
    ]


def _with_the_key(runs: Sequence[_Run]) -> Iterator[str]:
    accused = [bool(judge(run.trace, run.objective)) for run in runs]
    failing = [judged for run, judged in zip(runs, accused, strict=True) if run.failed]
    passing = [judged for run, judged in zip(runs, accused, strict=True) if not run.failed]
    yield f"    with the key: failing runs found {share(sum(failing), len(failing))}"
    yield f"                  passing runs accused {share(sum(passing), len(passing))}"
    types = {(run.task, run.trace.origin.trial): _types(run) for run in runs if run.failed}
    counts = Counter(each for found in types.values() for each in found)
    yield f"                  typed: {', '.join(f'{word} {count}' for word, count in counts.most_common())}"
    typed = [
        run for run in tomllib.loads(_TYPED.read_text("utf-8"))["run"] if (f"task {run['task']}", run["trial"]) in types
    ]
    agreed = sum(types[f"task {run['task']}", run["trial"]] == run["types"] for run in typed)
    yield f"                  types as a person typed them {share(agreed, len(typed))}"


def _types(run: _Run) -> list[str]:
    return list(dict.fromkeys(each.type for each in failure_types(run.trace, run.objective)))


def _without_it(runs: Sequence[_Run]) -> Iterator[str]:
    alone = [clues(run.trace, detect(run.trace)) for run in runs]
    beside = [clues(run.trace, detect(run.trace), trials=run.trials) for run in runs]
    failed, tasks = [run.failed for run in runs], [run.task for run in runs]

    def ranked(scores: Sequence[float]) -> str:
        return grouped_auroc(scores, failed, tasks)

    yield "    without it, AUROC of failing runs, interval over tasks (.50 is chance):"
    yield f"                  one trace: length alone {ranked([float(each.events) for each in alone])}"
    yield f"                    suspicion {ranked([weighed(each) for each in alone])}"
    yield f"                    the same clues fitted, task left out {ranked(_left_out(runs, alone, _alone))}"
    yield f"                  beside the other trials: dissent alone {ranked([each.dissent or 0.0 for each in beside])}"
    yield f"                    suspicion {ranked([weighed(each) for each in beside])}"
    yield f"                    the same clues fitted, task left out {ranked(_left_out(runs, beside, _beside))}"


def _alone(each: Clues) -> list[float]:
    return [math.log1p(each.values_set), math.log(max(1, each.events)), math.log1p(each.errors), float(each.passed_on)]


def _beside(each: Clues) -> list[float]:
    return [*_alone(each), each.dissent or 0.0]


def _left_out(runs: Sequence[_Run], told: Sequence[Clues], row: Callable[[Clues], list[float]]) -> list[float]:
    """Each run scored by a logistic regression that has seen no run of its task.

    As log-odds beyond the failing share of what was fitted: without a task that always fails, failing looks rarer.
    """
    scores = [0.0] * len(runs)
    for task in {run.task for run in runs}:
        seen = [at for at, run in enumerate(runs) if run.task != task]
        failing = sum(runs[at].failed for at in seen)
        score = logistic([row(told[at]) for at in seen], [runs[at].failed for at in seen])
        usual = math.log(failing / (len(seen) - failing))
        for at, run in enumerate(runs):
            if run.task == task:
                scores[at] = score(row(told[at])) - usual
    return scores


def _found(runs: Sequence[_Run]) -> Iterator[str]:
    told = [(run, detect(run.trace, trials=run.trials)) for run in runs]
    for what, failed in (("passing", False), ("failing", True)):
        chosen = [findings for run, findings in told if run.failed is failed]
        yield f"    findings without the key on {len(chosen)} {what} runs: {_by_mode(chosen)}"
    alone = [run.failed for run, findings in told if any(each.mode == "divergent-effect" for each in findings)]
    yield f"                  runs with divergent-effect that fail {share(sum(alone), len(alone))}"


def _by_mode(found: Sequence[Sequence[Finding]]) -> str:
    counts = Counter(finding.mode for findings in found for finding in findings)
    return ", ".join(f"{mode} {count}" for mode, count in counts.most_common()) or "none"
