"""A message and a ledger → how likely it does what, and how likely it asks for which fact.

The weights were fitted to labelled exchanges (`tests/unit/users/phrasings/fitting.py`). No rule reads them, and they
read no rule, so that where both hear the same it is hardly ever something else."""

import math
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct, structs

from misstep.users.ledger import Ledger
from misstep.users.weighing.traits import Traits, asked, look

Act = Literal["ask", "propose", "options", "done", "refuse", "offer"]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What `weights.json` holds."""

    common: tuple[str, ...]
    """Stems that agents use whatever they speak of."""
    acts: dict[Act, dict[str, float]]
    asked: dict[str, float]


class Hearing(Struct, frozen=True):
    """Chances between 0 and 1."""

    acts: dict[Act, float]
    asked: dict[str, float]
    """By the fact's name."""
    by: Weights

    def does(self, *acts: Act) -> float:
        return sum(self.acts[act] for act in acts)

    def of(self, part: str, ledger: Ledger) -> "Hearing":
        """The same message, with what one part of it asks for."""
        return structs.replace(self, asked=_asked(part, ledger, self.acts, self.by))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights, read at the first use."""
    data = files("misstep.users.weighing").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


def hear(message: str, ledger: Ledger, by: Weights | None = None) -> Hearing:
    """Weigh a message once."""
    by = by or weights()
    seen = look(message, ledger)
    acts = _shares({act: _sum(seen, own) for act, own in by.acts.items()})
    return Hearing(acts, _asked(message, ledger, acts, by), by)


def _asked(text: str, ledger: Ledger, acts: Mapping[Act, float], by: Weights) -> dict[str, float]:
    known = _sum({f"is {act}": share for act, share in acts.items()}, by.asked)
    return {
        name: _chance(max((_sum(each, by.asked) for each in listed), default=0.0) + known)
        for name, listed in asked(text, ledger, frozenset(by.common)).items()
    }


def _sum(traits: Traits, own: Mapping[str, float]) -> float:
    return sum(own.get(name, 0.0) * much for name, much in traits.items())


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _shares(odds: Mapping[Act, float]) -> dict[Act, float]:
    top = max(odds.values())
    powers: dict[Act, float] = {act: math.exp(each - top) for act, each in odds.items()}
    total = sum(powers.values())
    return {act: each / total for act, each in powers.items()}
