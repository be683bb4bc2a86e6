"""What counts as having asked: what came of it, and not the words."""

from collections.abc import Callable

import pytest

from misstep.core.objective import ExpectedQuestion, Objective
from misstep.core.trace import Trace
from misstep.objectives import judge
from misstep.objectives.notes import not_needed

Read = Callable[..., Trace]

QUESTION = ExpectedQuestion(about=("colour", "which"), before=("order_mug",), answers=("green",))
OBJECTIVE = Objective(questions=(QUESTION,))


def talk(read: Read, said: str, reply: str = "The green one, please.") -> Trace:
    lines = f"user: I want a mug.\nagent: {said}\nuser: {reply}"
    return read(
        f'* order_mug writes: Order a mug.\n{lines}\norder_mug(mug="M-2") -> "ok"\nagent: Ordered.', end="finished"
    )


@pytest.mark.parametrize(
    "said",
    ["Any preference among our shades?", "Tell me what it should look like.", "I have M-1 and M-2. Please choose."],
)
def test_whoever_is_told_the_answer_in_reply_has_asked_in_whatever_words(read: Read, said: str) -> None:
    assert judge(talk(read, said), OBJECTIVE) == ()
    assert not_needed(talk(read, said), OBJECTIVE) == ()


@pytest.mark.parametrize("said", ["OK?", "Please go on.", "Tell me more.", "Yes?", "Thank you. Go on, please."])
def test_a_mumble_is_no_question_and_what_was_said_all_the_same_need_not_be_asked(read: Read, said: str) -> None:
    assert judge(talk(read, said), OBJECTIVE) == ()
    assert not_needed(talk(read, said), OBJECTIVE) == ("colour or which",)


def test_who_neither_asks_nor_is_told_fails(read: Read) -> None:
    trace = talk(read, "Sure?", "I want a mug.")
    assert [unmet.check for unmet in judge(trace, OBJECTIVE)] == ["questions"]


def test_what_comes_out_after_the_call_is_too_late(read: Read) -> None:
    lines = '* order_mug writes: Order a mug.\nuser: I want a mug.\norder_mug(mug="M-2") -> "ok"\nagent: Ordered.\n'
    trace = read(f"{lines}user: The green one, please.\nagent: Oh.", end="finished")
    assert [unmet.check for unmet in judge(trace, OBJECTIVE)] == ["questions"]
