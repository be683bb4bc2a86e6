"""Wishes and names of facts over synthesized conversations of two worlds: are they as people would say them?"""

import re
from collections.abc import Iterator

import pytest
from worlds_made import MANY_SCENARIOS, synthesis_in

from misstep.core.scenario import Person

_FIELD = re.compile(r"[a-z]_[a-z]|[a-z][A-Z]| (?:on|at|by)$|\b(\w+) \1\b|\bthe of\b|^(?:in|of|on|to) ")


def _persons(world: str) -> tuple[Person, ...]:
    return tuple(scenario.user for scenario in synthesis_in(world).scenarios)


def _wishes(world: str) -> Iterator[tuple[Person, str]]:
    return ((person, goal.wish) for person in _persons(world) for goal in person.goals)


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_every_wish_begins_with_what_is_to_be_done_and_says_nothing_else(world: str) -> None:
    wishes = [wish for _, wish in _wishes(world)]
    assert len(wishes) >= MANY_SCENARIOS
    for wish in wishes:
        assert re.fullmatch(r"[a-z]+(?: (?:I|[a-z'-]+))+(?:, (?:all of them|as many as that allows))?", wish), wish
        assert not _FIELD.search(wish), wish
        assert not re.search(r"\b(?:please|thanks|sorry|just)\b", wish), wish


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_no_wish_tells_a_fact(world: str) -> None:
    for person, wish in _wishes(world):
        values = [str(value) for fact in person.facts for value in (fact.value, fact.at_first) if value is not None]
        assert not [value for value in values if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", wish)], wish


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_no_wish_is_for_a_new_one_without_saying_what_it_is_about(world: str) -> None:
    for _, wish in _wishes(world):
        assert " new " not in f" {wish} ", wish
        if re.match(r"(?:send|fire|shoot|get) .*\b(?:mail|receipt)\b", wish):
            assert re.search(r" (?:to|for|about) ", wish), wish


@pytest.mark.parametrize("world", ["shop", "desk"])
def test_no_fact_is_called_as_a_field_is(world: str) -> None:
    for person in _persons(world):
        names = [fact.name for fact in person.facts]
        assert len(names) == len(set(names)), names
        assert not [name for name in names if _FIELD.search(name)], names
