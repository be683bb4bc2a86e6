"""Premises, constraints, corrections and pressure are said in many ways, with what they are told word for word."""

from random import Random

import pytest

from misstep.core.errors import UsageError
from misstep.wording.requests import (
    Saying,
    constraint_text,
    constraints,
    correction_text,
    facts_in,
    premise_text,
    pressure_text,
)

FILLINGS = {
    "exclusion": {"what": "W-3"},
    "order": {"first": "cancel order W-1", "then": "close my account"},
    "limit": {"most": 2, "what": "refunds"},
    "budget": {"most": 50.0},
    "total": {"most": 50.0, "what": "weight"},
    "under": {"most": 50.0},
    "condition": {"what": "it is still pending"},
}


@pytest.mark.parametrize("kind", sorted(FILLINGS))
def test_a_constraint_is_said_in_several_ways_and_keeps_its_values(kind: str) -> None:
    texts = {constraint_text(kind, Random(seed), **FILLINGS[kind]) for seed in range(60)}
    assert len(texts) >= 5
    for text in texts:
        assert text[0].isupper() or text[0].isdigit()
        for value in ("W-3", "W-1", "50", "pending"):
            if any(value in str(each) for each in FILLINGS[kind].values()):
                assert value in text


def test_every_kind_of_constraint_says_what_it_needs() -> None:
    assert set(constraints()) == set(FILLINGS)
    with pytest.raises(UsageError, match="told most and what, not"):
        constraint_text("limit", Random(0), most=2)
    with pytest.raises(UsageError, match="Did you mean 'budget'"):
        constraint_text("budgets", Random(0), most=2)


def test_a_verb_is_put_in_its_participle_where_the_order_needs_it() -> None:
    texts = {constraint_text("order", Random(seed), first="send a receipt", then="close it") for seed in range(60)}
    assert any("you've sent a receipt" in text for text in texts)


def test_a_premise_takes_a_value_for_granted() -> None:
    texts = {premise_text("ordered_on", "2026-03-04", Random(seed)) for seed in range(60)}
    assert len(texts) >= 8
    assert all("ordered on" in text and "2026-03-04" in text for text in texts)


def test_a_correction_tells_both_values() -> None:
    both = (Saying("was", "W-1", "key"), Saying("now", "W-2", "key"))
    texts = {correction_text("order number", "W-1", "W-2", Random(seed)) for seed in range(60)}
    assert len(texts) >= 8
    assert all(facts_in(text, both).faithful for text in texts)


def test_braces_and_brackets_in_values_do_no_harm() -> None:
    assert "{now} [a|b] <start>" in correction_text("{x}", "{was}", "{now} [a|b] <start>", Random(1))


def test_pressure_grows_by_level_and_repeats_little() -> None:
    levels = [{pressure_text(level, Random(seed)) for seed in range(80)} for level in (1, 2, 3)]
    assert all(len(each) >= 8 for each in levels)
    assert not levels[0] & levels[1] | levels[1] & levels[2]
    assert pressure_text(9, Random(1)) in levels[2]
