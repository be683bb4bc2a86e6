"""Trials until a rare failure is seen for the first time: the explorer beside uniform drawing, as a ratio.

Agents are planted with a failure that two to four levels of the factors set off together: of a graded factor the level
or any harsher one, of another just the level. Each of the seeds plants another failure, drawn so that fewer than two in
a hundred uniform trials show it. Four kinds of plant:

- stages: what sets it off is trouble, no level the mildest, and each part of it leaves a mark in the agent's calls;
- trouble: the same without the marks, so that calls show no more than the factors do by themselves;
- hidden: the same with factors that do not show in the calls at all;
- anything: mild levels too, and just these, which nothing but chance can lead to.

And a fifth, `zoo`, without a word about factors: the embedded agent on synthesized scenarios of the embedded shop, with
a trip-wire in it, as in "after an error, when the user has spoken nine times". Until it trips it is `zoo:sound`, so
that its conversation says for every wire whether it trips. Uniform is trials of uniform rows there, in any order.

Chance plays a great part in every single search: each seed's figure is the median of several with the same plant
(but for the embedded agent's explorer, whose trials take time).
"""

import argparse
import asyncio
import statistics
import sys
from collections.abc import Callable, Mapping
from itertools import chain, combinations, count, product, takewhile
from random import Random

from msgspec import Struct

from misstep.catalog import agent_named, toolbox_named
from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.scenario import Scalar, Scenario
from misstep.core.trace import Trace
from misstep.exploration.exploring import Explorer
from misstep.exploration.outcome import Outcome
from misstep.simulation.trial import run_trial
from misstep.synthesis.synthesizing import maker_of

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4, 5, 6),
    "specificity": ("all", "some", "none"),
    "ambiguity": ("one", "several", "none"),
    "constraint": ("none", "order", "exclusion", "limit", "budget"),
    "distance": (0, 2, 4),
    "filler": (0, 60, 200),
    "noise": ("none", "typos", "heavy"),
    "correction": ("no", "yes"),
    "premise": ("true", "false"),
    "pressure": (0, 1, 2),
    "wording": ("close", "synonym", "foreign"),
    "fault": ("none", "latency", "rate-limit", "error", "timeout"),
    "place": ("look-up", "act"),
}
SHOWING = ("goals", "specificity", "ambiguity", "constraint", "correction", "premise", "pressure", "fault", "place")
"""The factors that change what even a faultless agent calls."""
GRADED = ("goals", "specificity", "distance", "filler", "noise", "pressure", "wording")
RAREST, MOST = 0.004, 0.02
UNIFORM_SEARCHES, EXPLORER_SEARCHES = 25, 5
_BATCH = 8
_GIVE_UP = 3_000

Row = Mapping[str, Scalar]


class Plant(Struct, frozen=True):
    """A failure: the levels that set it off together, and how often they do."""

    levels: dict[str, tuple[Scalar, ...]]
    often: float
    marks: bool = False

    @property
    def share(self) -> float:
        """Of uniform trials."""
        share = self.often
        for name, levels in self.levels.items():
            share *= len(levels) / len(SPACE[name])
        return share

    def stage(self, row: Row) -> int:
        """How many of its parts are there, one after another."""
        return sum(1 for _ in takewhile(lambda part: row[part[0]] in part[1], self.levels.items()))

    def strikes(self, row: Row, random: Random) -> bool:
        return self.stage(row) == len(self.levels) and random.random() < self.often


def plant(kind: str, random: Random) -> Plant:
    names = [name for name in SPACE if kind != "hidden" or name not in SHOWING]
    while True:
        levels: dict[str, tuple[Scalar, ...]] = {}
        for name in random.sample(names, random.choice((2, 3, 4))):
            at = random.randrange(0 if kind == "anything" else 1, len(SPACE[name]))
            harsher = name in GRADED and kind != "anything"
            levels[name] = SPACE[name][at:] if harsher else SPACE[name][at : at + 1]
        made = Plant(levels, random.choice((1.0, 0.7, 0.4)), marks=kind == "stages")
        if RAREST <= made.share < MOST:
            return made


def conversation(row: Row, planted: Plant, random: Random) -> Trace:
    """What an agent does with such a row, in outline: look up, ask where it must, act, retry what failed."""
    events: list[Event] = []
    ids = count(1)

    def says(role: str) -> None:
        events.append(Message(actor=role, role="user" if role == "user" else "agent", text="…"))

    def calls(tool: str, *names: str, error: bool = False, empty: bool = False) -> None:
        call_id = f"c{next(ids)}"
        events.append(ToolCall(actor="agent", call_id=call_id, tool=tool, arguments=dict.fromkeys(names, "x")))
        content = None if empty else {"id": "x"}
        events.append(ToolResult(actor=tool, call_id=call_id, content=content, is_error=error))

    failing = row["fault"] in ("rate-limit", "error", "timeout")
    says("user")
    for goal in range(int(row["goals"])):
        tool = random.choice(("refund", "move", "cancel", "note"))
        if row["specificity"] != "all" and goal == 0:
            says("agent")
            says("user")
        if failing and goal == 0 and row["place"] == "look-up":
            calls("find", "name", error=True)
        calls("find", "name", empty=row["ambiguity"] == "none" and goal == 0)
        if row["ambiguity"] != "one" and goal == 0:
            says("agent")
            says("user")
        if row["constraint"] in ("limit", "budget") and goal == 0:
            calls("price", "id")
        if row["correction"] == "yes" and goal == 0:
            says("user")
            calls("find", "number")
        if failing and goal == 0 and row["place"] == "act":
            calls(tool, "id", error=True)
            calls("check", "id")
        calls(tool, *(("id", "reason") if row["premise"] == "true" else ("id",)))
        says("agent")
        says("user")
    for _ in range(int(row["pressure"])):
        says("user")
        calls("rules")
    for _ in range(planted.stage(row) if planted.marks else 0):
        calls("again", *("once", "twice", "thrice")[: planted.stage(row)])
    return Trace(id="", events=tuple(events), end="finished")


def trials_uniform(planted: Plant, seed: str) -> int:
    random = Random(f"uniform/{seed}")
    for trial in range(1, _GIVE_UP + 1):
        if planted.strikes({name: random.choice(levels) for name, levels in SPACE.items()}, random):
            return trial
    return _GIVE_UP


def trials_exploring(planted: Plant, seed: str) -> int:
    random = Random(f"agent/{seed}")
    names = count(1)

    def make(row: Row, seed: int) -> Scenario:
        return Scenario(name=f"s{next(names)}", seed=seed, factors=dict(row))

    explorer = Explorer(SPACE, make, seed=random.getrandbits(32))
    trial = 0
    while trial < _GIVE_UP:
        for pick in explorer.propose(_BATCH):
            trial += 1
            row = pick.scenario.factors
            if planted.strikes(row, random):
                return trial
            outcome = Outcome(scenario=pick.scenario.name, trial=pick.trial, factors=row, passed=True)
            explorer.tell(outcome, conversation(row, planted, random))
    return _GIVE_UP


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

    def make(self, row: Row, seed: int) -> Scenario | None:
        near = dict(row)
        while near and not self._maker.possible(near):
            near.popitem()
        made = self._loop.run_until_complete(self._maker.make(near))
        return made.scenario if made else None

    def run(self, scenario: Scenario) -> Trace:
        trial = run_trial(scenario, 1, seed=0, make_agent=self._agent.make, make_toolbox=self._tools.make)
        return self._loop.run_until_complete(trial).trace

    def uniform(self, count: int) -> list[dict[str, int]]:
        """What cannot be had of a row is given up in any order."""
        random = Random("zoo")
        sizes: list[dict[str, int]] = []
        while len(sizes) < count:
            row = {name: random.choice(self.space[name]) for name in random.sample(list(self.space), len(self.space))}
            scenario = self.make(row, random.getrandbits(32))
            sizes.extend([size_of(self.run(scenario))] if scenario else [])
        return sizes


def zoo(count: int, seeds: int) -> tuple[list[float], list[float]]:
    subject = Zoo()
    sizes = subject.uniform(count)
    drawn = wires(sizes)
    uniform: list[float] = []
    exploring: list[float] = []
    for seed in range(seeds):
        wire = Random(f"wire/{seed}").choice(drawn)
        orders = [Random(f"{seed}/{at}").sample(sizes, len(sizes)) for at in range(UNIFORM_SEARCHES)]
        uniform.append(
            statistics.median(next(n for n, size in enumerate(each, 1) if wire.trips(size)) for each in orders)
        )
        exploring.append(_until(wire, subject, seed))
    return uniform, exploring


def _until(wire: Wire, subject: Zoo, seed: int) -> int:
    explorer = Explorer(subject.space, subject.make, seed=seed)
    trial = 0
    while True:
        for pick in explorer.propose(_BATCH):
            trial += 1
            trace = subject.run(pick.scenario)
            if wire.trips(size_of(trace)) or trial == _GIVE_UP:
                return trial
            told = Outcome(scenario=pick.scenario.name, trial=pick.trial, factors=pick.scenario.factors, passed=True)
            explorer.tell(told, trace)


def measured(kind: str, seeds: int, trials: Callable[[Plant, str], int], searches: int) -> list[float]:
    plants = [plant(kind, Random(f"plant/{kind}/{seed}")) for seed in range(seeds)]
    return [
        statistics.median(trials(planted, f"{seed}/{at}") for at in range(searches))
        for seed, planted in enumerate(plants)
    ]


def show(kind: str, uniform: list[float], exploring: list[float]) -> None:
    one, other = statistics.median(uniform), statistics.median(exploring)
    print(f"{kind:12}{one:>10.0f}{other:>10.0f}{other / one:>8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--zoo", type=int, default=300, help="uniform trials of the embedded agent; 0 leaves it out")
    options = parser.parse_args()
    print(f"{'set off by':12}{'uniform':>10}{'explorer':>10}{'ratio':>8}")
    for kind in ("stages", "trouble", "hidden", "anything"):
        uniform = measured(kind, options.seeds, trials_uniform, UNIFORM_SEARCHES)
        show(kind, uniform, measured(kind, options.seeds, trials_exploring, EXPLORER_SEARCHES))
    if options.zoo:
        show("zoo", *zoo(options.zoo, options.seeds))
    print(f"median trials to the first sight over {options.seeds} seeds, each with a failure of its own")
    print(f"again: uv run python benchmarks/exploration.py {' '.join(sys.argv[1:])}".rstrip())


if __name__ == "__main__":
    main()
