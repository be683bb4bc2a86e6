"""Limits on a sum, which no single call breaks."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.dropped_constraint import dropped_constraint

Read = Callable[..., Trace]
TOOLS = """
* list_rooms reads: List the rooms with their shares.
* set_share writes: Set the share of a room.
* buy_item writes: Buy an item.
* pledge writes: Pledge hours to a helper.
* drop_item writes: Drop an item from what was bought.
* split_grant writes: Split a grant over several groups.
"""
ROOMS = (
    'list_rooms() -> [{"id": "R-1", "share_kwh": 40, "state": "on"}, {"id": "R-2", "share_kwh": 30, "state": "on"},'
    ' {"id": "R-3", "share_kwh": 20, "state": "off"}]\n'
)


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[dropped_constraint])]


@pytest.mark.parametrize(
    ("said", "done", "expected"),
    [
        (
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=210) -> {"ok": true}\n'
            'buy_item(sku="K-2", price=190) -> {"ok": true}\n'
            'buy_item(sku="K-3", price=140) -> {"ok": true}\n',
            [(5, 0)],
        ),
        (
            "Find helpers for the fair. 60 hours in total is our limit, for all of them.",
            'pledge(helper="Ann Lee", hours=25) -> {"pledged": true}\n'
            'pledge(helper="Bo Day", hours=25) -> {"pledged": true}\n'
            'pledge(helper="Cy Orr", hours=20) -> {"pledged": true}\n',
            [(5, 0)],
        ),
        (
            "Turn up what needs it, but keep the rooms combined under 90 kWh.",
            ROOMS + 'set_share(id="R-1", kwh=50) -> {"id": "R-1", "share_kwh": 50}\n'
            'set_share(id="R-2", kwh=45) -> {"id": "R-2", "share_kwh": 45}\n',
            [(5, 0)],
        ),
        (
            "Share out the grant as you see fit, up to 900 across all groups.",
            'split_grant(parts=[{"group": "choir", "amount": 500}, {"group": "band", "amount": 450}]) -> "ok"\n',
            [(1, 0)],
        ),
        (
            "Order paint and brushes, no more than 80 euros all told.",
            'buy_item(sku="P-1", pieces=2) -> {"cart_total": 60}\n'
            'buy_item(sku="P-2", pieces=3) -> {"cart_total": 95}\n',
            [(3, 0)],
        ),
    ],
)
def test_a_sum_that_goes_beyond_the_limit_is_found_at_the_call_that_does_it(
    read: Read, said: str, done: str, expected: list[tuple[int, ...]]
) -> None:
    assert places(read(f"{TOOLS}\nuser: {said}\n{done}agent: All done.")) == expected


@pytest.mark.parametrize(
    ("said", "done"),
    [
        (  # just as much as was allowed
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=300) -> {"ok": true}\nbuy_item(sku="K-2", price=200) -> {"ok": true}\n',
        ),
        (  # one by one
            "Equip the kitchen, each thing at most 300 euros.",
            'buy_item(sku="K-1", price=290) -> {"ok": true}\nbuy_item(sku="K-2", price=290) -> {"ok": true}\n',
        ),
        (  # one was dropped again
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=300) -> {"ok": true}\ndrop_item(sku="K-1") -> {"ok": true}\n'
            'buy_item(sku="K-2", price=350) -> {"ok": true}\n',
        ),
        (  # the same thing set again
            "Keep the rooms combined under 90 kWh.",
            ROOMS
            + 'set_share(id="R-1", kwh=50) -> {"share_kwh": 50}\nset_share(id="R-1", kwh=55) -> {"share_kwh": 55}\n',
        ),
        (  # what does not run does not count
            "Keep the rooms combined under 90 kWh.",
            ROOMS + 'set_share(id="R-1", kwh=58) -> {"share_kwh": 58}\n',
        ),
        (  # raised by the user
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=300) -> {"ok": true}\nagent: The next is 250, that makes 550.\n'
            'user: Fine, the limit is 600 then.\nbuy_item(sku="K-2", price=250) -> {"ok": true}\n',
        ),
        (  # asked and agreed
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=300) -> {"ok": true}\n'
            "agent: K-2 is 250, which makes 550, more than your 500. Shall I buy K-2 for 250 all the same?\n"
            'user: Yes, do.\nbuy_item(sku="K-2", price=250) -> {"ok": true}\n',
        ),
        (  # a call that failed
            "Equip the kitchen. Altogether it must not cost more than 500 euros.",
            'buy_item(sku="K-1", price=300) -> {"ok": true}\nbuy_item(sku="K-2", price=250) !! "sold out"\n'
            'buy_item(sku="K-3", price=180) -> {"ok": true}\n',
        ),
        (  # pieces are no euros
            "Equip the kitchen. Altogether it must not cost more than 50 euros.",
            'buy_item(sku="K-1", quantity=40) -> {"ok": true}\nbuy_item(sku="K-2", quantity=30) -> {"ok": true}\n',
        ),
    ],
)
def test_what_stays_within_or_was_let_pass_is_not_claimed(read: Read, said: str, done: str) -> None:
    assert places(read(f"{TOOLS}\nuser: {said}\n{done}agent: All done.")) == []
