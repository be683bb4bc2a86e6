"""Trials until a rare failure is seen for the first time: the explorer beside uniform drawing, as a ratio.

Agents are planted with a failure that two to four levels of the factors set off together: of a graded factor the level
or any harsher one, of another just the level. Each of the seeds plants another failure, drawn so that fewer than two in
a hundred uniform trials show it. Four kinds of plant:

- stages: what sets it off is trouble, no level the mildest, and each part of it leaves a mark in the agent's calls;
- trouble: the same without the marks, so that calls show no more than the factors do by themselves;
- hidden: the same with factors that do not show in the calls at all;
- anything: mild levels too, and just these, which nothing but chance can lead to.

Each is shown with the failures that the explorer's first constants were chosen on (`plant`), and with others (`held`).
Later ones were chosen on `tune2` and `tune3`, after a look at `held` and `later` too; `last` was run once, at the end.

Then plants drawn without any taste: one to three levels at random, the mildest as likely as the harshest, for every
third also with what the agent did (one tool right after another). The explorer's constants were chosen on those of
`--drawn tuning`: only those of another name say anything. No search beats chance by much where nothing leads to a
failure: even to try each of many combinations once, in turn, takes 0.72 of the median trials that chance takes.

And `zoo`, without a word about factors: the embedded agent on synthesized scenarios of the embedded shop, with
a trip-wire in it, as in "after an error, when the user has spoken nine times". Until it trips it is `zoo:sound`, so
that its conversation says for every wire whether it trips. Uniform is trials of uniform rows there, in any order, each
of which loses all levels after the first that clashes with those before it. The explorer knows what is possible, and
gives up just the levels that clash; `zoo/fitted` holds the same searches against uniform rows that do so too, and thus
says what the picks are worth without that knowledge.

Chance plays a great part in every single search: each seed's figure is the median of several with the same plant
(but for the embedded agent's explorer, whose trials take time).
"""

import argparse
import asyncio
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, count, islice, product
from random import Random

from msgspec import Struct, structs
from planted_failures import MOST, NOTHING, SPACE, Plant, Row, any_plant, conversation, plant, uniform_row

from misstep.catalog import agent_named, toolbox_named
from misstep.core.scenario import Scalar, Scenario
from misstep.core.trace import Trace
from misstep.exploration.exploring import Explorer
from misstep.exploration.outcome import Outcome
from misstep.simulation.trial import run_trial
from misstep.synthesis.synthesizing import maker_of

UNIFORM_SEARCHES, EXPLORER_SEARCHES = 25, 5
_BATCH = 8
_GIVE_UP = 3_000
_LONGEST = 600

Try = tuple[Row, Trace]


def trials_uniform(planted: Plant, seed: str) -> int:
    random = Random(f"uniform/{seed}")
    for trial in range(1, _GIVE_UP + 1):
        row = uniform_row(random)
        if planted.strikes(row, conversation(row, planted, random) if planted.steps else None, random):
            return trial
    return _GIVE_UP


def trials_exploring(planted: Plant, seed: str) -> int:
    """Nothing is told of the failure before it strikes."""
    random = Random(f"strikes/{seed}")
    tries = enumerate(search(planted, seed), 1)
    return next((at for at, (row, trace) in tries if planted.strikes(row, trace, random) or at == _GIVE_UP), _GIVE_UP)


def search(planted: Plant, seed: str) -> Iterator[Try]:
    random = Random(f"agent/{seed}")
    names = count(1)

    def make(row: Row, seed: int) -> Scenario:
        return Scenario(name=f"s{next(names)}", seed=seed, factors=dict(row))

    explorer = Explorer(SPACE, make, seed=random.getrandbits(32))
    while True:
        for pick in explorer.propose(_BATCH):
            row = pick.scenario.factors
            trace = conversation(row, planted, random)
            yield row, trace
            explorer.tell(
                Outcome(scenario=pick.scenario.name, trial=pick.trial, factors=row, passed=True),
                trace,
            )


def chances(seed: str) -> Iterator[Try]:
    random = Random(f"chance/{seed}")
    while True:
        row = uniform_row(random)
        yield row, conversation(row, NOTHING, random)


def drawn(name: str, plants: int, searches: int) -> None:
    """One search serves all plants, none of which shows in anything before it strikes."""
    exploring = [list(islice(search(NOTHING, f"{name}/{at}"), _LONGEST)) for at in range(searches)]
    uniform = [list(islice(chances(f"{name}/{at}"), _LONGEST)) for at in range(2 * searches)]
    groups: dict[str, list[float]] = {}
    for at in range(plants):
        planted = any_plant(f"{name}/{at}")
        one, other = (statistics.median(_sights(planted, tries)) for tries in (uniform, exploring))
        show(f"{name}/{at}", one, other, f"  {planted.group:8}{planted}")
        for group in (planted.group, "all"):
            groups.setdefault(group, []).append(other / one)
    for group, ratios in sorted(groups.items()):
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else 3 * ratios
        print(
            f"{name}, {group}: {len(ratios)} plants, ratio {middle:.2f} (quartiles {low:.2f} and {high:.2f}, "
            f"{min(ratios):.2f} to {max(ratios):.2f}), {sum(ratio > 1 for ratio in ratios)} above 1",
            flush=True,
        )


def _sights(planted: Plant, searches: list[list[Try]]) -> list[int]:
    """The first in each search; several times, since a failure that strikes at times may have struck at others."""
    found: list[int] = []
    random = Random("sights")
    for tries in searches:
        due = [
            at
            for at, (row, trace) in enumerate(tries, 1)
            if structs.replace(planted, often=1.0).strikes(row, trace, random)
        ]
        found += [next((at for at in due if random.random() < planted.often), _LONGEST) for _ in range(5)]
    return found


class Wire(Struct, frozen=True):
    """What an agent stumbles over: a conversation that is so long in every one of these respects."""

    limits: dict[str, int]

    def trips(self, size: Mapping[str, int]) -> bool:
        return all(size[name] >= limit for name, limit in self.limits.items())


def size_of(trace: Trace) -> dict[str, int]:
    said = [message.text for _, message in trace.messages if message.role == "user"]
    return {
        "errors": sum(each.result is not None and each.result.is_error for each in trace.exchanges),
        "calls": len(trace.exchanges),
        "tools": len({each.call.tool for each in trace.exchanges}),
        "turns": len(said),
        "longest": max(map(len, said), default=0) // 100,
    }


def wires(sizes: list[dict[str, int]]) -> list[Wire]:
    """All that two or three limits make, and that trip fewer than two in a hundred trials, but not just one."""
    found: dict[frozenset[int], Wire] = {}
    for names in chain.from_iterable(combinations(sizes[0], many) for many in (2, 3)):
        for limits in product(*(sorted({size[name] for size in sizes} - {0}) for name in names)):
            wire = Wire(dict(zip(names, limits, strict=True)))
            trips = frozenset(at for at, size in enumerate(sizes) if wire.trips(size))
            if 2 <= len(trips) < MOST * len(sizes):
                found.setdefault(trips, wire)
    return sorted(found.values(), key=lambda wire: sorted(wire.limits.items()))


class Zoo:
    """The embedded agent in the embedded shop, in scenarios made for rows."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._tools, self._agent = toolbox_named("world:shop"), agent_named("zoo:sound")
        self._maker = self._loop.run_until_complete(maker_of(self._tools.make, seed=0))
        self.space = {name: tuple(levels) for name, levels in self._maker.varied.items()}
        self.possible = self._maker.possible

    def make(self, row: Row, seed: int) -> Scenario | None:
        near = dict(row)
        while near and not self._maker.possible(near):
            near.popitem()
        made = self._loop.run_until_complete(self._maker.make(near))
        return made.scenario if made else None

    def run(self, scenario: Scenario) -> Trace:
        trial = run_trial(scenario, 1, seed=0, make_agent=self._agent.make, make_toolbox=self._tools.make)
        return self._loop.run_until_complete(trial).trace

    def uniform(self, count: int, *, fitted: bool = False) -> list[dict[str, int]]:
        """What cannot be had of a row is given up in any order."""
        random = Random("zoo")
        sizes: list[dict[str, int]] = []
        while len(sizes) < count:
            row = {name: random.choice(self.space[name]) for name in random.sample(list(self.space), len(self.space))}
            scenario = self.make(self._fitted(row) if fitted else row, random.getrandbits(32))
            sizes.extend([size_of(self.run(scenario))] if scenario else [])
        return sizes

    def _fitted(self, row: Row) -> Row:
        kept: dict[str, Scalar] = {}
        for name, level in row.items():
            if self.possible({**kept, name: level}):
                kept[name] = level
        return kept


def zoo(count: int, seeds: int) -> None:
    subject = Zoo()
    sizes, fitted = subject.uniform(count), subject.uniform(count, fitted=True)
    drawn = wires(sizes)
    chosen = [Random(f"wire/{seed}").choice(drawn) for seed in range(seeds)]
    exploring = statistics.median(_until(wire, subject, seed) for seed, wire in enumerate(chosen))
    for name, trials in (("zoo", sizes), ("zoo/fitted", fitted)):
        show(name, statistics.median(_in_any_order(wire, trials, seed) for seed, wire in enumerate(chosen)), exploring)


def _in_any_order(wire: Wire, sizes: list[dict[str, int]], seed: int) -> float:
    orders = [Random(f"{seed}/{at}").sample(sizes, len(sizes)) for at in range(UNIFORM_SEARCHES)]
    return statistics.median(
        next((n for n, size in enumerate(each, 1) if wire.trips(size)), _GIVE_UP) for each in orders
    )


def _until(wire: Wire, subject: Zoo, seed: int) -> int:
    explorer = Explorer(subject.space, subject.make, possible=subject.possible, seed=seed)
    trial = 0
    while True:
        for pick in explorer.propose(_BATCH):
            trial += 1
            trace = subject.run(pick.scenario)
            if wire.trips(size_of(trace)) or trial == _GIVE_UP:
                return trial
            told = Outcome(scenario=pick.scenario.name, trial=pick.trial, factors=pick.scenario.factors, passed=True)
            explorer.tell(told, trace)


def measured(plants: list[Plant], trials: Callable[[Plant, str], int], searches: int) -> float:
    return statistics.median(
        statistics.median(trials(planted, f"{seed}/{at}") for at in range(searches))
        for seed, planted in enumerate(plants)
    )


def show(kind: str, uniform: float, exploring: float, more: str = "") -> None:
    print(f"{kind:16}{uniform:>10.0f}{exploring:>10.0f}{exploring / uniform:>8.2f}{more}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--zoo", type=int, default=300, help="uniform trials of the embedded agent; 0 leaves it out")
    parser.add_argument("--plants", type=int, default=36, help="drawn without taste; 0 leaves them out")
    parser.add_argument("--drawn", default="held", help="the name of the draw; the explorer was tuned on 'tuning'")
    parser.add_argument("--searches", type=int, default=40, help="for those; of uniform ones twice as many")
    options = parser.parse_args()
    print(f"{'set off by':16}{'uniform':>10}{'explorer':>10}{'ratio':>8}")
    for kind, draw in product(("stages", "trouble", "hidden", "anything"), ("plant", options.drawn)):
        plants = [plant(kind, Random(f"{draw}/{kind}/{seed}")) for seed in range(options.seeds)]
        if plants:
            uniform = measured(plants, trials_uniform, UNIFORM_SEARCHES)
            show(f"{draw}/{kind}", uniform, measured(plants, trials_exploring, EXPLORER_SEARCHES))
    if options.zoo:
        zoo(options.zoo, options.seeds or 20)
    print(f"median trials to the first sight over {options.seeds} seeds, each with a failure of its own")
    if options.plants:
        drawn(options.drawn, options.plants, options.searches)
    print(f"again: uv run python benchmarks/exploration.py {' '.join(sys.argv[1:])}".rstrip())


if __name__ == "__main__":
    main()
