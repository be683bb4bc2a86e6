"""A scenario by itself → an error for what no tools could make right: numbers, patterns and orders that cannot be."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import cast

import msgspec

from misstep.core.errors import UsageError, suggestion
from misstep.core.objective import ExpectedCall, Objective, Pattern
from misstep.core.scenario import Fact, Fault, Person, Scenario
from misstep.core.tool import JSON
from misstep.objectives.wellformed import wrong_with


def check_plausible(scenario: Scenario) -> None:
    """UsageError names the scenario, the place in it and what to do."""
    for complaint in _complaints(scenario):
        raise UsageError(f"Scenario {scenario.name!r}: {complaint}")


def _complaints(scenario: Scenario) -> Iterator[str]:
    if not scenario.name.strip() or not scenario.name.isprintable():
        yield "its name is empty, or has characters in it that cannot be seen. Give it another."
    for where, pattern in _patterns(scenario):
        if wrong := wrong_with(pattern):
            yield f"the pattern of {where} {wrong.rstrip('.?')}."
    yield from _about_numbers(scenario)
    yield from _about_person(scenario.user)
    for fault in scenario.faults:
        yield from _about_fault(fault)
    if scenario.objective is not None:
        yield from _about_objective(scenario.objective)
        yield from _about_order(scenario.objective.calls)


def _patterns(scenario: Scenario) -> Iterator[tuple[str, Pattern]]:
    objective = scenario.objective or Objective()
    for call in objective.calls:
        yield from ((f"argument {name!r} of the call of {call.tool!r}", each) for name, each in call.arguments.items())
    for rule in objective.forbidden:
        yield from ((f"argument {name!r} of a forbidden call", each) for name, each in rule.arguments.items())
    for change in objective.state or ():
        yield from ((f"field {name!r} of {change.table!r}", each) for name, each in change.fields.items())
    for fault in scenario.faults:
        yield from ((f"argument {name!r} of a fault", each) for name, each in fault.arguments.items())


def _about_numbers(scenario: Scenario) -> Iterator[str]:
    try:
        whole = msgspec.to_builtins(scenario)
        msgspec.json.encode(whole)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        yield f"it holds what no file can hold: {error}."
        return
    for path in _unfit(whole, ""):
        yield f"{path} is no number that files and clocks can hold: it is endless, or has more than 64 bits."


def _unfit(value: JSON, path: str) -> Iterator[str]:
    if (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, int) and not -(2**63) <= value < 2**63
    ):
        yield path
    elif isinstance(value, Mapping):
        for key, each in cast("Mapping[str, JSON]", value).items():
            yield from _unfit(each, f"{path}.{key}" if path else key)
    elif isinstance(value, (list, tuple)):
        for at, each in enumerate(cast("Sequence[JSON]", value)):
            yield from _unfit(each, f"{path}[{at}]")


def _about_person(person: Person) -> Iterator[str]:
    if any(not goal.ask.strip() for goal in person.goals):
        yield "a goal of the user has an empty `ask`. Say in the user's words what they want."
    if any(not line.strip() for line in (*person.script, *((person.opening,) if person.opening else ()))):
        yield "the user is to say an empty line. Put words in it, or leave it out."
    if any(not fact.name.strip() for fact in person.facts):
        yield "a fact of the user has an empty `name`. Say what people call it."
    yield from _about_facts(person.facts)
    if person.patience < 1:
        yield f"the user's `patience` is {person.patience}; it is a number of turns, 1 or more."


def _about_facts(facts: Sequence[Fact]) -> Iterator[str]:
    """Of other goals a person may know another order number."""
    for fact in facts:
        if fact.at_first is not None and fact.at_first == fact.value:
            yield f"the user's {fact.name!r} is {fact.value!r} `at_first` too: nothing is put right. Leave it out."
    for one, other in combinations(facts, 2):
        together = not one.goals or not other.goals or set(one.goals) & set(other.goals)
        if one.name == other.name and one.value != other.value and together:
            yield (
                f"the user's {one.name!r} is both {one.value!r} and {other.value!r}. Drop one, rename one, or say "
                "with `goals` which goal each is about."
            )


def _about_fault(fault: Fault) -> Iterator[str]:
    what = f"a fault {fault.kind!r}"
    if fault.occurrence is not None and fault.occurrence < 1:
        yield f"{what} has the `occurrence` {fault.occurrence}; calls are counted from 1."
    if fault.times is not None and fault.times < 1:
        yield f"{what} strikes {fault.times} times; give `times` 1 or more, or leave the fault out."
    if not 0 <= fault.probability <= 1:
        yield f"{what} has the `probability` {fault.probability:g}; it lies between 0 and 1."


def _about_objective(objective: Objective) -> Iterator[str]:
    limits = objective.limits
    for name, limit in (("turns", limits.turns), ("calls", limits.calls), ("seconds", limits.seconds)):
        if not limit > 0:
            yield f"the objective's limit of {name} is {limit:g}; give more than 0."
    for call in (each for each in objective.calls if not each.optional):
        if any(rule.tool == call.tool and not rule.arguments for rule in objective.forbidden) and not call.or_tools:
            yield f"the objective wants a call of {call.tool!r} and forbids every such call: nobody can meet it."
    if (needed := sum(not call.optional for call in objective.calls)) > limits.calls:
        yield f"the objective wants {needed} calls and allows {limits.calls}: nobody can meet it."
    if any(rule.tool is None and rule.effect is None for rule in objective.forbidden):
        yield "a `forbidden` names neither a tool nor an effect, so it forbids nothing."
    if any(not fact.any_of for fact in objective.facts):
        yield "an expected fact has an empty `any_of`, so that no reply could tell it."
    if any(not question.about for question in objective.questions):
        yield "an expected question has an empty `about`, so that none could be recognised."


def _about_order(calls: Sequence[ExpectedCall]) -> Iterator[str]:
    ids = [call.id for call in calls if call.id]
    for name in ids:
        if ids.count(name) > 1:
            yield f"two expected calls have the id {name!r}. Rename one of them."
    names = {call.name for call in calls}
    for call in calls:
        for name in call.after:
            if name not in names:
                yield f"the call {call.name!r} comes `after` {name!r}, which is no call.{suggestion(name, names)}"
    if circle := _in_a_circle(calls):
        yield f"the call {circle!r} must come after itself: the `after` of the expected calls run in a circle."


def _in_a_circle(calls: Sequence[ExpectedCall]) -> str | None:
    """The first call that waits for itself, directly or through others."""
    waiting = {call.name: set(call.after) for call in calls}
    while free := [name for name, others in waiting.items() if not others & waiting.keys()]:
        for name in free:
            del waiting[name]
    return next(iter(waiting), None)
