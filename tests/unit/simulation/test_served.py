"""Sessions of somebody else's agent: everything it called is kept, however much that is."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from misstep.core.errors import InvalidTrialError
from misstep.core.scenario import Fault
from misstep.core.tool import JSON, Answer, Tool
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


class Breaking:
    """A sound tool and three that break, each in its way."""

    async def tools(self) -> Sequence[Tool]:
        return [Tool(name, effect="reads") for name in ("look", "simulated", "raising", "odd")]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        match tool:
            case "simulated":
                raise InvalidTrialError("tool-simulator", "There are no more keys.")
            case "raising":
                raise ZeroDivisionError("by nought")
            case "odd":
                return Answer(object())
            case _:
                return Answer("nothing")


@pytest.mark.parametrize(
    ("broken", "blame", "said"),
    [
        ("simulated", "tool-simulator", "There are no more keys."),
        ("raising", "tool", "Tool 'raising' raised ZeroDivisionError: by nought; an error should be an answer."),
        ("odd", "tool", "Tool 'odd' answered with something that is no JSON"),
    ],
)
def test_a_call_that_we_broke_is_an_error_the_session_goes_on_and_is_invalid(
    broken: str, blame: str, said: str
) -> None:
    async def talk() -> tuple[list[Answer], Trial]:
        session = Session(Breaking())
        answers = [await session.toolbox.call(name, {}) for name in ("look", broken, broken, "look")]
        return answers, await session.trial(agent="a", tools="t")

    answers, trial = asyncio.run(talk())
    assert [answer.is_error for answer in answers] == [False, True, True, False]
    assert said in str(answers[1].content)
    assert [exchange.succeeded for exchange in trial.trace.exchanges] == [True, False, False, True]
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", blame)
    assert said in trial.verdict.reasons[0]
    assert trial.findings == ()


def test_a_tool_whose_answers_a_fault_spoils_promises_nothing_of_them() -> None:
    def count() -> dict[str, int]:
        """Count."""
        return {"number": 1}

    def weigh() -> dict[str, int]:
        """Weigh."""
        return {"number": 2}

    session = Session(Functions([count, weigh]), faults=[Fault(kind="malformed", tool="count")])
    shown = {tool.name: tool.output_schema for tool in asyncio.run(_tools(session))}
    assert (shown["count"], shown["weigh"] is None) == (None, False)


async def _tools(session: Session) -> Sequence[Tool]:
    return await session.toolbox.tools()
