"""Everyday verbs meet in the acts that they mean."""

import pytest

from misstep.agents.zoo.acts import meant_by
from misstep.core.words import content_stems, stem


@pytest.mark.parametrize(
    ("text", "act"),
    [("Please scrap it", "delete"), ("get rid of the shelf", "delete"), ("getting it called off", "cancel")],
)
def test_a_verb_means_what_others_for_the_same_act_mean(text: str, act: str) -> None:
    assert stem(act) in meant_by(text, frozenset(content_stems(text)))


def test_a_noun_is_no_act() -> None:
    assert meant_by("the shelf by the door", frozenset(content_stems("the shelf by the door"))) == frozenset()
