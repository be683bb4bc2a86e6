"""An embedded world → its tasks, and scenarios of it: made once, for every test that asks what such ones are like."""

import asyncio

from made_once import made_once

from misstep.synthesis.making import Synthesis
from misstep.synthesis.synthesizing import synthesize
from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.worlds import world_named

SEED = 0
MANY_TASKS = 120
MANY_SCENARIOS = 120


@made_once
def tasks_in(world: str) -> Tasks:
    return asyncio.run(tasks_of(world_named(world).make, seed=SEED, count=MANY_TASKS))


@made_once
def synthesis_in(world: str) -> Synthesis:
    return asyncio.run(synthesize(world_named(world).make, count=MANY_SCENARIOS, seed=SEED))
