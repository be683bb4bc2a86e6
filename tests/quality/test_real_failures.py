"""Real failures of other people's agents: who is blamed for them, and which runs are taken for failures."""

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from misstep.core.gist import Gist
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.gists import gist_of
from misstep.detectors.suspicion import suspicion
from misstep.diagnosis.culprit import culprit
from misstep.diagnosis.turns import turns
from misstep.ingestion.ingesting import ingest
from misstep.ingestion.tau_objectives import objectives_in
from misstep.objectives import judge


class Label(msgspec.Struct):
    mistake_agent: str
    mistake_step: str


@pytest.fixture(scope="module")
def data(project: Path) -> Path:
    folder = Path(os.environ.get("MISSTEP_DATA", project.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"there are no real traces at {folder}; MISSTEP_DATA names another folder")
    return folder


@pytest.fixture(scope="module")
def runs(data: Path) -> list[Trace]:
    return [trace for trace in ingest(data / "tau-airline" / "gpt-4o.json") if isinstance(trace, Trace)]


def conversations(folder: Path) -> list[tuple[Trace, Label]]:
    return [
        (trace, msgspec.json.decode(path.read_bytes(), type=Label))
        for path in sorted(folder.glob("*.json"))
        for trace in ingest(path)
        if isinstance(trace, Trace)
    ]


def first_acting(trace: Trace) -> int:
    taken = turns(trace)
    spoken = [turn.at for turn in taken[1:] if turn.kind == "said"]
    return spoken[0] if spoken and not taken[0].runs else taken[0].at


def hits(places: Sequence[int], told: Sequence[tuple[Trace, Label]]) -> tuple[int, int]:
    """How many agents, and how many steps, are the right ones."""
    agents = steps = 0
    for at, (trace, label) in zip(places, told, strict=True):
        agents += trace.events[at].actor == label.mistake_agent
        steps += str(trace.events[at].source) == label.mistake_step
    return agents, steps


@pytest.mark.parametrize(("part", "better"), [("algorithm-generated", True), ("hand-crafted", False)])
def test_the_culprit_is_no_worse_than_blaming_the_first_acting_turn(data: Path, part: str, better: bool) -> None:
    told = conversations(data / "who-and-when" / part)
    named = [culprit(trace, detect(trace)) for trace, _ in told]
    agents, steps = hits([each.at if each else 0 for each in named], told)
    plain_agents, plain_steps = hits([first_acting(trace) for trace, _ in told], told)
    assert agents >= plain_agents + better
    assert steps >= plain_steps + better


def test_with_its_answers_just_the_failing_runs_of_tau_bench_are_accused(data: Path, runs: list[Trace]) -> None:
    objectives = objectives_in(data / "tau-airline" / "gpt-4o.json")
    wrong = [
        trace.id
        for trace in runs
        if bool(judge(trace, objectives[trace.origin.scenario or ""])) is not trace.origin.failed
    ]
    assert wrong == []


@pytest.mark.parametrize(("beside", "least"), [(False, 0.75), (True, 0.83)])
def test_failing_runs_are_more_suspicious_than_passing_ones(runs: list[Trace], beside: bool, least: float) -> None:
    gists: defaultdict[str | None, list[Gist]] = defaultdict(list)
    for trace in runs:
        gists[trace.origin.scenario].append(gist_of(trace))
    scores = {
        trace.id: suspicion(
            trace,
            detect(trace),
            trials=[gist for gist in gists[trace.origin.scenario] if beside and gist.trace != trace.id],
        )
        for trace in runs
    }
    failing = [scores[trace.id] for trace in runs if trace.origin.failed]
    passing = [scores[trace.id] for trace in runs if not trace.origin.failed]
    above = sum((a > b) + 0.5 * (a == b) for a in failing for b in passing)
    assert above / (len(failing) * len(passing)) >= least
