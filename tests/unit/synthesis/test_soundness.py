"""What makes a scenario unfair to a competent agent, kind by kind: none of it may come out of the shop or the desk."""

import asyncio

import pytest
from worlds_made import synthesis_in

from misstep.core.scenario import Scenario
from misstep.synthesis.tasks.calling import called
from misstep.synthesis.tasks.looks import in_words, is_code
from misstep.synthesis.tasks.slots import Slot
from misstep.worlds import world_named


def scenarios(world: str) -> tuple[Scenario, ...]:
    return synthesis_in(world).scenarios


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_what_is_looked_up_is_a_number_of_something(world: str) -> None:
    looked_up = [fact for scenario in scenarios(world) for fact in scenario.user.facts if fact.from_tool]
    assert looked_up
    assert all(is_code(fact.value) for fact in looked_up)


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_what_is_not_there_comes_alone_so_that_nothing_else_leads_to_it(world: str) -> None:
    absent = [scenario for scenario in scenarios(world) if scenario.factors["ambiguity"] == "none"]
    assert absent
    assert all(len(scenario.user.goals) == 1 for scenario in absent)


def test_nobody_speaks_for_two_customers() -> None:
    for scenario in scenarios("shop"):
        steps = synthesis_in("shop").plans[scenario.name].steps
        assert len({step.arguments["customer_id"] for step in steps if "customer_id" in step.arguments}) <= 1


def test_a_file_that_is_named_is_the_file_that_is_meant() -> None:
    for scenario in scenarios("desk"):
        acts = [
            step
            for step in synthesis_in("desk").plans[scenario.name].steps
            if step.tool in ("delete_file", "replace_file")
        ]
        paths = {str(fact.value) for fact in scenario.user.facts if fact.name == "path"}
        if len(acts) == 1 and paths and len(scenario.user.goals) == 1:
            assert acts[0].arguments["path"] in paths


def test_all_of_them_are_all_that_are_there() -> None:
    tasks = [
        scenario
        for scenario in scenarios("desk")
        if scenario.factors["constraint"] == "exclusion" and scenario.task.startswith("complete_task")
    ]
    for scenario in tasks:
        done = [step for step in synthesis_in("desk").plans[scenario.name].steps if step.tool == "complete_task"]
        listed = asyncio.run(world_named("desk").make(scenario.seed).call("list_tasks", {})).content
        assert len(done) + 1 == len(listed["tasks"])  # type: ignore[index,call-overload]


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_facts_of_two_goals_are_named_by_what_they_are_for(world: str) -> None:
    for scenario in scenarios(world):
        texts = [fact.name for fact in scenario.user.facts if fact.name.startswith("text")]
        tools = {step.tool for step in synthesis_in(world).plans[scenario.name].steps}
        if {"add_note", "send_mail"} <= tools and len(texts) == 2:
            assert sorted(texts) == ["text of the mail", "text of the note"]


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_no_words_are_demanded_for_what_cannot_be(world: str) -> None:
    objectives = [scenario.objective for scenario in scenarios(world) if scenario.objective is not None]
    assert any(objective.impossible for objective in objectives)
    assert not any(str(form).startswith("(") for each in objectives for fact in each.facts for form in fact.any_of)


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_nobody_says_nothing_in_words(world: str) -> None:
    for scenario in scenarios(world):
        said = (scenario.user.opening, *(goal.ask for goal in scenario.user.goals))
        assert not any("None" in text or "null" in text for text in said)


@pytest.mark.parametrize(
    ("field", "words"),
    [("due_on", "due date"), ("restock_on", "restock date"), ("delivered_on", "delivered on"), ("sent_on", "sent on")],
)
def test_the_day_of_something_is_called_a_date(field: str, words: str) -> None:
    assert in_words(field) == words


def test_a_record_alone_is_no_other_word_for_its_number() -> None:
    slot = Slot(path=("customer_id",), schema={"description": "The customer."}, optional=False)
    assert "customer" not in called(slot, "customer_id")
