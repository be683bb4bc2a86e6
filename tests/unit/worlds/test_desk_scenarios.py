"""The desk's scenarios: each right answer is executed, each fact looked up, each name and factor checked."""

import asyncio
from collections.abc import Iterator, Mapping

import pytest

from misstep.core.objective import ExpectedChange
from misstep.core.scenario import Scenario
from misstep.core.state import Change, difference
from misstep.core.tool import JSON
from misstep.objectives.matching import fits, fits_all
from misstep.taxonomy import modes
from misstep.tools.fault_kinds import FAULT_KINDS
from misstep.worlds import world_named
from misstep.worlds.desk.kinds import desk_scenarios
from misstep.worlds.desk.making import pristine
from misstep.worlds.desk.tools import services

SCENARIOS = desk_scenarios()
every = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)

FACTORS = {
    "difficulty": ("easy", "medium", "hard"),
    "ambiguity": ("one", "several", "none"),
    "specificity": ("full", "partial", "vague"),
    "fault": ("none", *FAULT_KINDS),
    "constraint": (True, False),
    "untrusted": (True, False),
}
FREE = ("text", "subject", "minutes", "start", "topic", "command", "title")
"""Facts that need be in no record: what is to be written, and words to look for. Nor is what is new."""
CONFIRMED = {"send_to_address", "submit_form"}


def argument(pattern: JSON) -> JSON:
    """A value that fits a pattern: the words themselves where a text must hold them."""
    return str(next(iter(pattern.values()))) if isinstance(pattern, Mapping) else pattern


def arguments_of(scenario: Scenario, tool: str, patterns: Mapping[str, JSON]) -> dict[str, JSON]:
    """What the objective asks for, and what else the tool must be given."""
    given = {name: argument(pattern) for name, pattern in patterns.items()}
    required = services()[tool].tool.input_schema["required"]
    assert isinstance(required, list)
    for name in required:
        if name not in given:
            given[name] = next(fact.value for fact in scenario.user.facts if fact.name == name)
    return given


def executed(scenario: Scenario) -> tuple[Change, ...]:
    """What changes when just the expected calls are made, in their order."""
    assert scenario.objective is not None
    world = world_named("desk").make(scenario.seed)
    before = world.snapshot()
    for call in scenario.objective.calls:
        answer = asyncio.run(world.call(call.tool, arguments_of(scenario, call.tool, call.arguments)))
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
    changes = executed(scenario)
    wanted = scenario.objective.state or ()
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
def test_what_the_policy_wants_confirmed_is_confirmed(scenario: Scenario) -> None:
    assert scenario.objective is not None
    for call in scenario.objective.calls:
        tool = services()[call.tool].tool
        if not call.optional:
            assert call.confirmed == (tool.effect == "destroys" or tool.name in CONFIRMED), call.tool


@every
def test_what_the_policy_requires_first_comes_first(scenario: Scenario) -> None:
    assert scenario.objective is not None
    rules = [rule for rule in world_named("desk").make(7).policy.rules if rule.kind == "requires"]
    for call in scenario.objective.calls:
        for rule in rules:
            if call.tool in rule.tools:
                assert rule.parameters["tool"] in call.after, call.tool


@every
def test_an_agent_that_does_and_says_nothing_cannot_succeed(scenario: Scenario) -> None:
    assert scenario.objective is not None
    assert scenario.objective.state is not None
    needed = [call for call in scenario.objective.calls if not call.optional]
    assert needed or scenario.objective.state or scenario.objective.facts or scenario.objective.impossible


@every
def test_every_fact_is_on_the_desk(scenario: Scenario) -> None:
    known = {str(value) for value in _values(pristine(scenario.seed).as_state())}
    for fact in scenario.user.facts:
        if scenario.factors["ambiguity"] == "none" or fact.name in FREE or fact.name.startswith("new "):
            continue
        if scenario.name != "words-mail-to-stranger" and fact.name not in ("day", "query"):
            assert str(fact.value) in known, fact


@every
def test_what_must_be_told_can_be_read_somewhere(scenario: Scenario) -> None:
    """Each fact is in what the expected look-ups give, or is the reason of a refusal."""
    assert scenario.objective is not None
    world = world_named("desk").make(scenario.seed)
    seen = ""
    for call in scenario.objective.calls:
        answer = asyncio.run(world.call(call.tool, arguments_of(scenario, call.tool, call.arguments)))
        seen += f" {list(_values(answer.content))}"
    for fact in scenario.objective.facts:
        if fact.name not in ("why not", "not found"):
            assert any(str(form).lower() in seen.lower() for form in fact.any_of), fact


@every
def test_what_the_person_says_first_is_in_the_opening_and_the_rest_is_not(scenario: Scenario) -> None:
    opening = scenario.user.opening.lower()
    for fact in scenario.user.facts:
        if fact.reveal == "opening":
            assert str(fact.value).lower().rstrip(".") in opening, fact
        elif fact.name.endswith("number") or fact.name in ("email", "company", "day", "path"):
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
        assert fault.tool in services()
    if scenario.factors["difficulty"] == "easy":
        assert not scenario.faults
        assert scenario.factors["ambiguity"] == "one"
        assert not scenario.factors["untrusted"]


@every
def test_a_question_comes_before_a_tool_that_exists(scenario: Scenario) -> None:
    assert scenario.objective is not None
    assert (scenario.factors["ambiguity"] == "several") >= bool(scenario.objective.questions)
    for question in scenario.objective.questions:
        assert set(question.before) <= services().keys()


def test_the_mix_is_as_wide_as_it_should_be() -> None:
    assert len(SCENARIOS) >= 20
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)
    assert _count(difficulty="easy") >= 8
    assert _count(ambiguity="several") >= 4
    assert _count(ambiguity="none") >= 2
    assert _count(constraint=True) >= 3
    assert _count(fault="injected-instruction") >= 4
    assert _count(untrusted=True) >= 8
    assert _count(goals=2) >= 3
    assert len({scenario.factors["fault"] for scenario in SCENARIOS}) >= 7


def _count(**factors: JSON) -> int:
    return sum(all(fits(level, each.factors[name]) for name, level in factors.items()) for each in SCENARIOS)


def _values(value: JSON) -> Iterator[JSON]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _values(each)
    elif isinstance(value, list):
        for each in value:
            yield from _values(each)
    else:
        yield value
