"""The manifest of a run folder, `run.json`: what was run, and how far its files have come."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.core.player import Player
from misstep.core.scenario import Scenario

FORMAT = "misstep.run/1"

Phase = Literal[
    "running",  # trials are being added to the journals
    "placing",  # complete files lie beside the ones that they replace
    "finished",
]


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT):
    """What was run. A run with another of the fields above `trials` is another run."""

    agent: str
    tools: str
    seed: int
    scenarios: tuple[str, ...]
    """Their names, in order."""
    digest: str
    """Of what the scenarios say."""
    code: str = ""
    """Of the files that the agent and the tools come from, where they are files."""
    version: str = ""
    """Misstep's own."""
    first: int = 1
    """The number of the first trial of each scenario: another than 1 where a single trial was asked for."""
    trials: int = 1
    """Trials of each scenario."""
    scenarios_at: str | None = None
    """Where the scenarios came from, where they are not the world's own."""
    only: str | None = None
    timeout_s: float = 30.0
    user: Player | None = None
    """Who was asked to play the persons; without a word on it, the model that is named."""
    user_model: str | None = None
    """The model that plays them; none where the plain person does."""
    again: str | None = None
    """The command that leads to the like, for what `misstep run` did not make and cannot repeat."""
    grows: bool = False
    """Scenarios or trials are added as it goes, so that what it was begun with is no mark of it."""
    phase: Phase = "running"
    kept: int = 0
    """How many trials of each scenario the finished files hold."""
    kept_scenarios: int = 0
    """Of how many scenarios, from the first, the finished files hold trials."""

    @property
    def size(self) -> int:
        return len(self.scenarios) * self.trials


class Plan:
    """Every trial of a run has a place in one order: by scenario, then by number."""

    def __init__(self, manifest: Manifest) -> None:
        self.names = manifest.scenarios
        self.first = manifest.first
        self.trials = manifest.trials
        self._kept, self._kept_scenarios = manifest.kept, manifest.kept_scenarios
        self._at = {name: at for at, name in enumerate(manifest.scenarios)}

    def __len__(self) -> int:
        return len(self.names) * self.trials

    def place(self, scenario: str, trial: int) -> int | None:
        at = self._at.get(scenario)
        if at is None or not 0 <= trial - self.first < self.trials:
            return None
        return at * self.trials + trial - self.first

    def kept(self, place: int) -> bool:
        """Whether the finished files hold this trial."""
        scenario, offset = divmod(place, self.trials)
        return offset < self._kept and scenario < self._kept_scenarios

    def trial_at(self, place: int) -> tuple[int, int]:
        """The index of the scenario and the number of the trial."""
        scenario, offset = divmod(place, self.trials)
        return scenario, self.first + offset


_NAMED = {
    "agent": "agent",
    "tools": "tools",
    "seed": "seed",
    "scenarios": "scenarios",
    "digest": "what the scenarios say",
    "code": "the code of the agent or the tools",
    "version": "Misstep's version",
    "first": "which trial",
    "user_model": "the model that plays the users",
    "grows": "that it grows as it goes",
}


def differences(old: Manifest, new: Manifest) -> Iterator[str]:
    """What makes them two runs, each in a few words."""
    for field, words in _NAMED.items():
        if old.grows and new.grows and field in ("scenarios", "digest"):
            continue
        was, now = getattr(old, field), getattr(new, field)
        if was == now or (field == "digest" and old.scenarios != new.scenarios):
            continue
        if field in ("agent", "tools", "seed", "version", "first", "user_model"):
            yield f"{words} ({was} there, {now} here)"
        else:
            yield words


def digest_of(scenarios: Sequence[Scenario]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for scenario in scenarios:
        digest.update(msgspec.json.encode(scenario, order="deterministic"))
    return digest.hexdigest()


def encode_manifest(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def decode_manifest(data: bytes, *, place: str) -> Manifest:
    try:
        return msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            f"{place} is no manifest of a run ({error}). It may come from another version of Misstep: "
            f"this one reads {FORMAT!r}."
        ) from None
