"""A message and a ledger → how likely it does what, which fact it asks for, and which it gets wrong.

The weights were fitted to labelled exchanges (`tests/unit/users/phrasings/fitting.py`). No rule reads them, and they
read no rule, so that where both hear the same it is hardly ever something else."""

import math
from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from misstep.users.ledger import Ledger
from misstep.users.weighing.deeds import Act, Deed, Facts, deed
from misstep.users.weighing.forest import Forest
from misstep.users.weighing.slips import slips
from misstep.users.weighing.ties import tied
from misstep.users.weighing.traits import Traits, asked, look, summed_up, weighted
from misstep.wording.thesaurus import grouped

_NEVER = -30.0
"""The odds of what never happens."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What `weights.json` holds."""

    common: tuple[str, ...]
    """Stems that agents use whatever they speak of."""
    acts: dict[Act, dict[str, float]]
    asked: dict[str, float]
    """To find the clause that asks for a fact most."""
    ties: dict[str, dict[str, float]]
    """Which words go with what a fact is."""
    heard: Forest
    slips: Forest
    misgivings: Forest = Forest((), _NEVER, ())


class Hearing:
    """One message, weighed as far as somebody asks. Chances between 0 and 1."""

    def __init__(self, message: str, ledger: Ledger, by: Weights | None = None) -> None:
        self._message, self._ledger, self._by = message, ledger, by or weights()
        self._common = frozenset(self._by.common)
        self._asked: dict[str, Facts] = {}

    @cached_property
    def acts(self) -> dict[Act, float]:
        seen = look(self._message, self._ledger)
        return _shares({act: weighted(seen, own) for act, own in self._by.acts.items()})

    def does(self, *acts: Act) -> float:
        return sum(self.acts[act] for act in acts)

    @property
    def slips(self) -> Mapping[str, float]:
        """How likely the message, taken for a proposal, gets each fact wrong, by the fact's name."""
        return self._slips.chances

    @property
    def names_nothing(self) -> bool:
        """There is no value in it, the person's or another, that could be wrong."""
        return all(each.get("quite clear") for each in self._slips.traits.values())

    @property
    def knows_the_names(self) -> bool:
        """Most of the facts go by words that people use of everyday matters: it is of these that the weights know."""
        strange = sum(any(not groups for _, groups in grouped(entry.name)) for entry in self._ledger.entries)
        return strange * 2 <= len(self._ledger.entries)

    @cached_property
    def _slips(self) -> Facts:
        seen = slips(self._message, self._ledger, self._common)
        return Facts({name: self._by.slips.chance(each) for name, each in seen.items()}, seen)

    def asked(self, part: str = "") -> Mapping[str, float]:
        """How likely the message, or one part of it, asks for each fact, by the fact's name."""
        return self._asked_in(part or self._message).chances

    def _asked_in(self, text: str) -> Facts:
        if text not in self._asked:
            acts = {f"is {act}": share for act, share in self.acts.items()}
            ties = tied(text, self._ledger, self._by.ties)
            summed = summed_up(asked(text, self._ledger, self._common), self._ledger, self._by.asked, ties)
            chances = {name: self._by.heard.chance({**each, **acts}) for name, each in summed.items()}
            self._asked[text] = Facts(chances, summed)
        return self._asked[text]

    def of_deed(self, what: Deed, about: Collection[str]) -> Traits:
        """What a person is about to do, in numbers."""
        heard = self._asked_in(self._message)
        return deed(what, about, self._message, self._ledger, acts=self.acts, asked=heard, slips=self._slips)

    def misread(self, seen: Traits) -> float:
        """How likely what is about to be done rests on a misreading."""
        return self._by.misgivings.chance(seen)


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
