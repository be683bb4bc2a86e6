"""Who&When: is the named agent the guilty one, and the named step the guilty step; exact match, beside a plain rule."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.diagnosis.culprit import suspects
from misstep.diagnosis.evidence import WEIGHTS, Accused, evidence
from misstep.diagnosis.turns import turns
from misstep.ingestion.ingesting import ingest

from .measuring import Row, ranker, share

_FITTED_ON = "algorithm-generated"


class _Label(Struct):
    mistake_agent: str
    mistake_step: str


class _Case(Struct, frozen=True):
    trace: Trace
    accused: tuple[Accused, ...]
    agent: str
    step: int

    def source(self, at: int) -> object:
        return self.trace.events[at].source

    @property
    def rows(self) -> list[Row]:
        return [_amounts(each) for each in self.accused]

    @property
    def right(self) -> int | None:
        """The turn of the labelled step; none where that step is no turn of an agent."""
        return next((at for at, each in enumerate(self.accused) if self.source(each.turn.at) == self.step), None)


class _Tally(Struct):
    agents: int = 0
    steps: int = 0
    among_three: int = 0
    n: int = 0

    def add(self, case: _Case, guesses: Sequence[tuple[str, int]]) -> None:
        """Guesses are actors and places in the trace, the likeliest first."""
        self.n += 1
        self.agents += guesses[0][0] == case.agent
        self.steps += case.source(guesses[0][1]) == case.step
        self.among_three += case.step in [case.source(at) for _, at in guesses[:3]]

    def told(self, *, three: bool = True) -> str:
        line = f"agent {share(self.agents, self.n)}, step {share(self.steps, self.n)}"
        return f"{line}, step among the first three {share(self.among_three, self.n)}" if three else line


def section(folder: Path) -> str:
    """A few lines for each part of the set that is in the folder."""
    parts = [each for each in sorted((folder / "who-and-when").glob("*")) if each.is_dir()]
    cases = {part.name: list(_cases(part)) for part in parts}
    return "\n".join(["Who&When, exact match", *(line for name in cases for line in _part(name, cases))])


def _cases(part: Path) -> Iterator[_Case]:
    for path in sorted(part.glob("*.json")):
        label = msgspec.json.decode(path.read_bytes(), type=_Label)
        for trace in ingest(path):
            if isinstance(trace, Trace):
                yield _Case(trace, evidence(trace, detect(trace)), label.mistake_agent, int(label.mistake_step))


def _part(name: str, cases: Mapping[str, Sequence[_Case]]) -> Iterator[str]:
    plain, running, ruled, fitted = _Tally(), _Tally(), _Tally(), _Tally()
    for at, case in enumerate(cases[name]):
        plain.add(case, [_first_acting(case.trace)])
        running.add(case, [_first_running(case.trace)])
        ruled.add(case, _guesses(case, WEIGHTS))
        known = cases.get(_FITTED_ON, ())
        others = [*known[:at], *known[at + 1 :]] if name == _FITTED_ON else known
        if others:
            fitted.add(case, _guesses(case, _fitted(others)))
    how = "each left out of its own fit" if name == _FITTED_ON else f"fitted on {_FITTED_ON} only"
    yield f"  {name}, n {len(cases[name])}"
    yield f"    first acting turn  {plain.told(three=False)}"
    yield f"    first that ran     {running.told(three=False)}"
    yield f"    culprit, unfitted  {ruled.told()}"
    yield f"    culprit, fitted    {fitted.told()}; {how}"


def _first_acting(trace: Trace) -> tuple[str, int]:
    """A plain rule: the first turn in words after the opening one, or that one where it had something run."""
    taken = turns(trace)
    spoken = [turn for turn in taken[1:] if turn.kind == "said"]
    chosen = spoken[0] if spoken and not taken[0].runs else taken[0]
    return chosen.actor, chosen.at


def _first_running(trace: Trace) -> tuple[str, int]:
    """Another: the first turn that had something run, and where nobody had, the first that acts by the other rule."""
    first = next((turn for turn in turns(trace) if turn.runs), None)
    return (first.actor, first.at) if first else _first_acting(trace)


def _guesses(case: _Case, weights: Mapping[str, float]) -> list[tuple[str, int]]:
    return [(each.actor, each.at) for each in suspects(case.accused, weights)]


def _amounts(accused: Accused) -> dict[str, float]:
    return {each.kind: each.amount for each in accused.evidence}


def _fitted(cases: Sequence[_Case]) -> dict[str, float]:
    """Weights for the same evidence, learnt from labels."""
    choices = [(case.rows, right) for case in cases if (right := case.right) is not None]
    return ranker(choices, dict.fromkeys(WEIGHTS, 0.0))
