import asyncio

import pytest
from msgspec import structs

from misstep.core.objective import ExpectedFact, Objective
from misstep.proving.agent_voice import voice_names
from misstep.proving.proof import VOICES, Proof, drawn
from tests.unit.proving.conftest import Shelf, asking, lending


def why_not(made, **proof):
    return asyncio.run(Proof(make_toolbox=lambda seed: Shelf(), **proof)([made]))[0]


def test_what_the_planned_agent_passes_and_idle_ones_fail_is_proven():
    assert why_not(asking()) == ""


@pytest.mark.parametrize(
    ("facts", "name"),
    [((), "does nothing"), ((ExpectedFact("end", ("taken care of",)),), "only claims success")],
)
def test_what_an_idle_agent_passes_is_not_proven(facts, name):
    scenario, plan = asking()
    assert name in why_not((structs.replace(scenario, objective=Objective(facts=facts)), plan))


def test_what_cannot_be_got_out_of_the_person_is_not_proven():
    scenario, plan = lending(script=("I want to borrow a book.", "Say that again?"))
    assert "did not pass, talking as in" in why_not((scenario, plan))


def test_an_agent_that_breaks_is_told_apart_from_a_scenario_that_is_unfair():
    scenario, plan = asking()
    broken = structs.replace(plan, errands=(*plan.errands, *plan.errands))
    assert "broke: IndexError" in why_not((scenario, broken))


def test_each_scenario_has_its_own_voices_and_all_come_up():
    names = [tuple(voice.name for voice in drawn(f"case-{at}", seed=0)) for at in range(40)]
    assert {len(set(each)) for each in names} == {VOICES}
    assert {name for each in names for name in each} == set(voice_names())
    assert names[0] == tuple(voice.name for voice in drawn("case-0", seed=0))


def test_several_processes_find_what_one_does():
    unfair = lending(script=("I want to borrow a book.", "Say that again?"))
    made = [
        (structs.replace(scenario, name=f"{at}"), plan) for at, (scenario, plan) in enumerate([asking(), unfair] * 4)
    ]
    alone, together = (asyncio.run(Proof(make_toolbox=lambda seed: Shelf(), workers=n)(made)) for n in (1, 3))
    assert together == alone
    assert [bool(why) for why in together] == [False, True] * 4


class Real:
    """A toolbox without a state: what it does is done."""

    def __init__(self, called):
        self._shelf = Shelf()
        self._called = called

    async def tools(self):
        return await self._shelf.tools()

    async def call(self, tool, arguments):
        self._called.add(tool)
        return await self._shelf.call(tool, arguments)


def test_tools_whose_acts_could_not_be_taken_back_are_only_read():
    called = set()
    made = lending(script=("I want to borrow a book: B-17, on 2026-07-04.", *["Yes, please."] * 3))
    assert asyncio.run(Proof(make_toolbox=lambda seed: Real(called))([made])) == ("",)
    assert called == {"find_books"}
