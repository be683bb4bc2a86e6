"""The times of day that a text may name."""

import pytest

from misstep.objectives.times import Time, times_named


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("at two in the afternoon", {(14, 0)}),
        ("half past three", {(3, 30), (15, 30)}),
        ("a quarter to nine in the morning", {(8, 45)}),
        ("4pm", {(16, 0)}),
        ("14:15", {(14, 15)}),
        ("at noon", {(12, 0)}),
        ("12 a.m.", {(0, 0)}),
        ("two tickets", set[Time]()),
        ("25:99", set[Time]()),
    ],
)
def test_a_time_is_read_in_figures_and_in_words(text: str, times: set[Time]) -> None:
    assert times_named(text) == times
