"""Labelled traces, made ready to learn from: their places, features and labels, fitted again and again."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from misstep.calibration.choosing import Chances
from misstep.calibration.features import Described, described
from misstep.calibration.fitting import Fitted, Matrix, Weights
from misstep.calibration.folds import task_of
from misstep.calibration.measures import Claims
from misstep.calibration.places import place_at
from misstep.core.errors import UsageError
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors import detect

_LEAST_CASES = 4
_LEAST_TASKS = 3
"""A mode is learned from no fewer labelled places, in traces of no fewer tasks."""


class Lessons:
    """What there is to learn from. Traces are named by their number."""

    def __init__(
        self, traces: Sequence[Trace], labels: Sequence[Claims], found: Sequence[tuple[Described, ...]]
    ) -> None:
        self.traces = traces
        self.labels = labels
        self.described = found
        self.tasks = tuple(task_of(trace) for trace in traces)
        self.modes = tuple(sorted({mode for pairs in labels for _, mode in pairs}))
        self._starts = (0, *accumulate(len(each) for each in found))
        self._matrix = Matrix([each.features for places in found for each in places])

    @classmethod
    def of(cls, traces: Sequence[Trace], labels: Iterable[Finding]) -> "Lessons":
        """Only what people say is true of these traces is learned; the claims of detectors are not."""
        found = [described(trace, detect(trace)) for trace in traces]
        return cls(traces, tuple(_placed(traces, found, labels)), found)

    def learnable(self, traces: Iterable[int]) -> tuple[str, ...]:
        """The modes that are labelled often enough among these."""
        cases: Counter[str] = Counter()
        tasks: defaultdict[str, set[str]] = defaultdict(set)
        for at in traces:
            for _, mode in self.labels[at]:
                cases[mode] += 1
                tasks[mode].add(self.tasks[at])
        return tuple(mode for mode in self.modes if cases[mode] >= _LEAST_CASES and len(tasks[mode]) >= _LEAST_TASKS)

    def fit(self, traces: Sequence[int], looseness: float) -> "Model":
        """One that knows these traces only."""
        modes = self.learnable(traces)
        rows = list(self._rows(traces))
        labels = [
            [(place, mode) in self.labels[at] for at in traces for place in range(len(self.described[at]))]
            for mode in modes
        ]
        return Model(self, modes, self._matrix.fit(rows, labels, looseness))

    def chances(self, fitted: Fitted, modes: Sequence[str], traces: Sequence[int]) -> list[Chances]:
        """A mode that was not learned has no chance."""
        columns = [modes.index(mode) if mode in modes else None for mode in self.modes]
        said = [
            [0.0 if column is None else row[column] for column in columns]
            for row in fitted.chances(list(self._rows(traces)))
        ]
        ends = list(accumulate(len(self.described[at]) for at in traces))
        return [said[start:end] for start, end in pairwise((0, *ends))]

    def _rows(self, traces: Iterable[int]) -> Iterator[int]:
        for at in traces:
            yield from range(self._starts[at], self._starts[at + 1])


class Model:
    """What some of the lessons taught."""

    def __init__(self, lessons: Lessons, modes: tuple[str, ...], fitted: Fitted) -> None:
        self._lessons = lessons
        self._fitted = fitted
        self.modes = modes

    def chances(self, traces: Sequence[int]) -> list[Chances]:
        """For each trace and each of its places, one for each mode of the lessons."""
        return self._lessons.chances(self._fitted, self.modes, traces)

    def weights(self) -> Weights:
        return self._fitted.weights()


def _placed(
    traces: Sequence[Trace], found: Sequence[tuple[Described, ...]], labels: Iterable[Finding]
) -> Iterator[Claims]:
    numbers = {trace.id: number for number, trace in enumerate(traces)}
    if len(numbers) != len(traces):
        raise UsageError("Two of the traces have the same id, so that nobody can tell which of them a label is of.")
    where = [place_at(tuple(each.place for each in places)) for places in found]
    pairs: list[set[tuple[int, str]]] = [set() for _ in traces]
    strangers = 0
    for label in labels:
        number = numbers.get(label.trace)
        if number is None:
            strangers += 1
        elif label.present and label.events and not label.claimed_by.startswith(("detector:", "learned:")):
            place = where[number].get(label.events[0])
            if place is not None:
                pairs[number].add((place, label.mode))
    if strangers and not any(pairs):
        raise UsageError(
            f"None of the {strangers} labels is of one of these {len(traces)} traces: they name other trace ids."
            " Give the traces that were labelled."
        )
    yield from map(frozenset, pairs)
