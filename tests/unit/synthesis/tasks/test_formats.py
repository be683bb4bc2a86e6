"""A form that is spelt in words or in an error is the one that dates are written in."""

import pytest

from misstep.synthesis.tasks.formats import PIECE, form_in, in_form, in_order


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("The start. Must be in format YYYY-MM-DD HH:MM.", "%Y-%m-%d %H:%M"),
        ("In ISO format 'YYYY-MM-DD'.", "%Y-%m-%d"),
        ("as dd/mm/yyyy", "%d/%m/%Y"),
        ("time data '7 May' does not match format '%Y-%m-%dT%H:%M'", "%Y-%m-%dT%H:%M"),
        ("The title of the event.", None),
        ("A mm of paper", None),
    ],
)
def test_a_form_is_read_where_one_is_spelt(said: str, form: str | None) -> None:
    assert form_in(said) == form


def test_a_day_is_written_in_the_form_and_what_is_no_day_is_not() -> None:
    assert in_form("2024-05-15T10:30:00", "%d/%m/%Y %H:%M") == "15/05/2024 10:30"
    assert in_form("2024-05-15", "%Y-%m-%d %H:%M") == "2024-05-15 00:00"
    assert in_form("2024-15-15", "%Y-%m-%d") is None
    assert in_form("Team Sync", "%Y-%m-%d") is None


def test_what_begins_ends_later() -> None:
    assert in_order(["2024-05-15", "2024-05-15", "2024-05-01"], "%Y-%m-%d") == [
        "2024-05-01",
        "2024-05-15",
        "2024-05-17",
    ]
    assert in_order(["soon", "later"], "%Y-%m-%d") == ["soon", "later"]


def test_a_piece_is_a_line_that_people_would_repeat() -> None:
    long = f"Hi.\nThe roof was repaired in May. {'And so on and on. ' * 9}"
    assert in_form(long, PIECE) == "The roof was repaired in May"
    assert in_form("short", PIECE) is None
