"""A shelf of books that can be lent, with scenarios about it and their plans, made by hand."""

from collections.abc import Mapping, Sequence

import pytest

from misstep.core.objective import ExpectedCall, ExpectedFact, Objective
from misstep.core.scenario import Fact, Goal, Person, Scenario
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.merging import Errand, Plan
from misstep.synthesis.task import Step

LEND = {"book_id": "B-17", "day": "2026-07-04"}


class Shelf:
    """Fails so many calls before it answers; remembers those that it answered."""

    def __init__(self, *, failing: int = 0) -> None:
        self.failing = failing
        self.done: list[tuple[str, Mapping[str, JSON]]] = []

    async def tools(self) -> Sequence[Tool]:
        fields: JSON = {"book_id": {"type": "string"}, "day": {"type": "string"}}
        return (
            Tool("find_books", "Find books.", {"type": "object"}, effect="reads"),
            Tool("lend_book", "Lend a book.", {"type": "object", "properties": fields}, effect="writes"),
        )

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if self.failing:
            self.failing -= 1
            return Answer("Not now.", is_error=True)
        self.done.append((tool, dict(arguments)))
        return Answer({"books": [{"book_id": "B-17", "colour": "red"}, {"book_id": "B-18", "colour": "blue"}]})

    def snapshot(self) -> dict[str, dict[str, dict[str, JSON]]]:
        return {"lent": {str(at): dict(each) for at, (tool, each) in enumerate(self.done) if tool == "lend_book"}}

    def restore(self, state: object) -> None:
        raise NotImplementedError


def lending(**person) -> tuple[Scenario, Plan]:
    """A book is to be lent on a day, with a yes before; its number and the day come out when asked for."""
    facts = (Fact(name="book id", value="B-17", goals=(0,)), Fact(name="day", value="2026-07-04", goals=(0,)))
    user = Person(**{"facts": facts, "goals": (Goal(ask="I want to borrow a book."),), **person})
    call = ExpectedCall(tool="lend_book", arguments=LEND, confirmed=True)
    steps = (
        Step(tool="find_books", arguments={}, role="look-up"),
        Step(tool="lend_book", arguments=dict(LEND), role="act", after=(0,)),
    )
    plan = Plan(steps=steps, errands=(Errand(kind="act", tool="lend_book", steps=steps),))
    return Scenario(name="lend-book-001", user=user, objective=Objective(calls=(call,))), plan


def asking(*lines: str) -> tuple[Scenario, Plan]:
    """Somebody wants to know the colour of a book, and says just these lines."""
    steps = (Step(tool="find_books", arguments={}, role="act"),)
    told = (ExpectedFact("colour", ("red",)),)
    ask = "What is the colour of book B-17?"
    plan = Plan(steps=steps, errands=(Errand(kind="question", tool="find_books", steps=steps, told=told),))
    person = Person(script=lines or (ask,), goals=(Goal(ask=ask),))
    return Scenario(name="find-books-001", user=person, objective=Objective(facts=told)), plan


@pytest.fixture
def shelf():
    return Shelf()
