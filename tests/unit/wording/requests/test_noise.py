"""Slips of the fingers spoil words, and nothing that counts."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from misstep.wording.requests import typos

TEXT = 'Please cancel order W-20417 for Maria Schulz, "word for word", only before 2026-03-04, at maria@example.com.'
KEPT = ("W-20417", "Maria Schulz", '"word for word"', "only", "before", "2026-03-04", "maria@example.com")


@given(st.integers(0, 10**6), st.floats(0, 1))
def test_values_quotes_and_turning_words_are_never_touched(seed: int, rate: float) -> None:
    slipped = typos(TEXT, keep=("Maria Schulz",), random=Random(seed), rate=rate)
    assert all(each in slipped for each in KEPT)
    assert len(slipped.split()) == len(TEXT.split())


def test_no_rate_means_no_slip_and_a_high_rate_many() -> None:
    assert typos(TEXT, random=Random(1), rate=0.0) == TEXT
    assert "cancel order" not in typos(TEXT, random=Random(1), rate=1.0)


@given(st.text(max_size=300), st.lists(st.text(max_size=5), max_size=3), st.integers(0, 100))
def test_any_text_survives_and_what_is_kept_stays(text: str, keep: list[str], seed: int) -> None:
    slipped = typos(text, keep=keep, random=Random(seed), rate=0.5)
    assert all(slipped.count(each) >= min(1, text.count(each)) for each in keep if each)
