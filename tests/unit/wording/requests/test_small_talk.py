"""Background talk is plentiful, and says nothing."""

from random import Random

import pytest

from misstep.core.words import atoms
from misstep.detectors.evidence.constraints import constraints
from misstep.wording.requests import aside, filler
from misstep.wording.values import proper_names


def talk() -> list[str]:
    random = Random(3)
    return [*(filler(40, random) for _ in range(150)), *(aside(random) for _ in range(150))]


def test_it_states_no_value_and_asks_nothing() -> None:
    for text in talk():
        assert not atoms(text), text
        assert "?" not in text
        assert not constraints(text), text
        assert not [name for name in proper_names(text) if name not in ("Spring", "Summer", "Autumn", "Winter")], text


def test_hundreds_of_sentences_are_distinct() -> None:
    sentences = {sentence for text in talk() for sentence in text.split(". ")}
    assert len(sentences) > 500


@pytest.mark.parametrize("words", [0, 1, 25, 400])
def test_it_is_about_as_long_as_asked(words: int) -> None:
    text = filler(words, Random(1))
    assert words <= len(text.split()) <= words + 40 + words // 8
    assert len(set(text.split(". "))) == len(text.split(". "))
