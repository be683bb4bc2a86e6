"""A message and a ledger → how likely it does what, which fact it asks for, and which it gets wrong.

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
from misstep.users.weighing.forest import Forest
from misstep.users.weighing.slips import slips
from misstep.users.weighing.traits import asked, look, summed_up, weighted

Act = Literal["ask", "propose", "counter", "options", "done", "refuse", "offer"]
"""`counter`: what is wanted is not to be had, and another thing is put forward; `offer`: help in general."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What `weights.json` holds."""

    common: tuple[str, ...]
    """Stems that agents use whatever they speak of."""
    acts: dict[Act, dict[str, float]]
    asked: dict[str, float]
    """To find the clause that asks for a fact most."""
    heard: Forest
    slips: Forest


class Hearing:
    """One message, weighed as far as somebody asks. Chances between 0 and 1."""

    def __init__(self, message: str, ledger: Ledger, by: Weights | None = None) -> None:
        self._message, self._ledger, self._by = message, ledger, by or weights()
        self._common = frozenset(self._by.common)
        self._asked: dict[str, dict[str, float]] = {}

    @cached_property
    def acts(self) -> dict[Act, float]:
        seen = look(self._message, self._ledger)
        return _shares({act: weighted(seen, own) for act, own in self._by.acts.items()})

    def does(self, *acts: Act) -> float:
        return sum(self.acts[act] for act in acts)

    @cached_property
    def slips(self) -> dict[str, float]:
        """How likely the message, taken for a proposal, gets each fact wrong, by the fact's name."""
        return {
            name: self._by.slips.chance(seen) for name, seen in slips(self._message, self._ledger, self._common).items()
        }

    def asked(self, part: str = "") -> dict[str, float]:
        """How likely the message, or one part of it, asks for each fact, by the fact's name."""
        text = part or self._message
        if text not in self._asked:
            seen = asked(text, self._ledger, self._common)
            acts = {f"is {act}": share for act, share in self.acts.items()}
            summed = summed_up(seen, self._ledger, self._by.asked)
            self._asked[text] = {name: self._by.heard.chance({**each, **acts}) for name, each in summed.items()}
        return self._asked[text]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights, read at the first use."""
    data = files("misstep.users.weighing").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


def _shares(odds: Mapping[Act, float]) -> dict[Act, float]:
    top = max(odds.values())
    powers: dict[Act, float] = {act: math.exp(each - top) for act, each in odds.items()}
    total = sum(powers.values())
    return {act: each / total for act, each in powers.items()}
