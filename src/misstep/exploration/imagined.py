"""Rows that were tried → the row that would show most of the failures that are still to be imagined: those of trouble.

Hundreds of failures are drawn beforehand, each from one to four levels that set it off together, none of them the
mildest of its factor: just the level, or the level and any harsher one. Nobody knows how often a failure strikes where
it could: a row that could have shown it makes it less likely, and never rules it out. So the first row is harsh in
every respect, and the next ones turn to what such a row leaves out: levels that are not the harshest of their factor.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from misstep.core.scenario import Scalar
from misstep.exploration.thompson import Possible, Row, anything

_MANY = 700
"""More of them pick hardly better rows."""
_SIZES = (1, 2, 3, 4)
_OR_HARSHER = 0.5
"""The chance of a level to stand for any harsher one too. Which factors are graded, nobody is asked."""

_ROUNDING = 1e-9
_TRIES = 12
"""So many are drawn for each that is possible, at most."""

_Needs = dict[int, range]
"""Factors by their place, and the levels of each that will do."""


class Imagined:
    """Remembers how often each imagined failure could have shown."""

    def __init__(self, space: Mapping[str, Sequence[Scalar]], random: Random, possible: Possible = anything) -> None:
        """A factor's levels come mildest first."""
        self._space = {name: tuple(levels) for name, levels in space.items()}
        self._possible = possible
        self._names = tuple(self._space)
        self._places = {(name, level): at for name in self._names for at, level in enumerate(self._space[name])}
        self._failures = list(islice(self._drawn(random), _MANY))
        self._promise = [1.0] * len(self._failures)
        self._tried = [0] * len(self._failures)
        self._with: list[list[int]] = [[] for _ in self._names]
        for number, needs in enumerate(self._failures):
            for factor in needs:
                self._with[factor].append(number)

    def tell(self, row: Row) -> None:
        """A row that is tried."""
        for number in self._shown(row):
            self._tried[number] += 1
            tried = self._tried[number]
            # What a failure that strikes any share of the times still promises after so many trials without it.
            self._promise[number] = 2 / ((tried + 1) * (tried + 2))

    def worth(self, row: Row) -> float:
        """What the row could show, each failure by what it still promises."""
        return sum(self._promise[number] for number in self._shown(row))

    def row(self, random: Random) -> dict[str, Scalar]:
        """From levels at random, one changed after another for as long as that makes the row worth more.

        Of what is not possible, the next best; a factor of which no level is possible with the others is left out.
        """
        levels = [random.randrange(len(self._space[name])) for name in self._names]
        missing = self._climb(levels, random)
        row: dict[str, Scalar] = {}
        for factor in random.sample(range(len(levels)), len(levels)):  # none is always the last, which may be given up
            name, worth = self._names[factor], self._worth(factor, levels[factor], missing)
            for level in sorted(range(len(worth)), key=lambda at, worth=worth: worth[at], reverse=True):
                if self._possible({**row, name: self._space[name][level]}):
                    row[name] = self._space[name][level]
                    self._change(factor, levels, level, missing)
                    break
        return row

    def _drawn(self, random: Random) -> Iterator[_Needs]:
        varied = [at for at, name in enumerate(self._names) if len(self._space[name]) > 1]
        for _ in range(_TRIES * _MANY if varied else 0):
            needs: _Needs = {}
            for factor in random.sample(varied, min(len(varied), random.choice(_SIZES))):
                many = len(self._space[self._names[factor]])
                level = random.randrange(1, many)
                needs[factor] = range(level, many if random.random() < _OR_HARSHER else level + 1)
            named = ((self._names[factor], random.choice(will_do)) for factor, will_do in needs.items())
            if self._possible({name: self._space[name][level] for name, level in named}):
                yield needs

    def _climb(self, levels: list[int], random: Random) -> list[int]:
        """Changes the levels; gives how many of its needs each failure misses in the end."""
        missing = [sum(levels[factor] not in will_do for factor, will_do in needs.items()) for needs in self._failures]
        climbing = True
        while climbing:
            climbing = False
            for factor in random.sample(range(len(levels)), len(levels)):
                worth = self._worth(factor, levels[factor], missing)
                best = max(range(len(worth)), key=worth.__getitem__)
                if worth[best] > worth[levels[factor]] * (1 + _ROUNDING):
                    climbing = True
                    self._change(factor, levels, best, missing)
        return missing

    def _worth(self, factor: int, now: int, missing: Sequence[int]) -> list[float]:
        """What each level of a factor adds to the row, the others being as they are."""
        worth = [0.0] * len(self._space[self._names[factor]])
        for number in self._with[factor]:
            will_do = self._failures[number][factor]
            if missing[number] == (now not in will_do):
                for level in will_do:
                    worth[level] += self._promise[number]
        return worth

    def _change(self, factor: int, levels: list[int], level: int, missing: list[int]) -> None:
        now, levels[factor] = levels[factor], level
        for number in self._with[factor]:
            will_do = self._failures[number][factor]
            missing[number] += (level not in will_do) - (now not in will_do)

    def _shown(self, row: Row) -> list[int]:
        levels = [self._places.get((name, row[name]), -1) if name in row else -1 for name in self._names]
        return [
            number
            for number, needs in enumerate(self._failures)
            if all(levels[factor] in will_do for factor, will_do in needs.items())
        ]
