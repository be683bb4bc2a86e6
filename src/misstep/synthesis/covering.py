"""Levels of factors → few rows in which every possible combination of t levels occurs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random

from misstep.core.scenario import Scalar

Row = dict[str, Scalar]
Possible = Callable[[Mapping[str, Scalar]], bool]
"""Whether a row, of which some levels may not be set yet, breaks no rule so far. What it once denies, it denies for
every row that has those levels and more."""

_Cell = tuple[int, int]
"""A factor's place and its level's."""
_Tuple = tuple[_Cell, ...]
_CANDIDATES = {1: 4, 2: 24}
_FEW = 4
"""Candidates for each row at strengths where one costs much."""


def anything(_: Mapping[str, Scalar]) -> bool:
    return True


def covering(
    levels: Mapping[str, Sequence[Scalar]], *, strength: int = 2, seed: int = 0, possible: Possible = anything
) -> tuple[Row, ...]:
    """Rows that have every combination of `strength` levels that some possible row has; the same for the same seed.

    Greedy: row by row, each the best of a few that grow from a combination which is still missing.
    """
    table = _Table(levels, possible)
    strength = min(strength, len(table.names))
    if strength < 1:
        return ({},) if possible({}) else ()
    missing = {each: None for each in combined(table, strength) if table.completed(dict(each)) is not None}
    random = Random(f"covering/{seed}")
    rows: list[Row] = []
    while missing:
        row = _best_row(table, missing, strength, random)
        for each in combinations(sorted(row.items()), strength):
            missing.pop(each, None)
        rows.append(table.as_row(row))
    return tuple(rows)


def lower_bound(levels: Mapping[str, Sequence[Scalar]], *, strength: int = 2) -> int:
    """No array without rules between its levels has fewer rows than this."""
    sizes = sorted((len(each) for each in levels.values()), reverse=True)[:strength]
    bound = 1
    for size in sizes:
        bound *= size
    return bound


class _Table:
    """Factors and levels as numbers, and which of them go together."""

    def __init__(self, levels: Mapping[str, Sequence[Scalar]], possible: Possible) -> None:
        self.names = tuple(levels)
        self.levels = tuple(tuple(each) for each in levels.values())
        self._possible = possible

    def as_row(self, cells: Mapping[int, int]) -> Row:
        return {self.names[at]: self.levels[at][cells[at]] for at in sorted(cells)}

    def allows(self, cells: Mapping[int, int]) -> bool:
        return self._possible({self.names[at]: self.levels[at][level] for at, level in cells.items()})

    def completed(self, cells: dict[int, int]) -> dict[int, int] | None:
        """The first whole row with these levels, by trying; None where there is none."""
        if not self.allows(cells):
            return None
        left = [at for at in range(len(self.names)) if at not in cells]
        return self._tried(cells, {}, left)[0]

    def _tried(
        self, cells: Mapping[int, int], chosen: Mapping[int, int], left: Sequence[int]
    ) -> tuple[dict[int, int] | None, frozenset[int]]:
        """A whole row, or the factors whose levels are to blame that there is none: others need not be tried anew."""
        if not left:
            return {**cells, **chosen}, frozenset()
        here = left[0]
        blamed = frozenset[int]()
        barred: list[int] = []
        for level in range(len(self.levels[here])):
            if not self.allows({**cells, **chosen, here: level}):
                barred.append(level)
                continue
            whole, why = self._tried(cells, {**chosen, here: level}, left[1:])
            if whole is not None or here not in why:
                return whole, why
            blamed |= why - {here}
        return None, blamed | self._barring(cells, chosen, here, barred)

    def _barring(
        self, cells: Mapping[int, int], chosen: Mapping[int, int], here: int, barred: Sequence[int]
    ) -> frozenset[int]:
        """The choices, as few as will do, that leave a factor none of these levels."""
        kept = dict(chosen)
        for at in reversed(tuple(chosen)):
            less = {each: level for each, level in kept.items() if each != at}
            if not any(self.allows({**cells, **less, here: level}) for level in barred):
                kept = less
        return frozenset(kept)


def combined(table: _Table, strength: int) -> Iterator[_Tuple]:
    """Every combination of levels of that many factors."""
    for places in combinations(range(len(table.names)), strength):
        for chosen in product(*(range(len(table.levels[at])) for at in places)):
            yield tuple(zip(places, chosen, strict=True))


def _best_row(table: _Table, missing: Mapping[_Tuple, None], strength: int, random: Random) -> dict[int, int]:
    best: dict[int, int] = {}
    most = -1
    waiting = list(missing)
    for _ in range(_CANDIDATES.get(strength, _FEW)):
        row = _grown(table, missing, strength, dict(random.choice(waiting)), random)
        gain = sum(each in missing for each in combinations(sorted(row.items()), strength))
        if gain > most:
            best, most = row, gain
    return best


def _grown(
    table: _Table, missing: Mapping[_Tuple, None], strength: int, cells: dict[int, int], random: Random
) -> dict[int, int]:
    """Give each further factor, in a random order, the level that adds most of what is missing."""
    start = dict(cells)
    order = [at for at in range(len(table.names)) if at not in cells]
    random.shuffle(order)
    for at in order:
        others = list(combinations(sorted(cells.items()), strength - 1))
        choices = [(_gain(others, (at, level), missing), level) for level in range(len(table.levels[at]))]
        random.shuffle(choices)
        ranked = (level for _, level in sorted(choices, key=lambda each: -each[0]))
        level = next((level for level in ranked if table.allows({**cells, at: level})), None)
        if level is None:  # a dead end, which rules over several factors can lead to
            return table.completed(start) or start
        cells[at] = level
    return cells


def _gain(others: Sequence[_Tuple], cell: _Cell, missing: Mapping[_Tuple, None]) -> int:
    if others and len(others[0]) == 1:  # pairs, which most arrays are made of
        return sum(((some, cell) if some < cell else (cell, some)) in missing for (some,) in others)
    return sum(tuple(sorted((*some, cell))) in missing for some in others)
