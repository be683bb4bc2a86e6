"""Claims and labels → how well the claims do: precision, and the share of failures that was found."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from misstep.core.finding import Interval
from misstep.core.statistics import clustered_rate

Claims = frozenset[tuple[int, str]]
"""Of one trace: which place, which mode."""


class ModeMeasures(Struct, frozen=True, forbid_unknown_fields=True):
    """How one mode was claimed."""

    labelled: int
    claimed: int = 0
    right: int = 0


class Measures(Struct, frozen=True, forbid_unknown_fields=True):
    """What came out on traces that were left out of the fit, task by task."""

    traces: int
    tasks: int
    folds: int
    labelled: int
    claimed: int
    right: int
    found: float
    """The share of a trace's labelled failures that were claimed, at the right place and by the right name, averaged
    over the traces that have any."""
    precision: Interval
    """The share of right claims; those of one trace are not independent of each other."""
    modes: dict[str, ModeMeasures]
    """Those that were learned."""
    too_few: dict[str, int]
    """Labelled too rarely to be learned, and so never claimed."""

    @property
    def claims_a_trace(self) -> float:
        return self.claimed / self.traces


def found_share(claims: Sequence[Claims], labels: Sequence[Claims]) -> float:
    """Averaged over traces with labels; 0 where there are none."""
    shares = [len(some & right) / len(right) for some, right in zip(claims, labels, strict=True) if right]
    return sum(shares) / len(shares) if shares else 0.0


def measured(
    claims: Sequence[Claims], labels: Sequence[Claims], learned: Sequence[str], *, tasks: int, folds: int
) -> Measures:
    """All traces together."""
    labelled, claimed, right = (
        Counter(mode for pairs in each for _, mode in pairs)
        for each in (labels, claims, [some & true for some, true in zip(claims, labels, strict=True)])
    )
    return Measures(
        traces=len(labels),
        tasks=tasks,
        folds=folds,
        labelled=labelled.total(),
        claimed=claimed.total(),
        right=right.total(),
        found=round(found_share(claims, labels), 4),
        precision=clustered_rate([(len(some & true), len(some)) for some, true in zip(claims, labels, strict=True)]),
        modes={mode: ModeMeasures(labelled[mode], claimed[mode], right[mode]) for mode in learned},
        too_few={mode: number for mode, number in sorted(labelled.items()) if mode not in learned},
    )
