"""Functions whose code changes data that outlives a call are told from those that only look, by reading them."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest

from misstep.catalog import listed_in
from misstep.tools.functions import Functions, tool
from misstep.tools.held import held, writers_in
from misstep.tools.held.changing import changing

SENT: list[Any] = []
ORDERS: dict[str, dict[str, Any]] = {"O-1": {"id": "O-1", "state": "open", "notes": []}}
counted = 0


def view_and_append(order: str) -> None:
    """View an order."""
    SENT.append(order)


def view_and_count(order: str) -> None:
    """View an order."""
    global counted  # noqa: PLW0603 - this is what is asked about
    counted += 1


def view_and_mark(order: str) -> None:
    ORDERS[order]["seen"] = True


def view_and_mark_found(order: str) -> None:
    found = next((each for each in ORDERS.values() if each["id"] == order), None)
    if found:
        found["seen"] = True


def view_and_mark_each(order: str) -> None:
    for key, row in ORDERS.items():
        row.update(seen=key == order)


def view_and_note(order: str) -> None:
    row = ORDERS.get(order) or {}
    row["notes"].append("seen")


def view_and_drop(order: str) -> None:
    del ORDERS[order]


def view_by_another(order: str) -> None:
    view_and_append(order)


class Desk:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def view(self, order: str) -> None:
        self.seen.append(order)

    def show(self, order: str) -> list[str]:
        found = list(self.seen)
        found.append(order)
        return found


def closed_over() -> Callable[[str], None]:
    seen: list[str] = []

    def view(order: str) -> None:
        seen.append(order)

    return view


@pytest.mark.parametrize(
    "function",
    [
        view_and_append, view_and_count, view_and_mark, view_and_mark_found, view_and_mark_each, view_and_note,
        view_and_drop, view_by_another, Desk().view, closed_over(),
    ],
)  # fmt: skip
def test_what_changes_data_that_lasts_is_known_to(function: Callable[..., object]) -> None:
    assert changing({"view": function}) == {"view"}


def builds_a_list(order: str) -> list[Any]:
    found: list[Any] = []
    for each in ORDERS.values():
        found.append(each)
        found.append(order)
    found.sort(key=str)
    return found


def builds_a_copy(order: str) -> dict[str, Any]:
    row = {**ORDERS[order]}
    row["total"] = math.floor(2.5)
    row.setdefault("seen", False)
    return row


def takes_apart(order: str) -> list[str]:
    words = ORDERS[order]["state"].split()
    words.append(order)
    return list(dict.fromkeys(words))


def changes_what_it_was_given(order: list[str]) -> list[str]:
    order.append("more")
    return order


@pytest.mark.parametrize(
    "function", [builds_a_list, builds_a_copy, takes_apart, changes_what_it_was_given, Desk().show]
)
def test_what_builds_its_answer_changes_nothing_that_lasts(function: Callable[..., object]) -> None:
    assert changing({"view": function}) == frozenset()


def test_strangers_are_told_that_what_says_it_reads_writes() -> None:
    functions = Functions([view_and_append, tool(effect="reads")(view_and_count), tool(name="view")(builds_a_list)])
    made = asyncio.run(held(functions)).make
    assert made is not None
    for toolbox in (functions, made()):
        told = {each.name: each.effect for each in asyncio.run(listed_in(toolbox))}
        assert (told["view_and_append"], told["view_and_count"]) == ("writes", "reads")
        assert writers_in(toolbox) == {"view_and_append"}
