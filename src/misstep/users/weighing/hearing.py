"""A message and a ledger → how likely it does what, and how likely it asks for which fact.

The weights were fitted to labelled exchanges (`tests/unit/users/phrasings/fitting.py`). No rule reads them, and they
read no rule, so that where both hear the same it is hardly ever something else."""

import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.users.ledger import Ledger
from misstep.users.weighing.traits import Traits, asked, look

Act = Literal["ask", "propose", "options", "done", "refuse", "offer"]


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What `weights.json` holds."""

    common: tuple[str, ...]
    """Stems that agents use whatever they speak of."""
    acts: dict[Act, dict[str, float]]
    asked: dict[str, float]


class Hearing:
    """One message, weighed as far as somebody asks. Chances between 0 and 1."""

    def __init__(self, message: str, ledger: Ledger, by: Weights | None = None) -> None:
        self._message, self._ledger, self._by = message, ledger, by or weights()
        self._asked: dict[str, dict[str, float]] = {}

    @cached_property
    def acts(self) -> dict[Act, float]:
        seen = look(self._message, self._ledger)
        return _shares({act: _sum(seen, own) for act, own in self._by.acts.items()})

    def does(self, *acts: Act) -> float:
        return sum(self.acts[act] for act in acts)

    def asked(self, part: str = "") -> dict[str, float]:
        """How likely the message, or one part of it, asks for each fact, by the fact's name."""
        text = part or self._message
        if text not in self._asked:
            own = self._by.asked
            known = _sum({f"is {act}": share for act, share in self.acts.items()}, own)
            listed = asked(text, self._ledger, frozenset(self._by.common))
            weighed = [(_sum(each.shape, own), each.facts) for each in listed]
            self._asked[text] = {
                name: _chance(known + max((shape + _sum(facts[name], own) for shape, facts in weighed), default=0.0))
                for name in (entry.name for entry in self._ledger.entries)
            }
        return self._asked[text]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights, read at the first use."""
    data = files("misstep.users.weighing").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


def _sum(traits: Traits, own: Mapping[str, float]) -> float:
    return sum(own.get(name, 0.0) * much for name, much in traits.items())


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _shares(odds: Mapping[Act, float]) -> dict[Act, float]:
    top = max(odds.values())
    powers: dict[Act, float] = {act: math.exp(each - top) for act, each in odds.items()}
    total = sum(powers.values())
    return {act: each / total for act, each in powers.items()}
