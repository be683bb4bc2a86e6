"""Moments, under whatever name and in whatever form."""

import pytest

from misstep.ingestion.times import MOMENTS, moment_of


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_is_found_under_any_of_its_names(name: str) -> None:
    assert moment_of({"role": "user", name: "2026-11-01T10:00:00Z"}) == "2026-11-01T10:00:00Z"


def test_what_only_has_the_name_of_a_moment_is_none() -> None:
    assert moment_of({"at": "the office", "when": {"x": 1}, "time": "soon", "created": 1_790_000_000}) == 1_790_000_000
