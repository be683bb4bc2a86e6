"""What a person says is made of frames, and the same seed chooses the same ones."""

from misstep.core.scenario import Goal
from misstep.wording.phrasing import Voice, is_sentence, phrases


def test_the_same_seed_chooses_the_same_frames() -> None:
    def spoken(seed: int) -> list[str]:
        voice = Voice(seed)
        return [voice.say("answers", "fact", name="order number", value="W-1") for _ in range(5)]

    assert spoken(1) == spoken(1)
    assert spoken(1) != spoken(2)


def test_goals_are_wished_for_and_sentences_are_said_as_they_stand() -> None:
    assert not is_sentence("cancel my order")
    assert is_sentence("What is the status of my refund?")
    opening = Voice(0).opening((Goal(ask="What is the status of my refund?"),), ())
    assert opening.endswith("hat is the status of my refund?")
    assert "like to" not in opening


def test_every_yes_starts_with_yes_and_every_no_with_no() -> None:
    frames = phrases()["confirmations"]
    assert all(frame.startswith("Yes") for key in ("yes", "true") for frame in frames[key])
    nos = ("wrong", "wrong_pick", "declined", "other", "other_request", "false")
    assert all(frame.startswith("No") for key in nos for frame in frames[key])
