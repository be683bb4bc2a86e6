import asyncio

import pytest
from msgspec import structs

from misstep.core.scenario import Fact, Goal
from misstep.proving.agent_voice import voice_named, voice_names
from misstep.proving.planned import Planned
from misstep.synthesis.merging import Plan
from tests.unit.proving.conftest import LEND, Shelf, asking, lending

LOOK = ("find_books", {})


def held(made, shelf, *lines, voice="prose", seed=0):
    """What the agent answers to these lines."""
    agent = Planned(*made, voice_named(voice), seed=seed)

    async def talk():
        return [await agent.respond(line, shelf) for line in lines]

    return asyncio.run(talk())


@pytest.mark.parametrize("voice", [name for name in voice_names() if not voice_named(name).asks_again])
def test_it_asks_for_what_nobody_has_said_proposes_and_acts_after_a_yes(voice, shelf):
    said = held(lending(), shelf, "I want to borrow a book.", "It is B-17, on 4 July 2026.", voice=voice)
    assert "book" in said[0].lower()
    assert "day" in said[0].lower()
    assert "B-17" in said[1]
    assert shelf.done == [LOOK]
    held(lending(), shelf, "I want to borrow a book.", "It is B-17, on 4 July 2026.", "Yes, please.", voice=voice)
    assert shelf.done[-1] == ("lend_book", LEND)


def test_what_is_no_yes_is_no_leave(shelf):
    lines = ("I want to borrow a book: B-17, on 4 July 2026.", "Do what you like.", "Well, please.", "It is B-17.")
    said = held(lending(), shelf, *lines)
    assert "lend_book" not in [tool for tool, _ in shelf.done]
    assert "confirmation" in said[-1]


def test_it_stops_where_a_value_does_not_come(shelf):
    said = held(lending(), shelf, "I want to borrow a book.", *["The day is 2026-07-04."] * 5)
    assert shelf.done == []
    assert said[-1].startswith("I'm sorry, but I can't continue")


def test_a_wrong_value_is_shown_and_not_acted_upon(shelf):
    facts = (Fact(name="book id", value="B-17", at_first="B-99"), Fact(name="day", value="2026-07-04"))
    lines = ("Lend me B-99 on 2026-07-04.", "No, the book id is B-17.", "Yes.")
    said = held(lending(facts=facts), shelf, *lines)
    assert "B-99" in said[0]
    assert "B-17" in said[1]
    assert shelf.done[-1] == ("lend_book", LEND)


def test_a_call_that_fails_is_tried_again():
    shelf = Shelf(failing=2)
    held(asking(), shelf, "What is the colour of book B-17?")
    assert shelf.done == [LOOK]


def test_a_text_is_told_only_word_for_word(shelf):
    facts = (Fact(name="text", value="Your order is on its way"),)
    (said,) = held(lending(facts=facts), shelf, "By the way, I want to borrow a book, in order to read.")
    assert "text" in said


def test_a_further_goal_waits_until_it_is_brought_up(shelf):
    (scenario, plan), (_, other) = lending(), asking()
    goals = (Goal(ask="What is the colour of book B-17?"), Goal(ask="I want to borrow a book.", after=True))
    facts = tuple(structs.replace(fact, goals=(1,)) for fact in scenario.user.facts)
    scenario = structs.replace(scenario, user=structs.replace(scenario.user, goals=goals, facts=facts))
    both = scenario, Plan(steps=(), errands=(*other.errands, *plan.errands))
    said = held(both, shelf, goals[0].ask, "Thanks!", "Now I want to borrow a book.")
    assert "red" in said[0]
    assert "day" not in said[0] + said[1]
    assert "day" in said[2]


def test_choices_are_shown_where_a_look_up_showed_several(shelf):
    facts = (Fact(name="colour", value="red"), Fact(name="day", value="2026-07-04"))
    lines = ("I want to borrow a book on 2026-07-04.", "The red one.")
    said = held(lending(facts=facts), shelf, *lines, voice="options")
    assert "B-17" in said[0]
    assert "B-18" in said[0]
    assert "B-18" not in said[1]


def test_the_same_seed_says_the_same(shelf):
    once, again = (held(lending(), shelf, "Hello.", "It is B-17.", seed=5) for _ in range(2))
    assert once == again
