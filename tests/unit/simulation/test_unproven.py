"""A scenario that asks for what its tools turn down is at fault itself, unless somebody had tried it."""

from collections.abc import Callable

import pytest
from msgspec import structs

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.scenario import Person, Scenario
from misstep.core.trace import Trace
from misstep.simulation.judging import Held, judged

_SCENARIO = Scenario(
    name="pay-fees-1",
    user=Person(opening="Please pay my fees."),
    objective=Objective(calls=(ExpectedCall(tool="pay_fees", arguments={"member": "M-3", "amount": 20}),)),
    origin="synthesized from pay_fees-1, seed 0",
)


def _verdict(read: Callable[..., Trace], call: str, scenario: Scenario = _SCENARIO) -> tuple[str, str | None]:
    trace = read(f"""
        * pay_fees writes: Pay the fees of a member.
        user: Please pay my fees, 20 euros, member M-3.
        {call}
        agent: I'm sorry, that could not be done.""")
    verdict = judged(Held(scenario=scenario, trial=1, seed=0, trace=trace)).verdict
    return verdict.outcome, verdict.blame


_REFUSED = 'pay_fees(member="M-3", amount=20) !! "M-3 owes only 0.0"'


def test_the_right_call_that_the_tool_turns_down_is_not_the_agents_failure(read: Callable[..., Trace]) -> None:
    assert _verdict(read, _REFUSED) == ("invalid", "scenario")


@pytest.mark.parametrize("call", ['pay_fees(member="M-4", amount=20) !! "M-4 owes only 0.0"', ""])
def test_another_call_or_none_is(read: Callable[..., Trace], call: str) -> None:
    assert _verdict(read, call) == ("fail", "agent")


def test_what_somebody_wrote_or_tried_is_taken_at_its_word(read: Callable[..., Trace]) -> None:
    assert _verdict(read, _REFUSED, structs.replace(_SCENARIO, origin="written by hand")) == ("fail", "agent")
