"""Levels to vary → the rows that scenarios are made from: all pairs first, then rows with little trouble in them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random

from misstep.core.scenario import Scalar
from misstep.synthesis.covering import Possible, Row, covering
from misstep.synthesis.factors import FACTORS

_FREE = ("register", "wording", "steps", "distractors")
"""Varied in every row: they are how people and tools are, rather than trouble."""
_MOST_TROUBLES = 4
_TRIES = 12


def rows_for(
    levels: Mapping[str, Sequence[Scalar]], *, strength: int, seed: int, possible: Possible, mixed: bool
) -> Iterator[Row]:
    """Rows without end: an array that covers all combinations, again and again; or `mixed` with milder rows.

    A row of an array is troubled in every respect at once. People are not: every other mixed row has four troubles at
    most, and what comes after the array is of that kind.
    """
    random = Random(f"rows/{seed}")
    array = list(covering(levels, strength=strength, seed=seed, possible=possible))
    for turn in count() if array else ():
        if turn:
            random.shuffle(array)
        for row in array:
            if mixed:
                yield _mild(levels, random, possible) or row
            if not (mixed and turn):
                yield row


def _mild(levels: Mapping[str, Sequence[Scalar]], random: Random, possible: Possible) -> Row | None:
    troubles = [name for name, wanted in levels.items() if name not in _FREE and len(wanted) > 1]
    for _ in range(_TRIES):
        chosen = random.sample(troubles, min(len(troubles), random.randint(0, _MOST_TROUBLES)))
        row: Row = {}
        for name, wanted in levels.items():
            usual = FACTORS[name].default
            fixed = usual if usual is not None and usual in wanted else wanted[0]
            if name == "steps":
                continue
            row[name] = random.choice(wanted) if name in chosen or name in _FREE else fixed
        if possible(row):
            return row
    return None
