"""Requests for the tools of whole worlds do not look alike, and are faithful, whatever the tools are called."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any, cast, get_args

import pytest

from misstep.core.tool import Tool
from misstep.core.words import words
from misstep.detectors.evidence.constraints import constraints
from misstep.wording.requests import Act, Closeness, Saying, Worded, facts_in, voices, worded
from misstep.worlds import world_named

WORLDS = ("shop", "desk", "shop-renamed")
COUNT = 500


def tools_of(world: str) -> tuple[Tool, ...]:
    return tuple(asyncio.run(world_named(world).make(0).tools()))


def values_of(world: str) -> dict[str, list[Any]]:
    """Values out of the world's own records, by the name of the field."""
    found: dict[str, list[Any]] = defaultdict(list)
    for table in world_named(world).make(0).snapshot().values():
        for record in islice(table.values(), 50):
            for name, value in record.items():
                if isinstance(value, str | int | float) and value != "":
                    found[name].append(value)
    return found


def acts(world: str, seed: int) -> Iterator[Act]:
    random, values = Random(seed), values_of(world)
    for tool in islice(cycle(tools_of(world)), COUNT):
        properties = cast("dict[str, dict[str, Any]]", tool.input_schema.get("properties", {}))
        sayings: list[Saying] = []
        for name, schema in properties.items():
            known = (
                schema.get("enum") or values.get(name) or values.get(name.removeprefix("new_")) or ["some words", 30]
            )
            content = tool.effect != "reads" and name not in values
            sayings.append(Saying(name.replace("_", " "), random.choice(known), "content" if content else "key", name))
        asks = tool.effect == "reads" and random.random() < 0.7
        yield Act(
            tool.name, tool.description, tuple(sayings), "status" if asks else "", kind="question" if asks else "act"
        )


def requests(world: str) -> list[tuple[Act, Worded]]:
    random = Random(7)
    return [
        (
            act,
            worded(
                act,
                voice=random.choice(voices()),
                closeness=random.choice(get_args(Closeness)),
                random=random,
                tell=[saying.name for saying in act.sayings if random.random() < 0.7],
            ),
        )
        for act in acts(world, 3)
    ]


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


@pytest.fixture(scope="module", params=WORLDS)
def said(request: pytest.FixtureRequest) -> list[tuple[Act, Worded]]:
    return requests(str(request.param))


def test_nearly_every_request_has_a_skeleton_of_its_own(said: list[tuple[Act, Worded]]) -> None:
    assert len({each.skeleton for _, each in said}) >= 480
    by_tool: dict[str, list[str]] = defaultdict(list)
    for act, each in said:
        by_tool[act.tool].append(each.skeleton)
    assert all(len(set(listed)) >= 0.9 * len(listed) for listed in by_tool.values())


def test_the_nearest_neighbour_of_a_request_is_not_near(said: list[tuple[Act, Worded]]) -> None:
    bags = [frozenset(words(each.skeleton)) for _, each in said]
    nearest = sorted(max(likeness(bag, other) for other in bags if other is not bag) for bag in bags)
    assert nearest[len(nearest) // 2] <= 0.55


def test_every_request_of_a_world_tells_just_what_it_should(said: list[tuple[Act, Worded]]) -> None:
    for act, each in said:
        told = [saying for saying in act.sayings if saying.name in each.told]
        assert facts_in(each.text, told, also=(act.tool, act.description)).faithful, each.text


def test_no_wish_is_heard_as_a_prohibition_or_a_limit(said: list[tuple[Act, Worded]]) -> None:
    for _, each in said:
        assert not constraints(each.skeleton), each.text
