"""What a person says is made of frames, and the same seed chooses the same ones."""

import re

import pytest

from misstep.core.words import words
from misstep.users.phrasing import MANNERS, Manner, Voice, is_sentence, phrases


def test_the_same_seed_chooses_the_same_frames() -> None:
    def spoken(seed: int) -> list[str]:
        voice = Voice(seed)
        return [voice.say("answers", "fact", name="order number", value="W-1") for _ in range(5)]

    assert spoken(1) == spoken(1)
    assert spoken(1) != spoken(2)


def test_goals_are_wished_for_and_sentences_are_said_as_they_stand() -> None:
    assert not is_sentence("cancel my order")
    assert is_sentence("What is the status of my refund?")
    opening = Voice(0).opening(("What is the status of my refund?",), ())
    assert opening.endswith("hat is the status of my refund?")
    assert "like to" not in opening


def test_every_yes_starts_with_yes_and_every_no_with_no() -> None:
    for manner in MANNERS:
        for register in phrases(manner).values():
            wishes, answers = register.get("wishes", {}), register.get("answers", {})
            yes = [frame for key in ("yes", "yes_request", "yes_if", "yes_if_request") for frame in wishes.get(key, ())]
            assert all(frame.startswith("Yes") for frame in (*yes, *answers.get("true", ())))
            assert all(
                frame.startswith("No") for key in ("wrong", "declined", "other") for frame in answers.get(key, ())
            )


def _runs(manner: Manner) -> set[tuple[str, ...]]:
    """Three words in a row, in any frame of any register; no run goes over a gap that is filled."""
    pieces = [
        words(piece)
        for register in phrases(manner).values()
        for group in register.values()
        for frames in group.values()
        for frame in frames
        for piece in re.split(r"\{\w+\}", frame)
    ]
    return {tuple(piece[at : at + 3]) for piece in pieces for at in range(len(piece) - 2)}


def test_the_two_manners_have_no_three_words_in_a_row_in_common() -> None:
    assert _runs("first") & _runs("second") == set()


@pytest.mark.parametrize("manner", ["first", "second"])
def test_every_register_says_only_what_can_also_be_said_plainly(manner: Manner) -> None:
    plain = phrases(manner)["plain"]
    for register in phrases(manner).values():
        for group, keys in register.items():
            assert keys.keys() <= plain[group].keys()


def test_both_manners_can_say_the_same_things() -> None:
    first, second = phrases("first")["plain"], phrases("second")["plain"]
    assert {group: set(keys) for group, keys in first.items()} == {group: set(keys) for group, keys in second.items()}


def test_a_register_that_nobody_wrote_is_plain() -> None:
    assert Voice(3, "first", "operatic").say("turns", "wait") == Voice(3).say("turns", "wait")
