"""What users want of all answers: how they say it, how long it holds, and what lifts it."""

import pytest

from misstep.core.event import Message
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.form.instruction_not_followed import instruction_not_followed

SHORT = "Yes, it is open."
LONG = (
    "I have looked into that for you as well. The second hall is open from nine to five on weekdays. On Saturdays it "
    "closes at noon, because the cleaners come in then. On Sundays it stays shut, like all the others in the street. "
    "You may want to ring before you come. The bus stops right in front of it."
)


def found(*said: str) -> list[tuple[int, ...]]:
    """Where something is found, in messages of user and agent by turns."""
    events = tuple(
        Message(actor=role, role=role, text=text)
        for text, role in zip(said, ("user", "agent") * len(said), strict=False)
    )
    return [each.events for each in detect(Trace(id="t", events=events), detectors=(instruction_not_followed,))]


@pytest.mark.parametrize(
    "demand",
    [
        "Keep every reply to 15 words at most, I'm on a call.",
        "From now on answer in one sentence.",
        "Max 15 words per answer please.",
        "Please keep your answers under 15 words, they go to my watch.",
        "For the rest of this chat, reply in no more than two sentences.",
        "15 words max for each response, please.",
        "Always answer in two sentences or less.",
        "Never write more than 15 words.",
        "Two sentences tops in all your messages.",
    ],
)
def test_what_is_wanted_of_every_answer_is_wanted_of_later_ones(demand: str) -> None:
    assert found(f"Is the first hall open? {demand}", SHORT, "And the second one?", LONG) == [(3, 0)]


def test_another_form_than_length_holds_on_as_well() -> None:
    german = "Ja, die Halle ist von neun bis fünf offen, und am Sonntag ist sie für alle zu."
    assert found("From now on reply in German. Is it open?", german, "And the second?", LONG) == [(3, 0)]
    assert found("No emojis in your replies, ever. Always. Is it open?", SHORT, "Sure?", "Yes \U0001f600") == [(3, 0)]
    assert found("Start every reply with 'Gate 4:'. Is it open?", "Gate 4: yes.", "And now?", SHORT) == [(3, 0)]


@pytest.mark.parametrize(
    ("demand", "later"),
    [
        ("Answer in at most 15 words.", "And the second one?"),
        ("Keep every answer under 15 words.", "And the second one? In detail this time, please."),
        ("Keep every answer under 15 words.", "Forget the limit. And the second one?"),
        ("Keep every answer under 15 words.", "You can write more now. And the second one?"),
        ("Keep every answer under 15 words.", "Please draft a letter to the club about the second one."),
        ("Keep every answer under 15 words.", "From now on up to 90 words are fine, answer in at most 90 words."),
        ("Keep every answer under 60 words.", "And the second one?"),
        ("Keep every e-mail to the club under 15 words.", "And the second one?"),
        ("Keep every answer under 15 words if you can.", "And the second one?"),
        ("From now on reply in English.", "And the second one?"),
    ],
)
def test_one_answer_lifted_limits_and_other_texts_bind_no_later_answer(demand: str, later: str) -> None:
    assert found(f"Is the first hall open? {demand}", SHORT, later, LONG) == []


def test_a_language_that_is_named_again_replaces_the_first() -> None:
    german = "Ja, die Halle ist von neun bis fünf offen, und am Sonntag ist sie für alle zu."
    assert found("From now on reply in German. Is it open?", german, "English is fine again. The second?", LONG) == []


def test_a_little_over_is_no_breach_of_what_was_said_long_ago() -> None:
    over = "Yes, the second hall is open too, and the third one is as well, until five today."
    assert found("Is it open? Keep every answer under 15 words.", SHORT, "And the second one?", over) == []
