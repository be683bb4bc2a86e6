"""synthesis: a toolbox → tasks with known right answers, and which tools they reach."""

from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from msgspec import Struct

from misstep.synthesis.acting import Trying
from misstep.synthesis.controls import controlled, near_misses
from misstep.synthesis.doing import act_task, is_open, volatile_of
from misstep.synthesis.executing import MakeToolbox, bench_for
from misstep.synthesis.graph import ToolGraph
from misstep.synthesis.knowing import Knowledge, learn
from misstep.synthesis.task import Task


class Tasks(Struct, frozen=True):
    """What was made of a toolbox."""

    tasks: tuple[Task, ...]
    graph: ToolGraph
    reached: dict[str, int]
    """A tool → in how many plans it is called."""
    unreached: dict[str, str]
    """A tool → why no plan reaches it."""


Source = Callable[[], Awaitable[Task | None]]
"""Tries to make one more task."""


async def tasks_of(make_toolbox: MakeToolbox, *, seed: int = 0, count: int = 100) -> Tasks:
    """Up to so many tasks, spread over the tools. The same seed gives the same tasks."""
    bench = await bench_for(make_toolbox, seed=seed)
    known = await learn(bench, Random(seed))
    makers: list[Source] = []
    for name, trying in known.acts.items():
        if trying.wins:
            makers.append(await _acts(known, trying))
    made: list[Task] = []
    idle = Counter[int]()
    while makers and len(made) < count:
        for maker in list(makers):
            task = await maker()
            if task is None:
                idle[id(maker)] += 1
                if idle[id(maker)] > 40:
                    makers.remove(maker)
            else:
                made.append(task)
    return Tasks(tuple(made[:count]), known.graph, dict(Counter(s.tool for t in made for s in t.steps)), {})


async def _acts(known: Knowledge, trying: Trying) -> Source:
    volatile = await volatile_of(known, trying)
    trying.open = await is_open(known, trying)
    waiting = list(trying.wins)
    count = 0

    async def make() -> Task | None:
        nonlocal count
        win = waiting.pop(0) if waiting else await trying.attempt()
        if win is None:
            return None
        task = await act_task(known, trying, win, f"{trying.tool.name}-{count + 1}", volatile)
        done = await controlled(known.bench, task, list(near_misses(task, win, trying))) if task is not None else None
        count += done is not None
        return done

    return make
