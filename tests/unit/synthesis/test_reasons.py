"""Why a level is missing, in words for whoever wrote the tools."""

import asyncio
from collections.abc import Callable

from misstep.synthesis import reasons
from misstep.synthesis.abilities import candidate
from misstep.synthesis.factors import levels_of
from misstep.synthesis.figuring import unavailable
from misstep.synthesis.ground import ground_of
from misstep.synthesis.synthesizing import tasks_of
from misstep.synthesis.voicing import voices
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def gauges() -> list[Callable[..., object]]:
    held_by = {"G-1": {"place": "weir", "metres": 2.5}, "G-2": {"place": "lock", "metres": 3.1}}

    def read_gauge(gauge_id: str) -> dict[str, object]:
        """Read a gauge."""
        return dict(held_by[gauge_id])

    return [read_gauge]


def test_a_level_that_the_tools_do_not_have_is_explained_by_what_they_would_need() -> None:
    async def found() -> dict[str, dict[object, str]]:
        make = (await held(as_toolbox(gauges))).make
        assert make is not None
        tasks = (await tasks_of(lambda seed: make(), seed=1, count=6)).tasks
        ground = await ground_of(lambda seed: make(), tasks)
        levels = levels_of({}, voices=voices())
        return unavailable([candidate(task, ground, partners=(), levels=levels) for task in tasks], levels)  # pyright: ignore[reportReturnType]

    whys = asyncio.run(found())
    assert whys["constraint"]["limit"] == reasons.constraint("limit")
    assert whys["constraint"]["order"] == reasons.constraint("order")
    assert whys["knowledge"]["looked-up"] == reasons.KNOWLEDGE
    assert whys["pressure"][1] == reasons.PRESSURE
    for why in (why for each in whys.values() for why in each.values()):
        assert "it" not in why.split()
        assert "its" not in why.split()
