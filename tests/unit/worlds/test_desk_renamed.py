"""A renamed desk is the same desk in other words, and lets none of the old ones slip."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from random import Random

import msgspec

from misstep.core.roles import Governed, Stateful, Toolbox
from misstep.core.state import difference
from misstep.core.tool import JSON
from misstep.core.words import stem, words
from misstep.worlds import world_named
from misstep.worlds.desk.making import pristine
from misstep.worlds.desk.tools import services
from misstep.worlds.desk.vocabulary import desk_renaming, desk_words
from misstep.worlds.desk.world import Desk

SEED = 7
OWN_ID = re.compile(r"\b[MECVTS]-\d")
KEPT = re.compile(r"\S+@\S+|https?://\S+")
SECRET = re.compile(r"\b(?=\w*\d)\w{12}\b")


def texts(value: JSON) -> Iterator[str]:
    """Every text and key in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts(key)
            yield from texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from texts(each)


def slips(value: JSON) -> set[str]:
    """Words, forms of words and ids of the desk that can be seen."""
    stems = {stem(word) for word in desk_words()}
    seen: set[str] = set()
    for text in texts(value):
        bare = SECRET.sub("", KEPT.sub("", text))
        seen |= {word for word in words(bare) if word in desk_words() or stem(word) in stems}
        seen |= set(OWN_ID.findall(bare))
    return seen


def random_calls(count: int) -> Iterator[tuple[str, dict[str, JSON]]]:
    """Calls with values borrowed from the records; some of them good, the others refused."""
    random = Random(5)
    tables = pristine(SEED)
    for _ in range(count):
        known: dict[str, JSON] = {}
        for table in tables.as_state().values():
            known |= random.choice([*table.values()]) if table else {}
        known |= {"query": random.choice(["budget", "tomas", "archive", "mail", "nothing like it"]), "minutes": 30}
        known |= {"subject": "Your files", "text": "The mail was read.", "start": "10:00", "day": "2026-07-10"}
        known |= {"command": random.choice(["ls", "cat notes/plans.md", "rm -r archive", "find notes -name '*.md'"])}
        known |= {"new_path": f"/home/archive/new-{random.randrange(99)}.txt", "due_on": "2026-07-01", "status": "open"}
        for name, service in services().items():
            properties = service.tool.input_schema["properties"]
            assert isinstance(properties, dict)
            arguments = {each: known[each] for each in properties}
            if arguments and random.random() < 0.1:
                arguments.pop(random.choice([*arguments]))
            yield name, arguments


def test_a_renamed_desk_fills_the_three_roles_of_a_world() -> None:
    world = world_named("desk-renamed").make(SEED)
    assert isinstance(world, Toolbox)
    assert isinstance(world, Stateful)
    assert isinstance(world, Governed)


def test_a_call_in_other_words_gets_the_same_answer_in_other_words() -> None:
    renaming = desk_renaming()
    desk, other = Desk(SEED), world_named("desk-renamed").make(SEED)

    async def both() -> None:
        for tool, arguments in random_calls(15):
            here = await desk.call(tool, arguments)
            there = await other.call(renaming.text(tool), renaming.record(arguments))
            assert there.is_error == here.is_error
            assert there.content == renaming.value(here.content)
            if tool != "run_command":  # What the shell is called with are its own words.
                assert slips(there.content) == set(), tool

    asyncio.run(both())
    assert renaming.state(desk.snapshot()) == other.snapshot()
    assert difference(desk.snapshot(), Desk(SEED).snapshot()) != ()


def test_nothing_on_offer_shows_a_word_or_an_id_of_the_desk() -> None:
    world = world_named("desk-renamed").make(SEED)
    offered = asyncio.run(world.tools())
    assert slips([[tool.name, tool.description, _said(tool.input_schema)] for tool in offered]) == set()
    assert slips([_said(tool.output_schema) for tool in offered]) == set()
    assert slips(world.policy.text) == set()
    for rule in world.policy.rules:
        assert slips([rule.id, rule.text, rule.tools, list(rule.parameters.values())]) == set()


def _said(schema: JSON) -> JSON:
    """What a schema says beyond its own keywords: names, descriptions, values and patterns."""
    if isinstance(schema, list):
        return [_said(each) for each in schema]
    if not isinstance(schema, Mapping):
        return None
    said: list[JSON] = [schema.get("description"), schema.get("enum"), schema.get("required"), schema.get("pattern")]
    properties = schema.get("properties") or {}
    assert isinstance(properties, Mapping)
    return [*said, *properties.keys(), *(_said(each) for each in properties.values()), _said(schema.get("items"))]


def test_no_record_shows_a_word_or_an_id_of_the_desk() -> None:
    state = world_named("desk-renamed").make(SEED).snapshot()
    assert slips({name: list(table.items()) for name, table in state.items()}) == set()


def test_no_scenario_shows_a_word_or_an_id_of_the_desk() -> None:
    for scenario in world_named("desk-renamed").scenarios():
        shown = [scenario.summary, scenario.tools, _said_in(scenario.user), _said_in(scenario.objective)]
        for fault in scenario.faults:
            shown += [fault.tool, fault.arguments, [each for each in fault.parameters.values() if each is not True]]
        assert slips(shown) == set(), scenario.name


def _said_in(value: object) -> JSON:
    """What a noun holds, without the names of its own fields and its closed vocabularies."""
    if isinstance(value, msgspec.Struct):
        kept = [name for name in value.__struct_fields__ if name not in ("reveal", "effect")]
        return [_said_in(getattr(value, name)) for name in kept]
    return [_said_in(each) for each in value] if isinstance(value, tuple) else value


def test_a_scenario_keeps_its_name_and_factors_and_comes_back_when_renamed_twice() -> None:
    renaming = desk_renaming()
    for plain, renamed in zip(world_named("desk").scenarios(), world_named("desk-renamed").scenarios(), strict=True):
        assert (renamed.name, renamed.factors, renamed.seed) == (plain.name, plain.factors, plain.seed)
        assert renaming.scenario(renamed) == plain


def test_a_renamed_desk_can_be_kept_and_put_back() -> None:
    renaming, world = desk_renaming(), world_named("desk-renamed").make(SEED)
    kept = world.snapshot()
    path = renaming.record({"path": "/home/archive/2024/dentist-1298.md"})
    answer = asyncio.run(world.call(renaming.text("delete_file"), path))
    assert not answer.is_error, answer.content
    assert [change.table for change in difference(kept, world.snapshot())] == [renaming.text("files")]
    world.restore(kept)
    assert difference(kept, world.snapshot()) == ()
