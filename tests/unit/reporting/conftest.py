"""Small trials, built from the nouns."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.finding import Finding, Verdict
from misstep.core.objective import ExpectedQuestion, Objective
from misstep.core.scenario import Scenario
from misstep.core.trace import Origin, Trace
from misstep.store.manifest import Manifest
from misstep.store.trial import Trial

MakeTrial = Callable[..., Trial]
MakeFinding = Callable[..., Finding]

TALK: tuple[Event, ...] = (
    Message(actor="user", role="user", text="Please refund order O-1."),
    ToolCall(actor="agent", call_id="c1", tool="get_order", arguments={"order_id": "O-1"}),
    ToolResult(actor="get_order", call_id="c1", content={"total": 12.5}, served_by="simulated"),
    ToolCall(actor="agent", call_id="c2", tool="refund", arguments={"order_id": "O-1", "to": "P-90417"}),
    ToolResult(actor="refund", call_id="c2", content={"error": "no"}, is_error=True, served_by="simulated"),
    Message(actor="agent", role="agent", text="Done, you have your money."),
)


@pytest.fixture
def manifest() -> Manifest:
    return Manifest(agent="zoo:sound", tools="world:shop", seed=3, scenarios=("a",), digest="", version="0.1", trials=2)


@pytest.fixture
def make_finding() -> MakeFinding:
    def make(mode: str = "false-success", *events: int, **more: Any) -> Finding:
        return Finding(mode=mode, events=events or (5,), because=f"It shows {mode}.", **more)

    return make


@pytest.fixture
def make_asking(make_trial: MakeTrial) -> MakeTrial:
    """A trial whose objective demands a question, with what its verdict says beside the outcome."""

    def make(number: int, outcome: str = "pass", **said: Any) -> Trial:
        objective = Objective(questions=(ExpectedQuestion(("order",)),))
        trial = make_trial(Scenario(name="asking", objective=objective), number, outcome)
        return structs.replace(trial, verdict=structs.replace(trial.verdict, **said))

    return make


@pytest.fixture
def make_trial() -> MakeTrial:
    def make(
        scenario: Scenario | str = "a",
        number: int = 1,
        outcome: str = "pass",
        *findings: Finding,
        events: tuple[Event, ...] = TALK,
        reasons: tuple[str, ...] = (),
        errors: tuple[str, ...] = (),
        **more: Any,
    ) -> Trial:
        named = Scenario(name=scenario) if isinstance(scenario, str) else scenario
        blame = {"fail": "agent", "invalid": "user-simulator"}.get(outcome)
        origin = Origin(scenario=named.name, trial=number)
        more.setdefault("end", "finished")
        trace = Trace(id=f"{named.name}#{number}", events=events, origin=origin, **more)
        verdict = Verdict(outcome=outcome, blame=blame, reasons=reasons)  # pyright: ignore[reportArgumentType]
        return Trial(
            scenario=named, trial=number, seed=3, trace=trace, findings=findings, verdict=verdict, errors=errors
        )

    return make
