"""Why a level is missing, in words for whoever wrote the tools."""

import asyncio

from misstep.synthesis import reasons
from misstep.synthesis.abilities import candidate
from misstep.synthesis.factors import levels_of
from misstep.synthesis.figuring import unavailable
from misstep.synthesis.voicing import voices


def test_a_level_that_the_tools_do_not_have_is_explained_by_what_they_would_need(grounds, tasks) -> None:
    levels = levels_of({}, voices=voices())
    ground = asyncio.run(grounds([tasks["status"]]))
    whys = unavailable([candidate(tasks["status"], ground, partners=(), levels=levels)], levels)
    assert whys["constraint"]["limit"] == reasons.constraint("limit")
    assert whys["constraint"]["order"] == reasons.constraint("order")
    assert whys["pressure"][1] == reasons.PRESSURE
    for why in (why for each in whys.values() for why in each.values()):
        assert {"it", "its"}.isdisjoint(why.split())
