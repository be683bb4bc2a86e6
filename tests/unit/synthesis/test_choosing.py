"""Where several records fit what was said: whether it matters which of them is meant."""

import asyncio
from collections.abc import Callable

from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact
from misstep.core.roles import Toolbox
from misstep.synthesis.choosing import choice_of, with_choices
from misstep.synthesis.composing import compose
from misstep.synthesis.ground import Choice, ground_of
from misstep.synthesis.task import Control, Item, Step, Task
from misstep.synthesis.tasks.checking import met
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def aviary() -> list[Callable[..., object]]:
    birds: dict[str, dict[str, object]] = {
        ring: {"ring": ring, "species": species, "cage": cage, "wing_mm": wing, "weight_g": weight, "keeper": keeper}
        for ring, species, cage, wing, weight, keeper in (
            ("R-1", "finch", "C1", 61, 14, "Ada"),
            ("R-2", "finch", "C1", 64, 15, "Ada"),
            ("R-3", "robin", "C2", 70, 18, "Ada"),
            ("R-4", "robin", "C3", 73, 19, "Bob"),
            ("R-5", "siskin", "C1", 66, 12, "Bob"),
            ("R-6", "siskin", "C2", 67, 13, None),
        )
    }
    cages: dict[str, dict[str, object]] = {
        name: {"cage": name, "heat": heat, "free": free}
        for name, heat, free in (("C1", 19.5, True), ("C2", 21.5, True), ("C3", 24.5, False))
    }

    keepers = {"Ada": 0, "Bob": 0}

    def find_birds(species: str) -> list[dict[str, object]]:
        """Find birds by species."""
        return [dict(each) for each in birds.values() if each["species"] == species]

    def cage_heat(cage: str) -> dict[str, object]:
        """How warm a cage is."""
        return {"heat": cages[cage]["heat"]}

    def release(ring: str) -> dict[str, object]:
        """Release a bird."""
        if not cages[str(birds[ring]["cage"])]["free"]:
            raise ValueError("That cage is locked.")
        birds[ring]["cage"] = "none"
        return dict(birds[ring])

    def feed_keeper(keeper: str) -> str:
        """Feed a keeper."""
        keepers[keeper] += 1
        return "done"

    return [find_birds, cage_heat, release, feed_keeper]


_AVIARY = asyncio.run(held(as_toolbox(aviary))).make


def make(seed: int) -> Toolbox:
    assert _AVIARY is not None
    return _AVIARY()


def warmth(species: str, wing: int, cage: str, heat: float) -> Task:
    steps = (
        Step(tool="find_birds", arguments={"species": species}, role="look-up"),
        Step(tool="cage_heat", arguments={"cage": cage}, role="act", after=(0,)),
    )
    return Task(
        id=f"cage_heat/{species}",
        kind="question",
        tool="cage_heat",
        steps=steps,
        items=(Item(name="species", value=species, role="key"), Item(name="wing in mm", value=wing, role="mark")),
        calls=tuple(ExpectedCall(tool=step.tool, arguments=dict(step.arguments), optional=True) for step in steps),
        told=(ExpectedFact("heat", (heat,)),),
        wants="heat",
        marks=("wing in mm",),
        controls=(Control(name="nothing-told", steps=steps),),
    )


def freedom(species: str, wing: int, ring: str) -> Task:
    steps = (
        Step(tool="find_birds", arguments={"species": species}, role="look-up"),
        Step(tool="release", arguments={"ring": ring}, role="act", after=(0,)),
    )
    return Task(
        id=f"release/{species}",
        kind="act",
        tool="release",
        steps=steps,
        items=(Item(name="species", value=species, role="key"), Item(name="wing in mm", value=wing, role="mark")),
        changes=(ExpectedChange(table="birds", key=ring),),
        marks=("wing in mm",),
    )


def meal(species: str, wing: int, keeper: str) -> Task:
    return Task(
        id=f"feed_keeper/{keeper}",
        kind="act",
        tool="feed_keeper",
        steps=(
            Step(tool="find_birds", arguments={"species": species}, role="look-up"),
            Step(tool="feed_keeper", arguments={"keeper": keeper}, role="act", after=(0,)),
        ),
        items=(Item(name="species", value=species, role="key"), Item(name="wing in mm", value=wing, role="mark")),
        changes=(ExpectedChange(table="keepers", key=keeper),),
        marks=("wing in mm",),
    )


def chosen(task: Task) -> Choice | None:
    return asyncio.run(choice_of(make, task))


def test_where_all_that_fit_have_the_same_answer_nobody_need_ask() -> None:
    assert chosen(warmth("finch", 61, "C1", 19.5)) is None
    assert chosen(warmth("robin", 70, "C2", 21.5)) == Choice((21.5, 24.5))


def test_where_only_one_of_them_can_have_it_done_nobody_need_ask() -> None:
    assert chosen(freedom("robin", 70, "R-3")) is None
    assert chosen(freedom("finch", 61, "R-1")) == Choice()


def test_where_the_others_have_nothing_that_it_could_be_done_with_nobody_need_ask() -> None:
    assert chosen(meal("siskin", 66, "Bob")) is None


def test_where_the_same_would_be_done_for_each_of_them_nobody_need_ask() -> None:
    assert chosen(meal("finch", 61, "Ada")) is None
    assert chosen(meal("robin", 70, "Ada")) == Choice()


def test_a_scenario_in_which_several_fit_says_what_may_be_told_instead_of_asking() -> None:
    task = warmth("robin", 70, "C2", 21.5)

    async def check() -> None:
        ground = await with_choices(await ground_of(make, [task]), make, [task])
        made = compose([task], {"ambiguity": "several"}, seed=1, ground=ground)
        assert made.scenario.objective is not None
        assert made.scenario.objective.questions[0].or_told == (21.5, 24.5)
        assert await met(make, made.scenario, made.plan.steps, made.plan.tells) == ()

    asyncio.run(check())
