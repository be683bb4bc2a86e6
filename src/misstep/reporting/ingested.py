"""Traces that were read → what a person is told of them, and of what was lost on the way."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from misstep.core.trace import Trace
from misstep.ingestion.nouns import Loss
from misstep.reporting.figures import counted, percent
from misstep.reporting.tables import Column, plain, spaced, table


class Ingested:
    """Counters over many files."""

    def __init__(self) -> None:
        self.traces = 0
        self._of: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._actors: Counter[str] = Counter()
        self._lost: Losses = Losses()

    def add(self, trace: Trace) -> None:
        dialect = trace.origin.dialect or "misstep"
        self.traces += 1
        self._of[dialect] += 1
        self._events[dialect] += len(trace.events)
        self._actors.update({event.actor for event in trace.events})

    def finish(self, losses: Iterable[Loss]) -> None:
        """A file is through."""
        self._lost.add(losses)

    @property
    def rows(self) -> Sequence[tuple[str, int, int]]:
        return [(dialect, traces, self._events[dialect]) for dialect, traces in self._of.most_common()]

    @property
    def losses(self) -> tuple[Loss, ...]:
        return self._lost.together()


class Losses:
    """The losses of several files, added up."""

    def __init__(self) -> None:
        self._lost: Counter[str] = Counter()
        self._of: Counter[str] = Counter()
        self._advice: dict[str, str] = {}

    def add(self, losses: Iterable[Loss]) -> None:
        for loss in losses:
            self._lost[loss.what] += loss.lost
            self._of[loss.what] += loss.of
            self._advice.setdefault(loss.what, loss.advice)

    def together(self) -> tuple[Loss, ...]:
        """The commonest first."""
        ranked = sorted(self._lost, key=lambda what: (-self._lost[what] / self._of[what], what))
        return tuple(Loss(what, self._lost[what], self._of[what], self._advice[what]) for what in ranked)


def ingested_text(ingested: Ingested, *, unread: int = 0) -> RenderableType:
    """What was read, by dialect, and what is missing in it."""
    parts: list[RenderableType] = []
    if ingested.traces:
        columns = (Column("Read as", least=20), Column("traces", right=True), Column("events", right=True))
        rows = [
            (plain(name, "bold"), plain(f"{traces:,}"), plain(f"{events:,}")) for name, traces, events in ingested.rows
        ]
        parts.append(table(columns, rows))
    else:
        parts.append(Text("No trace was read."))
    if unread:
        parts.append(plain(f"{counted(unread, 'record')} could not be read.", "yellow"))
    parts += losses_text(ingested.losses)
    return spaced(parts)


def losses_text(losses: Sequence[Loss]) -> Iterable[Text]:
    """A line for each thing that is missing."""
    for loss in losses:
        told = plain(f"{percent(loss.lost / loss.of)} of {loss.of:,}: {loss.what}.")
        yield Text.assemble(told, " ", plain(loss.advice, "dim")) if loss.advice else told
