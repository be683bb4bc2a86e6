"""TRAIL: spans of two agents with people's labels, scored as published, for rules and for what labels teach."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct

from misstep.calibration.calibrating import cross_validated
from misstep.core.event import Message
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.ingestion.ingesting import ingest
from misstep.taxonomy.trail import category_of, category_spelt, mode_for

SPLITS = {"gaia": 5.0, "swe-bench": 8.0}
"""With how many claims a trace what is learned may make there at most, on average: the one has twice the labels."""
PRECISION = 0.42
_DRAWS = 2000

Pair = tuple[str, str]
"""A span and a category."""


class Labelled(Struct, frozen=True):
    """A trace, and what people said of it."""

    trace: Trace
    pairs: frozenset[Pair]


class Scores(Struct, frozen=True):
    """As TRAIL has them, and what its recalls leave out."""

    category_f1: float
    location: float
    joint: float
    predictions: float
    """A trace."""
    precision: float
    """Of (span, category) pairs."""


def section(folder: Path) -> str:
    """For each split: the rules alone, and what is learned from labels, cross-validated."""
    lines = ["TRAIL (joint and location are recalls; 95% intervals over traces)"]
    for split, most in SPLITS.items():
        labelled = read(folder / "trail" / split)
        if labelled:
            pairs = sum(len(each.pairs) for each in labelled)
            lines.append(f"  {split}, {len(labelled)} traces, {pairs} labelled pairs of span and category")
            found = [detect(each.trace) for each in labelled]
            for name, counts in _RULES.items():
                rules = [
                    predicted(each.trace, (finding for finding in findings if counts(finding, split)))
                    for each, findings in zip(labelled, found, strict=True)
                ]
                lines.append(_line(name, rules, labelled))
            lines.append(_line("learned, five folds", learned(labelled, most), labelled))
    return "\n".join(lines)


def _written_on(finding: Finding) -> str | None:
    """The split whose development half was being read when the rule behind a finding was written, or rewritten."""
    reads_too_much = finding.mode == "instruction-not-followed" and finding.because.endswith("at once.")
    in_code = finding.mode == "malformed-output" and finding.because.startswith("What was written in event")
    if reads_too_much or in_code:
        return "swe-bench"
    return "gaia" if finding.mode in _FROM_GAIA else None


_FROM_GAIA = frozenset(
    {
        "fabricated-result",
        "false-success",
        "goal-drift",
        "handoff-not-made",
        "instruction-not-followed",
        "malformed-argument",
    }
)


_RULES: dict[str, Callable[[Finding, str], bool]] = {
    "rules, all": lambda finding, split: True,
    "rules not from here": lambda finding, split: _written_on(finding) != split,
}
"""The second has only rules that were not written while reading traces of the split it is scored on."""


def read(folder: Path) -> list[Labelled]:
    """The traces of one split that have labels."""
    found: list[Labelled] = []
    for path in sorted((folder / "traces").glob("*.json")):
        labels = folder / "labels" / path.name
        if labels.is_file():
            errors = json.loads(labels.read_text("utf-8"))["errors"]
            pairs = frozenset((each["location"], category_spelt(each["category"])) for each in errors)
            found += [Labelled(trace, pairs) for trace in ingest(path) if isinstance(trace, Trace)][:1]
    return found


def findings_of(labelled: Labelled) -> list[Finding]:
    """The labels as Findings; those of categories that no mode stands for, or of spans that left no event, are not."""
    places: dict[str, int] = {}
    for at, event in enumerate(labelled.trace.events):
        if isinstance(event.source, str) and not (isinstance(event, Message) and event.role != "agent"):
            places.setdefault(event.source, at)
    return [
        Finding(mode=mode, events=(places[span],), because=category, trace=labelled.trace.id, claimed_by="TRAIL")
        for span, category in sorted(labelled.pairs)
        if (mode := mode_for(category)) is not None and span in places
    ]


def predicted(trace: Trace, findings: Iterable[Finding]) -> frozenset[Pair]:
    """Pairs of the span that a finding's first event came from and what TRAIL calls its mode."""
    pairs: set[Pair] = set()
    for finding in findings:
        category, source = category_of(finding.mode), trace.events[finding.events[0]].source
        if category is not None and finding.present and isinstance(source, str):
            pairs.add((source, category))
    return frozenset(pairs)


def learned(labelled: Sequence[Labelled], most: float) -> list[frozenset[Pair]]:
    """What is claimed of each trace by a detector that was fitted to the labels of others, of other tasks."""
    labels = [finding for each in labelled for finding in findings_of(each)]
    claims = cross_validated([each.trace for each in labelled], labels, precision=PRECISION, claims_a_trace=most)
    return [predicted(each.trace, found) for each, found in zip(labelled, claims, strict=True)]


def score(predictions: Sequence[frozenset[Pair]], labelled: Sequence[Labelled]) -> Scores:
    """A trace without labels scores 0, as published."""
    cases = [(said, each.pairs) for said, each in zip(predictions, labelled, strict=True)]
    claimed = sum(len(said) for said, _ in cases)
    return Scores(
        category_f1=fmean(_category_f1(said, right) for said, right in cases),
        location=fmean(_share({span for span, _ in said}, {span for span, _ in right}) for said, right in cases),
        joint=fmean(_share(said, right) for said, right in cases),
        predictions=claimed / len(cases),
        precision=sum(len(said & right) for said, right in cases) / claimed if claimed else 0.0,
    )


def _share(said: set[Any] | frozenset[Any], right: set[Any] | frozenset[Any]) -> float:
    return len(said & right) / len(right) if right else 0.0


def _category_f1(said: frozenset[Pair], right: frozenset[Pair]) -> float:
    """Places ignored: how often each category was claimed and labelled, weighted by how often it was labelled."""
    claimed, labelled = (Counter(category for _, category in pairs) for pairs in (said, right))
    if not labelled:
        return 0.0
    scores = {
        category: 2 * min(claimed[category], number) / (claimed[category] + number)
        for category, number in labelled.items()
    }
    return sum(scores[category] * number for category, number in labelled.items()) / labelled.total()


def _line(name: str, predictions: Sequence[frozenset[Pair]], labelled: Sequence[Labelled]) -> str:
    whole = score(predictions, labelled)
    draws = list(_drawn(predictions, labelled))

    def told(read: Callable[[Scores], float]) -> str:
        values = sorted(map(read, draws))
        low, high = values[int(0.025 * len(values))], values[int(0.975 * len(values)) - 1]
        return f"{_two(read(whole))} [{_two(low)}, {_two(high)}]"

    return (
        f"    {name:<20} joint {told(lambda each: each.joint)}  location {told(lambda each: each.location)}"
        f"  category F1 {told(lambda each: each.category_f1)}"
        f"  {whole.predictions:.1f} predictions a trace, pair precision {told(lambda each: each.precision)}"
    )


def _drawn(predictions: Sequence[frozenset[Pair]], labelled: Sequence[Labelled]) -> Iterable[Scores]:
    """The scores of as many traces drawn with replacement, again and again."""
    chance = random.Random(0)
    for _ in range(_DRAWS):
        numbers = chance.choices(range(len(labelled)), k=len(labelled))
        yield score([predictions[number] for number in numbers], [labelled[number] for number in numbers])


def _two(value: float) -> str:
    return f"{value:.3f}".lstrip("0") if value < 1 else "1.00"
