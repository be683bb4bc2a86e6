"""The shop's scenarios: each right answer is executed, each fact looked up, each name and factor checked."""

import asyncio
from collections.abc import Iterator, Mapping

import pytest

from misstep.core.objective import ExpectedChange
from misstep.core.scenario import Fact, Scenario
from misstep.core.state import Change, difference
from misstep.core.tool import JSON
from misstep.objectives.matching import fits, fits_all
from misstep.taxonomy import modes
from misstep.tools.fault_kinds import FAULT_KINDS
from misstep.worlds import world_named
from misstep.worlds.shop.kinds import shop_scenarios
from misstep.worlds.shop.making import TODAY, pristine
from misstep.worlds.shop.tools import services

SCENARIOS = shop_scenarios()
every = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)

FACTORS = {
    "difficulty": ("easy", "medium", "hard"),
    "ambiguity": ("one", "several", "none"),
    "specificity": ("full", "partial", "vague"),
    "fault": ("none", *FAULT_KINDS),
    "constraint": (True, False),
}
FREE = ("reason", "text", "highest amount", "title")
"""Facts that are no record: what the person wants said, or why. What is new is not there yet either."""


def argument(pattern: JSON) -> JSON:
    """A value that fits a pattern: the words themselves where a text must hold them."""
    return f"{next(iter(pattern.values()))}." if isinstance(pattern, Mapping) else pattern


def drifted_from(scenario: Scenario, tool: str) -> dict[str, JSON]:
    """Arguments that the objective leaves open because the fault renames them."""
    if any(fault.kind == "schema-drift" and fault.tool == tool for fault in scenario.faults):
        return {"customer_id": "C-1987", "order_id": "W-28709"}
    return {}


def executed(scenario: Scenario) -> tuple[Change, ...]:
    """What changes when just the expected calls are made, in their order."""
    assert scenario.objective is not None
    world = world_named("shop").make(scenario.seed)
    before = world.snapshot()
    for call in scenario.objective.calls:
        arguments = {name: argument(each) for name, each in call.arguments.items()}
        answer = asyncio.run(world.call(call.tool, arguments or drifted_from(scenario, call.tool)))
        assert not answer.is_error, (call.tool, answer.content)
    ignored = scenario.objective.ignore_tables
    return tuple(change for change in difference(before, world.snapshot()) if change.table not in ignored)


def meets(expected: ExpectedChange, change: Change) -> bool:
    if expected.table != change.table or expected.key not in (None, change.key):
        return False
    return change.after is None if expected.deleted else fits_all(expected.fields, change.after or {})


@every
def test_the_right_answer_reaches_the_state_that_the_objective_asks_for(scenario: Scenario) -> None:
    assert scenario.objective is not None
    assert scenario.objective.state is not None
    changes = executed(scenario)
    wanted = [each for each in scenario.objective.state if each.table not in scenario.objective.ignore_tables]
    assert len(changes) == len(wanted)
    for expected in wanted:
        assert any(meets(expected, change) for change in changes), expected


@every
def test_nothing_that_is_expected_is_forbidden(scenario: Scenario) -> None:
    assert scenario.objective is not None
    for call in scenario.objective.calls:
        for forbidden in scenario.objective.forbidden:
            if forbidden.tool == call.tool or forbidden.effect == services()[call.tool].tool.effect:
                assert forbidden.arguments, (scenario.name, call.tool)
                assert not fits_all(forbidden.arguments, call.arguments)


@every
def test_what_destroys_is_confirmed_and_what_changes_something_is_verified(scenario: Scenario) -> None:
    assert scenario.objective is not None
    verified = {
        call.arguments.get("customer_id") for call in scenario.objective.calls if call.tool == "verify_identity"
    }
    for call in scenario.objective.calls:
        effect = services()[call.tool].tool.effect
        assert call.confirmed == (effect == "destroys")
        if effect != "reads" and call.arguments:
            assert call.arguments["customer_id"] in verified


@every
def test_an_agent_that_does_and_says_nothing_cannot_succeed(scenario: Scenario) -> None:
    assert scenario.objective is not None
    needed = [call for call in scenario.objective.calls if not call.optional]
    assert needed or scenario.objective.state or scenario.objective.facts or scenario.objective.impossible


@every
def test_every_fact_is_in_the_shop(scenario: Scenario) -> None:
    known = {str(value) for value in _values(pristine(scenario.seed).as_state())}
    for fact in scenario.user.facts:
        if scenario.factors["ambiguity"] == "none" and fact.name in ("name", "email", "postcode", "order number"):
            continue
        if fact.name not in FREE and not fact.name.startswith("new "):
            assert str(fact.value) in known, fact


@every
def test_the_person_is_the_customer_whom_the_objective_means(scenario: Scenario) -> None:
    assert scenario.objective is not None
    tables = pristine(scenario.seed)
    meant = {str(call.arguments["customer_id"]) for call in scenario.objective.calls if "customer_id" in call.arguments}
    assert len(meant) <= 1
    orders = {str(fact.value) for fact in scenario.user.facts if str(fact.value) in tables.orders}
    meant |= {tables.orders[order_id]["customer_id"] for order_id in orders}
    assert len(meant) <= 1
    for customer_id in meant:
        customer = tables.customers[customer_id]
        for fact, field in (("name", "name"), ("email", "email"), ("postcode", "postcode"), ("city", "city")):
            assert _told(scenario, fact) in (None, customer[field])
        assert _told(scenario, "phone number") in (None, customer["phone"])
        assert _told(scenario, "customer number") in (None, customer_id)


@every
def test_what_the_person_says_first_is_in_the_opening_and_the_rest_is_not(scenario: Scenario) -> None:
    opening = scenario.user.opening.lower()
    for fact in scenario.user.facts:
        if fact.reveal == "opening":
            assert str(fact.value).lower().rstrip(".") in opening, fact
        elif fact.name in ("postcode", "email", "order number", "phone number"):
            assert str(fact.value).lower() not in opening, fact
    for constraint in scenario.user.constraints:
        assert constraint.lower().rstrip(".") in opening


@every
def test_names_factors_faults_and_aims_are_from_the_vocabularies(scenario: Scenario) -> None:
    for factor, levels in FACTORS.items():
        assert scenario.factors[factor] in levels
    assert scenario.factors["goals"] == len(scenario.user.goals) >= 1
    assert scenario.factors["constraint"] == bool(scenario.user.constraints)
    assert [fault.kind for fault in scenario.faults] == [kind for kind in [scenario.factors["fault"]] if kind != "none"]
    assert set(scenario.aims) <= modes().keys()
    for fault in scenario.faults:
        assert fault.tool == "*" or fault.tool in services()
    assert not scenario.faults or scenario.factors["difficulty"] != "easy"


@every
def test_a_question_comes_before_a_tool_that_exists(scenario: Scenario) -> None:
    assert scenario.objective is not None
    assert (scenario.factors["ambiguity"] == "several") >= bool(scenario.objective.questions)
    for question in scenario.objective.questions:
        assert set(question.before) <= services().keys()


def test_the_mix_is_as_wide_as_it_should_be() -> None:
    assert len(SCENARIOS) >= 34
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)
    assert _count(difficulty="easy") >= 14
    assert _count(ambiguity="several") >= 6
    assert _count(ambiguity="none") >= 2
    assert _count(constraint=True) >= 5
    assert {scenario.factors["fault"] for scenario in SCENARIOS} == {"none", *FAULT_KINDS}


def test_dates_lie_where_the_policy_puts_today() -> None:
    policy = world_named("shop").make(7).policy
    assert TODAY.isoformat() in policy.text


def _count(**factors: JSON) -> int:
    return sum(all(fits(level, each.factors[name]) for name, level in factors.items()) for each in SCENARIOS)


def _told(scenario: Scenario, name: str) -> JSON:
    found: Fact | None = next((fact for fact in scenario.user.facts if fact.name == name), None)
    return found.value if found else None


def _values(value: JSON) -> Iterator[JSON]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _values(each)
    elif isinstance(value, list):
        for each in value:
            yield from _values(each)
    else:
        yield value
