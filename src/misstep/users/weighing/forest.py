"""Traits and a table of boosted trees → a chance."""

import math
from functools import cached_property

from msgspec import Struct

from misstep.users.weighing.traits import Traits


class Node(Struct, frozen=True, array_like=True):
    """Where to go on: by one trait, or nowhere."""

    trait: int
    """Its place in the list of traits; of a leaf, -1."""
    bound: float
    """Up to it one goes to the first of the two; of a leaf, what it adds."""
    low: int = 0
    high: int = 0


class Forest(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Trees, each of which adds something to the odds."""

    traits: tuple[str, ...]
    always: float
    trees: tuple[tuple[Node, ...], ...]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.traits)}

    def chance(self, of: Traits) -> float:
        """A trait that is not there is nought."""
        seen = [0.0] * len(self.traits)
        for name, much in of.items():
            if (at := self._places.get(name)) is not None:
                seen[at] = much
        odds = self.always + sum(_leaf(tree, seen) for tree in self.trees)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _leaf(tree: tuple[Node, ...], seen: list[float]) -> float:
    node = tree[0]
    while node.trait >= 0:
        node = tree[node.low if seen[node.trait] <= node.bound else node.high]
    return node.bound
