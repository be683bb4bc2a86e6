"""Explorer: a budget of trials → scenarios picked where failures are likely, a batch at a time.

Five ways to pick take turns, so that none can lead astray for long: plain chance, which says what is still unseen; at
first trouble, by the failures that can be imagined of it (see imagined); then what was tried least together (see
untried), levels that brought something new, and parts of rows that led to rare ways (see novelty and corpus), of which
two the one that brought more of late is taken more often.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal

from msgspec import Struct, structs

from misstep.core.scenario import Scalar, Scenario
from misstep.core.trace import Trace
from misstep.exploration.corpus import Corpus
from misstep.exploration.coverage import coverage
from misstep.exploration.imagined import Imagined
from misstep.exploration.levels import SUMS_UP, in_order
from misstep.exploration.novelty import Explored, Novelty, kind_of
from misstep.exploration.outcome import Outcome
from misstep.exploration.sizes import Size, size_of
from misstep.exploration.thompson import Possible, Row, Thompson, anything
from misstep.exploration.untried import Untried

Make = Callable[[Row, int], Scenario | None]
"""A scenario with these levels, made from a seed; None where there is none.

The levels that matter most come first: where not all can be had, the last ones are to be given up first."""
Why = Literal["chance", "trouble", "untried", "drawn", "mutated"]
Place = tuple[str, int]
"""A scenario's name and the number of a trial."""
Found = tuple[Scenario, Row]
"""A scenario, with the levels that it has."""

_FIRST: tuple[Why | None, ...] = ("trouble", "trouble", "trouble", "trouble", "chance")
_AT_FIRST = 20
"""Who picks first, over and over, and for how many picks: what sixteen rows of trouble do not show, it rarely holds."""
_TURNS: tuple[Why | None, ...] = ("untried", None, "untried", None, "chance")
"""Who picks then; None is for the one that brought more of late."""
_TRIES = 12
_WHY = "why"


class Pick(Struct, frozen=True, kw_only=True):
    """A trial to run: of this scenario, with this number."""

    scenario: Scenario
    trial: int
    why: Why


class Explorer:
    """Proposes trials and is told how they came out.

    The same seed and the same outcomes give the same picks, in whatever order those of a batch are told.
    """

    def __init__(
        self,
        space: Mapping[str, Sequence[Scalar]] | None = None,
        make: Make | None = None,
        *,
        possible: Possible = anything,
        pool: Sequence[Scenario] = (),
        seed: int = 0,
    ) -> None:
        """A factor's levels come mildest first. Without a space, the factors of the pool make it.

        Where it is known what is possible, a row gives up just the levels that clash with others.
        """
        self._space = {name: tuple(levels) for name, levels in (space or space_of(pool)).items() if levels}
        self._make = make
        self._possible = possible
        self._pool = tuple(pool)
        self._random = Random(f"explore/{seed}")
        self._thompson = Thompson(self._space)
        self._whys = Thompson({_WHY: ("drawn", "mutated")})
        self._imagined = Imagined(self._space, self._random, possible)
        self._untried = Untried(self._space, possible)
        self._corpus = Corpus()
        self._novelty = Novelty()
        self._known: dict[str, Scenario] = {}
        self._runs: Counter[str] = Counter()
        self._picks = 0
        self._waiting: dict[Place, tuple[Pick, Row]] = {}
        self._told: dict[Place, tuple[Outcome, frozenset[str], Size]] = {}

    def propose(self, n: int) -> tuple[Pick, ...]:
        """So many trials; fewer where no scenario is to be had. What was told is learnt first."""
        self._learn()
        picks: list[Pick] = []
        while len(picks) < n and (pick := self._pick()):
            picks.append(pick)
        return tuple(picks)

    def tell(self, outcome: Outcome, trace: Trace) -> None:
        """How a pick came out; of anything else nothing is learnt."""
        self._told[outcome.scenario, outcome.trial] = outcome, coverage(trace), size_of(trace)

    def explored(self) -> Explored:
        self._learn()
        return self._novelty.explored()

    def _learn(self) -> None:
        for place in [place for place in self._waiting if place in self._told]:
            pick, row = self._waiting.pop(place)
            outcome, ways, size = self._told.pop(place)
            gain = self._novelty.gain(outcome, ways, size, by_chance=pick.why == "chance")
            self._thompson.tell(row, gain.best)
            self._whys.tell({_WHY: pick.why}, gain.best)
            if outcome.passed is not None:
                kind = kind_of(outcome)
                self._corpus.add(row, ways | {f"failure: {kind}"} if kind else ways)
        self._told.clear()

    def _pick(self) -> Pick | None:
        turns = _FIRST if self._picks < _AT_FIRST else _TURNS
        turn = turns[self._picks % len(turns)]
        self._picks += 1
        for _ in range(_TRIES):
            why = turn or self._leader()
            found = self._from_pool(why) if self._make is None else self._made(self._fitted(self._row(why)))
            if found is not None:
                return self._placed(*found, why)
        return None

    def _leader(self) -> Why:
        mutated = len(self._corpus) > 0 and self._whys.row(self._random)[_WHY] == "mutated"
        return "mutated" if mutated else "drawn"

    def _row(self, why: Why) -> dict[str, Scalar]:
        if why == "chance":
            names = self._random.sample(list(self._space), len(self._space))
            return {name: self._random.choice(self._space[name]) for name in names}
        if why == "trouble":
            return self._imagined.row(self._random)
        if why == "untried":
            return self._untried.row(self._random)
        if why == "mutated":
            return self._untried.row(self._random, self._corpus.part(self._random))
        return self._thompson.row(self._random)

    def _fitted(self, row: Row) -> Row:
        """What can be had of a row: a level that clashes with those before it is given up alone."""
        kept: dict[str, Scalar] = {}
        for name, level in row.items():
            if self._possible({**kept, name: level}):
                kept[name] = level
        return kept

    def _made(self, row: Row) -> Found | None:
        """A scenario made for the row; where that cannot be, the one of the pool that is most like it."""
        made = self._make(row, self._random.getrandbits(32)) if self._make is not None else None
        if made is not None:
            return made, self._real(made, row)
        return self._best_of_pool(lambda each: _alike(each, row))

    def _from_pool(self, why: Why) -> Found | None:
        if why == "chance" and self._pool:
            scenario = self._random.choice(self._pool)
            return scenario, self._real(scenario)
        if why == "trouble":
            return self._best_of_pool(lambda each: self._imagined.worth(each.factors))
        if why == "untried":
            return self._best_of_pool(lambda each: self._untried.worth(each.factors))
        if why == "mutated":
            row = self._row(why)
            return self._best_of_pool(lambda each: _alike(each, row))
        worth = self._thompson.worth(self._random)
        return self._best_of_pool(lambda each: sum(worth.get(level, 0.0) for level in each.factors.items()))

    def _best_of_pool(self, worth: Callable[[Scenario], float]) -> Found | None:
        """Among the scenarios that ran least, the one that is worth most."""
        if not self._pool:
            return None
        least = min(self._runs[scenario.name] for scenario in self._pool)
        waiting = [scenario for scenario in self._pool if self._runs[scenario.name] == least]
        self._random.shuffle(waiting)  # so that any of equals may be first
        best = max(waiting, key=worth)
        return best, self._real(best)

    def _placed(self, scenario: Scenario, row: Row, why: Why) -> Pick:
        """Two scenarios of one name get a name each; the same scenario again is its next trial."""
        name, twin = scenario.name, 1
        while self._known.setdefault(scenario.name, scenario) != scenario:
            twin += 1
            scenario = structs.replace(scenario, name=f"{name}-{twin}")
        self._runs[scenario.name] += 1
        self._imagined.tell(row)
        self._untried.tell(row)
        pick = Pick(scenario=scenario, trial=self._runs[scenario.name], why=why)
        self._waiting[scenario.name, pick.trial] = pick, row
        return pick

    def _real(self, scenario: Scenario, asked: Row | None = None) -> dict[str, Scalar]:
        """The levels that a scenario has, where it says so: its maker may not have been able to give it all."""
        said = {**(asked or {}), **scenario.factors}
        return {name: said[name] for name, levels in self._space.items() if name in said and said[name] in levels}


def _alike(scenario: Scenario, row: Row) -> int:
    return len(scenario.factors.items() & row.items())


def space_of(pool: Sequence[Scenario]) -> dict[str, tuple[Scalar, ...]]:
    """The factors of some scenarios, and their levels in order: mildest first, as far as numbers and no or yes go."""
    names = sorted({name for scenario in pool for name in scenario.factors if name != SUMS_UP})
    return {name: in_order(each.factors[name] for each in pool if name in each.factors) for name in names}
