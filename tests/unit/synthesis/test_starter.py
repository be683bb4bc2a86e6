"""Starter scenarios: a request for each tool, with values that the tool can do something with."""

import asyncio
import re

import pytest

from misstep.synthesis.starter import made_from_pattern, starter_scenarios
from misstep.tools.functions import Functions

TICKETS = {"T-1": {"ticket_id": "T-1", "open": True}}


def show_ticket(ticket_id: str) -> dict[str, object]:
    """Show a ticket."""
    return TICKETS[ticket_id]


def close(ticket_id: str, reason: str, urgent: bool, copies: int) -> None:
    """Close a ticket for good. Cannot be undone."""


def list_tickets() -> list[dict[str, object]]:
    """List all tickets."""
    return list(TICKETS.values())


def move(address: dict[str, str], tags: list[str]) -> None: ...


def test_every_tool_gets_a_request_that_says_all_it_needs() -> None:
    show, shut, listing = asyncio.run(starter_scenarios(Functions([show_ticket, close, list_tickets])))
    assert show.user.opening == "Please show a ticket. The ticket id is T-1."
    assert listing.user.opening == "Please list all tickets."
    assert shut.objective is not None
    (expected,) = shut.objective.calls
    assert expected.tool == "close"
    assert expected.arguments == {"ticket_id": "T-1", "reason": "some reason", "urgent": True, "copies": 2}
    for value in ("T-1", "some reason", "true", "2"):
        assert value in shut.user.opening


def test_a_tool_without_words_or_with_nested_arguments_gets_one_too() -> None:
    (scenario,) = asyncio.run(starter_scenarios(Functions([move])))
    assert scenario.user.opening.startswith("Please move.")


@pytest.mark.parametrize("pattern", [r"^[A-Z]{2}-\d{4}$", r"^T-\d+$", r"\w{3}", r"^(ab)c?$"])
def test_a_value_is_made_for_a_plain_pattern(pattern: str) -> None:
    assert re.fullmatch(pattern, made_from_pattern(pattern))


def test_a_request_that_the_tool_itself_turns_down_is_left_out() -> None:
    def find(key: str) -> str:
        """Find something."""
        raise KeyError(key)

    assert [each.name for each in asyncio.run(starter_scenarios(Functions([find, list_tickets])))] == ["list_tickets"]
