"""Guardrails in front of the tools: what they stop did not happen."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from misstep.core.errors import BudgetSpentError
from misstep.core.event import Blocked, Event, Message, ToolCall, ToolResult
from misstep.core.objective import Limits
from misstep.core.roles import Decision
from misstep.core.tape import Tape
from misstep.tools.assembly import assemble


class Rail:
    """Keeps the kinds of event that it has seen, and decides by a function of the call."""

    def __init__(self, name: str, decide: Callable[[ToolCall], Decision] = lambda call: Decision()) -> None:
        self.name = name
        self.seen: tuple[str, ...] = ()
        self._decide = decide

    def start(self) -> object:
        return ()

    def step(self, state: object, event: Event) -> tuple[object, Decision]:
        assert isinstance(state, tuple)
        self.seen = (*state, type(event).__name__)
        return self.seen, self._decide(event) if isinstance(event, ToolCall) else Decision()


def refuse(call: ToolCall) -> Decision:
    return Decision("block" if call.arguments.get("amount") == 13 else "allow", "unlucky")


def make(till: Any, *rails: Rail, **limits: int) -> tuple[Any, Tape]:
    tape = Tape()
    return assemble(till, tape=tape, guardrails=rails, limits=Limits(**limits)), tape


def test_a_stopped_call_is_not_in_the_trace_but_on_the_tape_as_blocked(till: Any) -> None:
    box, tape = make(till, Rail("luck", refuse))
    answer = asyncio.run(box.call("add_sale", {"amount": 13}))

    assert answer.is_error
    assert "unlucky" in answer.content
    assert till.reached == 0
    blocked = Blocked(actor="agent", tool="add_sale", arguments={"amount": 13}, guardrail="luck", reason="unlucky")
    assert list(tape.view) == [blocked]


def test_each_rail_sees_every_event_once_and_then_the_call_about_to_happen(till: Any) -> None:
    rails = Rail("first"), Rail("second", refuse)
    box, tape = make(till, *rails)
    tape.append(Message(actor="user", role="user", text="hello"))
    for amount in (1, 13, 2):
        asyncio.run(box.call("add_sale", {"amount": amount}))

    assert rails[0].seen == rails[1].seen == ("Message", "ToolCall", "ToolResult", "Blocked", "ToolCall")


def test_the_first_that_does_not_allow_decides(till: Any) -> None:
    box, tape = make(till, Rail("yes"), Rail("no", refuse), Rail("never", lambda call: Decision("block", "never")))
    asyncio.run(box.call("add_sale", {"amount": 13}))
    (blocked,) = tape.view
    assert isinstance(blocked, Blocked)
    assert blocked.guardrail == "no"


def test_asking_stops_the_call_and_tells_why(till: Any) -> None:
    box, tape = make(till, Rail("polite", lambda call: Decision("ask", "Ask the customer first.")))
    assert "Ask the customer first." in asyncio.run(box.call("add_sale", {"amount": 1})).content
    assert [type(event) for event in tape.view] == [Blocked]


def test_a_rewritten_call_is_the_one_that_happens_and_other_rails_are_asked_about_it(till: Any) -> None:
    def halve(call: ToolCall) -> Decision:
        amount = call.arguments["amount"]
        assert isinstance(amount, int)
        return Decision("rewrite", arguments={"amount": amount // 2}) if amount > 20 else Decision()

    box, tape = make(till, Rail("luck", refuse), Rail("half", halve))
    asyncio.run(box.call("add_sale", {"amount": 30}))
    asyncio.run(box.call("add_sale", {"amount": 26}))

    call, result, blocked = tape.view
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert call.arguments == {"amount": 15}
    assert isinstance(blocked, Blocked)
    assert blocked.guardrail == "luck"


def test_a_rail_that_rewrites_without_end_stops_the_call(till: Any) -> None:
    count = iter(range(100))
    box, tape = make(till, Rail("restless", lambda call: Decision("rewrite", arguments={"amount": next(count)})))
    assert asyncio.run(box.call("add_sale", {"amount": 50})).is_error
    assert [type(event) for event in tape.view] == [Blocked]


def test_after_the_end_every_call_is_stopped(till: Any) -> None:
    box, tape = make(till, Rail("last", lambda call: Decision("end" if call.arguments.get("amount") == 1 else "allow")))
    assert not asyncio.run(box.call("add_sale", {"amount": 2})).is_error
    assert asyncio.run(box.call("add_sale", {"amount": 1})).is_error
    assert asyncio.run(box.call("add_sale", {"amount": 2})).is_error
    assert [type(event) for event in tape.view] == [ToolCall, ToolResult, Blocked, Blocked]


@pytest.mark.parametrize("where", ["start", "step", "nonsense"])
def test_a_rail_that_fails_stops_the_call(till: Any, where: str) -> None:
    class Broken(Rail):
        def start(self) -> object:
            return 1 / 0 if where == "start" else ()

        def step(self, state: object, event: Event) -> Any:
            return None if where == "nonsense" else 1 / 0

    box, tape = make(till, Broken("shaky"))
    assert asyncio.run(box.call("add_sale", {"amount": 2})).is_error
    (blocked,) = tape.view
    assert isinstance(blocked, Blocked)
    assert blocked.guardrail == "shaky"
    assert "The guardrail failed with" in blocked.reason


def test_stopped_calls_count_against_the_budget(till: Any) -> None:
    box, tape = make(till, Rail("no", lambda call: Decision("block", "no")), calls=3)
    for _ in range(3):
        asyncio.run(box.call("add_sale", {"amount": 1}))
    with pytest.raises(BudgetSpentError):
        asyncio.run(box.call("add_sale", {"amount": 1}))
    assert len(tape.view) == 3
    assert isinstance(box.stopped, BudgetSpentError)


def test_malformed_arguments_pass_the_rails_and_are_recorded_as_such(till: Any) -> None:
    box, tape = make(till, Rail("luck", refuse))
    assert asyncio.run(box.call("add_sale", "13")).is_error
    call, _ = tape.view
    assert isinstance(call, ToolCall)
    assert call.malformed == "13"
