"""Each variant breaks one thing, and that only where it has an occasion."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from misstep.agents.zoo import PLANTED, zoo_named
from misstep.agents.zoo.variants.calls_gone_wrong import (
    AskingAround,
    BuildingOnWreckage,
    CallingUnknown,
    CarryingErrors,
    GivingUp,
    Misshaping,
    NeverSatisfied,
    Oscillating,
    PuttingOff,
    RetryingBlindly,
)
from misstep.agents.zoo.variants.lens import Lens
from misstep.core.errors import BudgetSpentError
from misstep.core.policy import Rule
from misstep.core.tool import JSON, Answer, Tool
from misstep.taxonomy import modes

TEXT: dict[str, JSON] = {"type": "string"}
OBJECT: dict[str, JSON] = {"type": "object", "properties": {"note": TEXT}}
ID: dict[str, JSON] = {"type": "string", "pattern": "^R-"}
TOOLS = (
    Tool("find", "Find things by words.", {"properties": {"words": TEXT}}, OBJECT, "reads"),
    Tool("show", "Show a thing.", {"properties": {"thing_id": ID}, "required": ["thing_id"]}, OBJECT, "reads"),
    Tool("check", "Check a thing.", {"properties": {"thing_id": ID}, "required": ["thing_id"]}, OBJECT, "reads"),
    Tool("write", "Write a note.", {"properties": {"thing_id": ID, "note": TEXT}}, OBJECT, "writes"),
)


class Box:
    """Answers from a script, tool by tool, then with a note; stops after so many calls."""

    def __init__(self, script: Mapping[str, list[Answer]] | None = None, most: int = 60) -> None:
        self.calls: list[tuple[str, dict[str, JSON]]] = []
        self._script = {name: list(answers) for name, answers in (script or {}).items()}
        self._most = most

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if len(self.calls) >= self._most:
            raise BudgetSpentError("calls", self._most)
        self.calls.append((tool, dict(arguments)))
        waiting = self._script.get(tool)
        return waiting.pop(0) if waiting else Answer({"note": "ok"})

    @property
    def made(self) -> list[str]:
        return [tool for tool, _ in self.calls]


def seen(lens: Lens, box: Box, *calls: tuple[str, dict[str, JSON]]) -> list[Answer]:
    async def make() -> list[Answer]:
        lens.box = box
        return [await lens.call(tool, arguments) for tool, arguments in calls]

    return asyncio.run(make())


def error(text: str) -> Answer:
    return Answer(text, is_error=True)


SHOW: tuple[str, dict[str, JSON]] = ("show", {"thing_id": "R-1"})
FIND: tuple[str, dict[str, JSON]] = ("find", {"words": "x"})
WRITE: tuple[str, dict[str, JSON]] = ("write", {"thing_id": "R-1", "note": "hello"})


def test_every_planted_mode_is_a_mode_and_every_variant_can_be_made() -> None:
    assert [mode for mode in PLANTED.values() if mode not in modes()] == []
    for variant in PLANTED:
        assert hasattr(zoo_named(variant)(), "respond")


def test_who_oscillates_swings_once_between_two_looks() -> None:
    box = Box()
    seen(Oscillating(), box, FIND, SHOW, FIND)
    assert box.made == ["find", "show", *["find", "show"] * 3, "find"]
    assert Box().made == []


def test_who_is_never_satisfied_uses_the_budget_up() -> None:
    box = Box(most=20)
    with pytest.raises(BudgetSpentError):
        seen(NeverSatisfied(), box, FIND, WRITE)
    assert box.made.count("find") == 19


def test_who_asks_around_does_so_once_and_then_does_what_is_wanted() -> None:
    box = Box()
    seen(AskingAround(), box, SHOW, SHOW)
    assert box.made == ["find"] * 8 + ["show", "show"]


def test_bad_arguments_are_put_right_at_the_second_try() -> None:
    box = Box()
    seen(Misshaping(), box, SHOW, SHOW)
    assert [given for _, given in box.calls] == [{"thing_id": ["R-1"]}, {"thing_id": "R-1"}, {"thing_id": "R-1"}]


def test_what_comes_first_is_made_good_after_a_refusal() -> None:
    rule = Rule("r", "requires", "Check.", tools=("write",), parameters={"tool": "check", "same": ["thing_id"]})
    box = Box({"write": [error("check first")]})
    seen(PuttingOff([rule]), box, WRITE)
    assert box.made == ["write", "check", "write"]


def test_an_unknown_tool_is_tried_before_the_known_one() -> None:
    box = Box()
    seen(CallingUnknown(), box, SHOW)
    assert box.made[1] == "show"
    assert box.made[0] not in {tool.name for tool in TOOLS}


def test_wreckage_is_taken_for_an_answer() -> None:
    box = Box({"show": [Answer('{"note": "he'), Answer({"note": "whole"})]})
    broken, whole = seen(BuildingOnWreckage(), box, SHOW, SHOW)
    assert (broken.content, whole.content) == ({"thing_id": "R-1"}, {"note": "whole"})


def test_what_is_refused_for_good_is_tried_again_and_what_may_pass_is_left_to_the_agent() -> None:
    box = Box({"show": [error("no such thing"), error("no such thing")], "find": [error("the service is busy")]})
    seen(RetryingBlindly(), box, SHOW, FIND)
    assert box.made == ["show", "show", "find"]


def test_what_may_pass_is_given_up_on() -> None:
    box = Box({"show": [error("the service is busy"), error("no such thing")]})
    passing, lasting = seen(GivingUp(), box, SHOW, SHOW)
    assert (passing.content, lasting.content) == ("It is not possible.", "no such thing")


def test_the_text_of_an_error_is_carried_on() -> None:
    box = Box({"show": [error("The service is down.")]})
    seen(CarryingErrors(), box, SHOW, WRITE)
    assert box.calls[-1] == ("write", {"thing_id": "R-1", "note": "The service is down."})
