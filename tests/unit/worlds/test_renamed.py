"""A renamed world is the same world in other words, and lets none of the old ones slip."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from random import Random

import msgspec
import pytest

from misstep.core.errors import UnknownToolError
from misstep.core.roles import Governed, Stateful, Toolbox
from misstep.core.scenario import Scenario
from misstep.core.state import State, difference
from misstep.core.tool import JSON
from misstep.core.words import stem, words
from misstep.worlds import world_named
from misstep.worlds.nonsense import nonsense_for
from misstep.worlds.renaming import Renaming
from misstep.worlds.shop.making import pristine
from misstep.worlds.shop.tools import services
from misstep.worlds.shop.vocabulary import shop_renaming, shop_words
from misstep.worlds.shop.world import Shop

SEED = 7
OWN_ID = re.compile(r"\b[CAPIWYRXNM]-\d")
EMAIL = re.compile(r"\S+@\S+")


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
    """Words, forms of words and ids of the shop that can be seen."""
    stems = {stem(word) for word in shop_words()}
    seen: set[str] = set()
    for text in texts(value):
        bare = EMAIL.sub("", text)
        seen |= {word for word in words(bare) if word in shop_words() or stem(word) in stems}
        seen |= set(OWN_ID.findall(bare))
    return seen


def random_calls(count: int) -> Iterator[tuple[str, dict[str, JSON]]]:
    """Calls with values borrowed from the records; some of them good, the others refused."""
    random = Random(3)
    tables = pristine(SEED)
    orders = list(tables.orders.values())
    for _ in range(count):
        order = random.choice(orders)
        customer = tables.customers[order["customer_id"]]
        line = order["lines"][0]
        known: dict[str, JSON] = {**order, **line, **customer, "new_item_id": "I-4002", "reason": "damaged"}
        known |= {"text": "The order was late.", "subject": "Your refund", "street": "1 Meadow Road", "label": "work"}
        known |= {"max_price": 30, "refund_id": "R-5001", "address_id": order["address_id"]}
        yield "verify_identity", {"customer_id": customer["customer_id"], "postcode": customer["postcode"]}
        for name, service in services().items():
            properties = service.tool.input_schema["properties"]
            assert isinstance(properties, dict)
            arguments = {each: known[each] for each in properties if each != "status"}
            if random.random() < 0.2:
                arguments.pop(random.choice([*arguments]))
            yield name, arguments


def test_a_renamed_shop_fills_the_three_roles_of_a_world() -> None:
    world = world_named("shop-renamed").make(SEED)
    assert isinstance(world, Toolbox)
    assert isinstance(world, Stateful)
    assert isinstance(world, Governed)


def test_a_call_in_other_words_gets_the_same_answer_in_other_words() -> None:
    renaming = shop_renaming()
    shop, other = Shop(SEED), world_named("shop-renamed").make(SEED)

    async def both() -> None:
        for tool, arguments in random_calls(25):
            here = await shop.call(tool, arguments)
            there = await other.call(renaming.text(tool), renaming.record(arguments))
            assert there.is_error == here.is_error
            assert there.content == renaming.value(here.content)
            assert slips(there.content) == set()

    asyncio.run(both())
    assert renaming.state(shop.snapshot()) == other.snapshot()
    assert difference(shop.snapshot(), Shop(SEED).snapshot()) != ()


def test_nothing_on_offer_shows_a_word_or_an_id_of_the_shop() -> None:
    world = world_named("shop-renamed").make(SEED)
    offered = asyncio.run(world.tools())
    names_and_texts = [
        [tool.name, tool.description, _said(tool.input_schema), _said(tool.output_schema)] for tool in offered
    ]
    assert slips(names_and_texts) == set()
    policy = world.policy
    assert slips(policy.text) == set()
    for rule in policy.rules:
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


def test_no_record_shows_a_word_or_an_id_of_the_shop() -> None:
    state = world_named("shop-renamed").make(SEED).snapshot()
    assert slips({name: list(table.items())[:60] for name, table in state.items()}) == set()


def test_no_scenario_shows_a_word_or_an_id_of_the_shop() -> None:
    for scenario in world_named("shop-renamed").scenarios():
        shown = [scenario.summary, scenario.tools, _said_in(scenario.user), _said_in(scenario.objective)]
        for fault in scenario.faults:
            shown += [fault.tool, fault.arguments, list(fault.parameters.values())]
        assert slips(shown) == set(), scenario.name


def _said_in(value: object) -> JSON:
    """What a noun holds, without the names of its own fields and its closed vocabularies."""
    if isinstance(value, msgspec.Struct):
        kept = [name for name in value.__struct_fields__ if name not in ("reveal", "effect")]
        return [_said_in(getattr(value, name)) for name in kept]
    return [_said_in(each) for each in value] if isinstance(value, tuple) else value


def test_a_scenario_keeps_its_name_and_factors_and_comes_back_when_renamed_twice() -> None:
    renaming = shop_renaming()
    for plain, renamed in zip(world_named("shop").scenarios(), world_named("shop-renamed").scenarios(), strict=True):
        assert (renamed.name, renamed.factors, renamed.seed) == (plain.name, plain.factors, plain.seed)
        assert renaming.scenario(renamed) == plain
        assert msgspec.json.decode(msgspec.json.encode(renamed), type=Scenario) == renamed


def test_the_old_names_are_unknown_in_the_renamed_shop() -> None:
    world = world_named("shop-renamed").make(SEED)
    with pytest.raises(UnknownToolError):
        asyncio.run(world.call("show_order", {"order_id": "W-20001"}))


def test_an_old_id_means_nothing_in_the_renamed_shop() -> None:
    renaming, order_id = shop_renaming(), next(iter(pristine(SEED).orders))
    world = world_named("shop-renamed").make(SEED)
    answer = asyncio.run(world.call(renaming.text("show_order"), {renaming.text("order_id"): order_id}))
    assert answer.is_error


def test_a_renamed_shop_can_be_kept_and_put_back() -> None:
    renaming = shop_renaming()
    world = world_named("shop-renamed").make(SEED)
    kept = world.snapshot()
    verify, note = next(iter(random_calls(1))), {"customer_id": "", "text": "The lamp is blue."}
    note["customer_id"] = str(verify[1]["customer_id"])
    asyncio.run(world.call(renaming.text(verify[0]), renaming.record(verify[1])))
    answer = asyncio.run(world.call(renaming.text("add_note"), renaming.record(note)))
    assert not answer.is_error
    later = world.snapshot()
    assert {change.table for change in difference(kept, later)} == {renaming.text("notes"), renaming.text("sessions")}
    world.restore(kept)
    assert difference(kept, world.snapshot()) == ()
    world.restore(later)
    assert difference(later, world.snapshot()) == ()


def test_what_did_not_change_is_the_very_same_record() -> None:
    first, second = (world_named("shop-renamed").make(SEED).snapshot() for _ in range(2))
    assert all(first[name] is second[name] for name in first)


def test_a_text_renamed_twice_is_as_it_was() -> None:
    renaming = shop_renaming()
    text = "Order W-20317 (two BLUE kettles) for maria.silva@example.org: Cancelled on 2026-06-15, 39.90 EUR."
    assert renaming.text(text) != text
    assert renaming.text(renaming.text(text)) == text
    assert "maria.silva@example.org" in renaming.text(text)
    assert "39.90 EUR" in renaming.text(text)


def test_forms_of_one_word_still_share_a_stem() -> None:
    table = nonsense_for(shop_words())
    assert len(set(table.values())) == len(table)
    for one, other in (("order", "ordered"), ("cancel", "cancelled"), ("deliver", "delivery"), ("refund", "refunds")):
        assert stem(table[one]) == stem(table[other])
    for one, other in (("order", "refund"), ("send", "sent"), ("blue", "green")):
        assert stem(table[one]) != stem(table[other])


def test_names_of_people_and_places_are_no_words_of_the_shop() -> None:
    tables = pristine(SEED)
    said = [f"{each['name']} {each['city']}" for each in tables.customers.values()]
    said += [each["street"] for each in tables.addresses.values()]
    assert slips(said) == set()


def test_a_renaming_that_pairs_one_word_with_two_is_refused() -> None:
    with pytest.raises(ValueError, match="just one"):
        Renaming({"order": "blorf", "item": "blorf"}, {})


def test_a_state_of_another_world_is_refused() -> None:
    empty: State = {}
    with pytest.raises(ValueError, match="lacks the tables"):
        Shop(SEED).restore(empty)
