"""Sessions of somebody else's agent: everything it called is kept, however much that is."""

import asyncio

from misstep.core.scenario import Fault
from misstep.simulation.served import Session
from misstep.store.trial import Trial
from misstep.tools.functions import Functions


def look() -> str:
    """Look round."""
    return "nothing"


def test_a_session_has_no_budget_of_calls_or_time() -> None:
    async def talk() -> Trial:
        session = Session(Functions([look]), faults=[Fault(kind="latency", parameters={"seconds": 100})])
        for _ in range(200):
            assert (await session.toolbox.call("look", {})).content == "nothing"
        return await session.trial(agent="a", tools="t")

    trial = asyncio.run(talk())
    assert (len(trial.trace.exchanges), trial.trace.usage.seconds) == (200, 20_000)
