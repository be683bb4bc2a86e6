"""A Learned detector: weights that were fitted to people's labels, in a file that needs nothing else to be used."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from misstep import taxonomy
from misstep.calibration.agent import Agent, Familiarity
from misstep.calibration.features import VERSION, Described, Features, described
from misstep.calibration.measures import Measures
from misstep.core.errors import FormatError, UsageError
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors import detect

FORMAT = "misstep.learned/1"


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the likeliest are claimed: those whose probability reaches the threshold."""

    threshold: float
    sharing: float
    """How much the threshold rises with the number of failures that a trace is expected to have (to this power):
    0 asks the same of every trace; with 1 each trace gets its few likeliest."""
    precision: float
    """What was asked for: the share of right claims among all."""
    reached: bool
    """Whether any threshold reached it on traces that were left out."""


class Learned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT, dict=True):
    """What labels taught about the failures of one agent."""

    name: str
    version: int = 1
    features: int
    """The version of the features that the weights are for."""
    taxonomy: str
    rules: dict[str, int]
    """The versions of the detectors whose findings are among the features."""
    modes: tuple[str, ...]
    weights: dict[str, tuple[float, ...]]
    """By feature, one for each mode."""
    offsets: tuple[float, ...]
    slope: float
    """Log-odds are multiplied by it, and `shift` added, to be as sure as it is right on traces that were left out."""
    shift: float
    choice: Choice
    agent: Agent
    measures: Measures

    def findings(self, trace: Trace, rules: Sequence[Finding] | None = None) -> tuple[Finding, ...]:
        """What it claims of a trace, by place; `rules` are what the built-in detectors found there, where known."""
        found = described(trace, detect(trace) if rules is None else rules)
        familiarity = self.agent.familiarity(trace, found, self.weights)
        chosen = chosen_from([self.probabilities(each.features) for each in found], self.choice)
        claims = (self._claim(trace, found[place], mode, chance, familiarity) for place, mode, chance in chosen)
        return tuple(sorted(claims, key=lambda claim: (claim.events, claim.mode)))

    def familiarity(self, trace: Trace) -> Familiarity:
        """How far the trace is of the agent that this was fitted for."""
        return self.agent.familiarity(trace, described(trace), self.weights)

    def probabilities(self, given: Features) -> tuple[float, ...]:
        """One for each mode, as fitted."""
        sums = list(self.offsets)
        for name, value in given.items():
            weights = self.weights.get(name)
            if weights is not None:
                for number, weight in enumerate(weights):
                    sums[number] += weight * value
        return tuple(map(_chance, sums))

    def _claim(self, trace: Trace, at: Described, mode: int, chance: float, familiarity: Familiarity) -> Finding:
        sure = _chance(self.slope * log_odds(chance) + self.shift)
        name = self.modes[mode]
        known = taxonomy.modes().get(name)
        return Finding(
            mode=name,
            events=at.place.events[:1],
            because=self._because(name, sure, familiarity),
            trace=trace.id,
            severity=known.severity if known else "medium",
            confidence=round(sure * familiarity.share, 3),
            claimed_by=f"learned:{self.name}",
            version=self.version,
            taxonomy=self.taxonomy,
            asi=tuple(each.id for each in known.owasp if each.relation == "direct") if known else (),
        )

    def _because(self, mode: str, sure: float, familiarity: Familiarity) -> str:
        cases = self.measures.modes[mode].labelled
        said = f"It looks like the {cases} places that people labelled {mode}: a chance of {_told(sure)}."
        if familiarity.strange:
            said += f" But this may not be the agent that it was fitted for: {'; '.join(familiarity.strange)}."
        return said


def _told(chance: float) -> str:
    return "over 99%" if chance > 0.99 else f"{chance:.0%}"


def chosen_from(chances: Sequence[Sequence[float]], choice: Choice) -> list[tuple[int, int, float]]:
    """The (place, mode, probability) that reach the threshold of this trace."""
    least = choice.threshold * expected(chances) ** choice.sharing
    return [
        (place, mode, chance)
        for place, row in enumerate(chances)
        for mode, chance in enumerate(row)
        if chance >= least > 0
    ]


def expected(chances: Sequence[Sequence[float]]) -> float:
    """How many failures a trace is expected to have."""
    return max(sum(map(sum, chances)), 1e-9)


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def log_odds(chance: float) -> float:
    held = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(held / (1 - held))


_LARGEST = 1e6
"""No fitted weight comes near it."""


class _Header(Struct):
    format: object = None


_encoder = msgspec.json.Encoder(order="deterministic")


def save(learned: Learned, path: Path) -> None:
    """Written as JSON: opening the file runs nothing."""
    path.write_bytes(_encoder.encode(learned) + b"\n")


def load(path: Path) -> Learned:
    """What cannot be used raises an error that says why: another format, or features of another version."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        said = msgspec.json.decode(content, type=_Header).format
        if said != FORMAT:
            raise FormatError(f"{path} says that its format is {said!r}; a learned detector has {FORMAT!r}.")
        learned = msgspec.json.decode(content, type=Learned)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FormatError(f"{path} is no learned detector: {error}.") from None
    if learned.features != VERSION:
        raise UsageError(
            f"{path} was fitted on version {learned.features} of the features, and this is version {VERSION}."
            " Fit it again: misstep calibrate --from LABELS."
        )
    width = len(learned.modes)
    if len(learned.offsets) != width or any(len(row) != width for row in learned.weights.values()):
        raise FormatError(f"{path} has weights for another number of modes than its {width}.")
    if missing := set(learned.modes) - set(learned.measures.modes):
        raise FormatError(f"{path} does not say how {min(missing)} was measured.")
    if learned.slope <= 0 or not _are_weights((*learned.offsets, learned.slope, learned.shift)):
        raise FormatError(f"{path} has weights that no fit gives.")
    if not all(_are_weights(row) for row in learned.weights.values()):
        raise FormatError(f"{path} has weights that no fit gives.")
    return learned


def _are_weights(numbers: Iterable[float]) -> bool:
    return all(abs(number) <= _LARGEST for number in numbers)
