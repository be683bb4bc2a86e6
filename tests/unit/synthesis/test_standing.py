"""Tasks share a conversation only where what each was made for still holds."""

import asyncio
from collections.abc import Callable

from misstep.core.objective import ExpectedFact
from misstep.core.scenario import Given
from misstep.core.tool import JSON
from misstep.synthesis.standing import given_of, stands
from misstep.synthesis.task import Item, Kind, Step, Task
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def pipeline() -> list[Callable[..., object]]:
    leads = {
        "L-1": {"lead_id": "L-1", "company": "Norgas", "stage": "new"},
        "L-2": {"lead_id": "L-2", "company": "Teklab", "stage": "talking"},
    }

    def lead(lead_id: str) -> dict[str, str]:
        """One lead."""
        return leads[lead_id]

    def leads_in(stage: str) -> list[dict[str, str]]:
        """All leads in a stage."""
        return [each for each in leads.values() if each["stage"] == stage]

    def move(lead_id: str, stage: str) -> dict[str, str]:
        """Move a lead to another stage."""
        leads[lead_id]["stage"] = stage
        return leads[lead_id]

    return [lead, leads_in, move]


def standing(*tasks: Task) -> bool:
    make = asyncio.run(held(as_toolbox(pipeline))).make
    assert make is not None
    return asyncio.run(stands(lambda seed: make(), tasks))


def task(kind: Kind, tool: str, given: tuple[Given, ...] = (), **arguments: JSON) -> Task:
    return Task(
        id=f"{tool}/{arguments}",
        kind=kind,
        tool=tool,
        steps=(Step(tool=tool, arguments=arguments, role="act" if kind != "refusal" else "look-up"),),
        items=(),
        told=(ExpectedFact("lead", ("Norgas",)),) if kind == "question" else (),
        given=given,
    )


MOVED = (Given("move", {"lead_id": "L-2", "stage": "won"}),)


def test_a_question_does_not_share_a_scene_that_changes_its_answer() -> None:
    again = task("refusal", "lead", MOVED, lead_id="L-2")
    assert not standing(again, task("question", "lead", lead_id="L-2"))
    assert standing(again, task("question", "lead", lead_id="L-1"))


def test_a_question_about_a_list_does_not_go_with_an_act_that_brings_something_into_it() -> None:
    asks = task("question", "leads_in", stage="new")
    assert not standing(task("act", "move", lead_id="L-2", stage="new"), asks)
    assert standing(task("act", "move", lead_id="L-2", stage="won"), asks)


def test_what_two_tasks_are_both_given_is_given_once() -> None:
    one, other = task("question", "lead", MOVED, lead_id="L-1"), task("question", "lead", MOVED, lead_id="L-2")
    assert given_of([one, other]) == MOVED


def test_what_is_limited_does_not_go_with_an_act_that_changes_what_the_limit_is_about() -> None:
    both = Task(
        id="move/all/budget",
        kind="act",
        tool="move",
        steps=(
            Step(tool="leads_in", arguments={"stage": "new"}, role="look-up"),
            Step(tool="move", arguments={"lead_id": "L-1", "stage": "lost"}, role="act"),
        ),
        items=(),
    )
    make = asyncio.run(held(as_toolbox(pipeline))).make
    assert make is not None

    def beside(stage: str) -> bool:
        other = task("act", "move", lead_id="L-2", stage=stage)
        return asyncio.run(stands(lambda seed: make(), (both, other), limited=True))

    assert not beside("new")
    assert beside("won")


def test_what_one_act_makes_of_a_record_must_not_fit_what_is_said_of_another() -> None:
    described = Task(
        id="move/described",
        kind="act",
        tool="move",
        steps=(
            Step(tool="leads_in", arguments={"stage": "new"}, role="look-up"),
            Step(tool="move", arguments={"lead_id": "L-1", "stage": "lost"}, role="act"),
        ),
        items=(Item(name="stage", value="new", role="key"),),
    )
    assert not standing(task("act", "move", lead_id="L-2", stage="new"), described)
    assert standing(task("act", "move", lead_id="L-2", stage="won"), described)
