import asyncio
from random import Random

import pytest

from misstep.core.words import words
from misstep.synthesis.composing import compose
from misstep.synthesis.constraints import Constraint, between, constrained_tasks
from misstep.synthesis.limiting import limited


@pytest.fixture
def constrained(grounds, tasks, shop):
    async def found():
        ground = await grounds(list(tasks.values()))
        return ground, await constrained_tasks(shop, list(tasks.values()), ground, seed=2)

    return asyncio.run(found())


def test_families_give_constraints_of_every_kind(constrained):
    _, found = constrained
    assert {each.constraint.kind for each in found} == {"exclusion", "limit", "budget"}
    assert {each.task.tool for each in found} == {"refund_order", "cancel_order"}
    assert len({each.task.id for each in found}) == len(found)


def test_a_right_plan_exists_and_those_that_break_the_constraint_fail(constrained, shop, met):
    ground, found = constrained
    for each in found:
        made = compose([each], {"constraint": each.constraint.kind}, seed=1, ground=ground)
        assert asyncio.run(met(shop, made.scenario, made.plan.steps, made.plan.tells)) == (), each.task.id
        names = [control.name for control in made.plan.controls]
        assert "takes no notice of the constraint" in names
        for control in made.plan.controls:
            assert asyncio.run(met(shop, made.scenario, control.steps, control.tells)), (each.task.id, control.name)


def test_taking_what_had_to_be_left_breaks_the_constraint_and_nothing_else_is_forbidden(constrained):
    _, found = constrained
    for each in found:
        rule = each.constraint.forbidden[0]
        left = rule.arguments["order_id"]["any_of"]
        taken = {step.arguments["order_id"] for step in each.task.steps if step.role == "act"}
        assert left
        assert taken
        assert taken.isdisjoint(left)


def test_nobody_says_the_id_of_one_record_when_several_are_meant(constrained):
    _, found = constrained
    for each in found:
        assert {item.name for item in each.task.items} <= {"name", "postcode", "reason"}


@pytest.mark.parametrize(
    ("low", "high", "number"), [(12.9, 164.0, 100), (58.0, 63.9, 60), (3, 4, 3.5), (0.2, 0.25, None)]
)
def test_a_bound_is_a_round_number_between_two_values(low, high, number):
    assert low < between(low, high) < high
    assert number is None or between(low, high) == number


def test_only_money_is_paid() -> None:
    for seed in range(40):
        price = limited(Constraint(kind="budget", field="price", bound=50.0), (), Random(seed)).text
        weight = limited(Constraint(kind="budget", field="weight in kg", bound=50.0), (), Random(seed)).text
        assert "50" in price
        assert "50" in weight
        assert "weight in kg" in weight
        assert not {"pay", "spend", "cost", "budget"} & set(words(weight))
