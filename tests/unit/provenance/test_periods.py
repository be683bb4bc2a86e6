"""Months, quarters, weeks and parts of dates that are put together from what somebody named."""

from collections.abc import Callable

import pytest

from misstep.core.policy import Policy
from misstep.core.trace import Trace
from misstep.provenance import sources

Read = Callable[..., Trace]


def origin(trace: Trace) -> str:
    *_, last = sources(trace).values()
    return {source.path: source for source in last}["x"].origin


@pytest.mark.parametrize(
    ("said", "used"),
    [
        ("I am away 12 to 14 October 2026.", "2026-10"),
        ("The figures of may, please: what about may?", "2026-05-31"),
        ("The harvest report for january, please", "2026-01"),
        ("The rota of March", "03/2027"),
        ("Wages for may?", "2026-05"),
        ("What did we sell in Q3?", "2026-Q3"),
        ("What did we sell in the third quarter?", "2025Q3"),
        ("What did we sell in the third quarter?", "2025-07-01"),
        ("Show week 42.", "2026-W42"),
        ("The delivery of 2026-10-14", "W42"),
        ("The delivery of 2026-10-14", "14.10."),
        ("The delivery of 14 October 2026", "20261014"),
        ("The delivery of 14 October 2026", "Oct-2026"),
        ("The delivery of 14 October 2026", "2026-10-01/2026-10-31"),
        ("The delivery of 14 October 2026", "2026-Q4"),
        ("The delivery of 14 October 2026", "2026-H2"),
        ("The report 10/2026", "2026-10"),
        ("The accounts for 2026", "FY26"),
        ("The accounts for 2026", "2026-12-31"),
        ("The accounts for 2026", "2025/26"),
        ("The roster of 2026-10-14", "roster-2026-10"),
    ],
)
def test_a_period_is_derived_from_a_day_month_or_year_that_was_named(read: Read, said: str, used: str) -> None:
    assert origin(read(f'user: {said}\nshow(x="{used}")')) in ("derived", "user")


def test_a_month_is_derived_from_what_a_tool_or_the_rules_say(read: Read) -> None:
    assert origin(read('user: Go.\nfind() -> {"due": "2026-05-29"}\nshow(x="2026-05")')) == "derived"
    assert origin(read('user: Go.\nfind() -> {"month": "2026-05"}\nshow(x="2026-05-31")')) == "derived"
    assert origin(read('user: Go.\nshow(x="05/2026")', policy=Policy("It is 2026-05-03."))) == "derived"
    assert origin(read("user: The stock on 2026-05-03?\nshow(x=202605)")) == "derived"


@pytest.mark.parametrize(
    ("said", "used"),
    [
        ("Show me the figures.", "2026-10"),
        ("You may show me the figures.", "2026-05"),
        ("The delivery of 2026-10-14", "2026-06"),
        ("The delivery of 2026-10-14", "2026-W12"),
        ("The delivery of 2026-10-14", "2024-Q2"),
        ("The delivery of 2026-10-14", "2026-06-30"),
        ("The delivery of order 77", "ORD-2026-10"),
    ],
)
def test_a_period_that_nobody_named_has_no_source(read: Read, said: str, used: str) -> None:
    assert origin(read(f'user: {said}\nshow(x="{used}")')) == "nowhere"


def test_the_fields_of_a_row_are_values_of_their_own(read: Read) -> None:
    rows = 'find() -> "store,gbp\\nHull,41230\\nYork,7,2888\\nGoole,1,250"'
    assert origin(read(f"user: Go.\n{rows}\nshow(x=41230)")) == "tool"
    assert origin(read(f"user: Go.\n{rows}\nshow(x=2888)")) == "tool"
    assert origin(read("user: It costs 1,250.50 in all.\nshow(x=1250.5)")) == "user"
