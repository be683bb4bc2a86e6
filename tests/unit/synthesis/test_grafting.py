"""Another act for the same person: only where whoever hears it knows which record it is about."""

import asyncio
from collections.abc import Callable
from functools import cache

import pytest

from misstep.core.objective import ExpectedChange
from misstep.core.roles import Toolbox
from misstep.synthesis.grafting import grafted
from misstep.synthesis.task import Item, Step, Task
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def clubs() -> list[Callable[..., object]]:
    coaches = {"HRB": {"code": "HRB", "coach": "Bello"}, "LKS": {"code": "LKS", "coach": "Quist"}}
    players = [{"player": "Jon Falk", "team": "HRB", "cards": 3}, {"player": "Miro Stan", "team": "LKS", "cards": 5}]

    def squad(code: str) -> list[dict[str, object]]:
        """The players of a team."""
        return [each for each in players if each["team"] == code]

    def appoint(code: str, coach: str) -> dict[str, str]:
        """Appoint the coach of a team."""
        coaches[code]["coach"] = coach
        return coaches[code]

    return [squad, appoint]


@cache
def maker() -> Callable[[int], Toolbox]:
    make = asyncio.run(held(as_toolbox(clubs))).make
    assert make is not None
    return lambda seed: make()


APPOINT = Task(
    id="appoint",
    kind="act",
    tool="appoint",
    steps=(Step(tool="appoint", arguments={"code": "LKS", "coach": "Roux"}, role="act"),),
    items=(
        Item(name="code", value="LKS", role="key", argument="code"),
        Item(name="coach", value="Roux", role="content", argument="coach"),
    ),
    changes=(ExpectedChange(table="coaches", key="LKS", fields={"coach": "Roux"}),),
)


def question(item: Item) -> Task:
    step = Step(tool="squad", arguments={"code": "HRB"}, role="act")
    return Task(id="cards", kind="question", tool="squad", steps=(step,), items=(item,))


@pytest.mark.parametrize(
    "item", [Item(name="name", value="Jon Falk", role="key"), Item(name="away", value="HRB", role="key")]
)
def test_what_a_look_up_only_passes_through_is_not_spoken_of(item: Item) -> None:
    assert asyncio.run(grafted(maker(), question(item), APPOINT)) is None


def test_what_is_called_by_its_number_is_spoken_of() -> None:
    made = asyncio.run(grafted(maker(), question(Item(name="code", value="HRB", role="key")), APPOINT))
    assert made is not None
    assert [change.key for change in made.changes] == ["HRB"]
