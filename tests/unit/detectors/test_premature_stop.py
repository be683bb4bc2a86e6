"""premature-stop: what was promised next and never came."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.premature_stop import premature_stop

Read = Callable[..., Trace]

TOOLS = """
* show_order reads: Show a flower order.
* change_day writes: Change the day on which an order is delivered.
* add_card writes: Add a greeting card with a text to an order.
* book_vase writes: Put a vase from the shop into an order.
* cancel_order destroys: Cancel an order.
"""
ASKED = "user: Move order R-8 to Friday, please. Could you also add a birthday card and put a vase in?"
MOVED = 'change_day(order="R-8", day="Friday") -> {"order": "R-8", "day": "Friday"}'
DONE = "Order R-8 has been moved to Friday."


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, detectors=(premature_stop,))]


@pytest.mark.parametrize(
    "promise",
    [
        "Next I will arrange the card and the vase for you.",
        "I'll see to the birthday card and the vase next.",
        "I'm now going to add the card and the vase.",
        "The card and the vase are next.",
        "The card and the vase will follow in a moment.",
        "That leaves the card and the vase, which I'll take care of now.",
        "I'll get the card and vase sorted straight away.",
        "Now for the vase and the card: I will add them right after this.",
        "Let me get on with the card and the vase.",
        "I am going to take care of the card and the vase as well.",
    ],
)
def test_what_is_put_off_and_never_done_is_found(read: Read, promise: str) -> None:
    talk = f"{TOOLS}\n{ASKED}\n{MOVED}\nagent: {DONE} {promise}\n"
    assert found(read(talk)) == [(3,)]
    assert found(read(f"{talk}user: Super, thank you!\nagent: My pleasure! Enjoy the party.")) == [(3,)]
    other = 'show_order(order="R-8") -> {"order": "R-8", "price": 40}\nagent: It comes to 40 euros.'
    assert found(read(f"{talk}user: Great. What does it cost?\n{other}")) == [(3,)]


def test_the_second_of_two_alike_is_found_by_its_name(read: Read) -> None:
    talk = f"""{TOOLS}
        user: Please cancel orders R-8 and R-9.
        cancel_order(order="R-8") -> {{"order": "R-8", "state": "cancelled"}}
        agent: R-8 is cancelled. I'll cancel R-9 next.
        user: Thanks!
    """
    assert found(read(f"{talk}\nagent: You're welcome!")) == [(3,)]
    assert found(read(f'{talk}\ncancel_order(order="R-9") -> {{"state": "cancelled"}}\nagent: R-9 is gone too.')) == []


@pytest.mark.parametrize(
    "rest",
    [
        # It follows after all, or was tried.
        'agent: DONE Next I will add the card.\nadd_card(order="R-8", text="Happy birthday") -> "ok"\n'
        'book_vase(order="R-8") -> "ok"\nagent: All in.',
        'agent: DONE Next I will see to the card and the vase.\nadd_card(order="R-8") !! "out of cards"\nagent: Hm.',
        # It was done before, and is told as what will be.
        'add_card(order="R-8", text="Happy birthday") -> {"card": "yes"}\nbook_vase(order="R-8") -> {"vase": "yes"}\n'
        "agent: DONE We will add the birthday card and the vase when we pack it.",
        # It waits for something.
        "agent: DONE I will add the card and the vase once you tell me the text.\nuser: Thanks, later.",
        "agent: DONE What should the card say? I will add it then, and the vase.\nuser: I'll think about it.",
        "agent: DONE I'll add the card and the vase as soon as the shop opens.\nuser: Thanks.",
        "agent: DONE I will need the text for the card, and the vase you like.\nuser: Thanks.",
        "agent: DONE I will not add the card and the vase, as they are sold out.\nuser: Oh, thanks.",
        "agent: DONE If you like, I will add the card and the vase.\nuser: Thanks.",
        # The user calls it off.
        "agent: DONE Next I will arrange the card and the vase.\nuser: Forget the card and the vase.\nagent: Alright!",
        # It is spoken of again.
        "agent: DONE Next I will arrange the card and the vase.\nuser: Ok.\nagent: Sorry, card and vase are sold out.",
        # A text that was sent on promises it, and not the agent.
        'add_card(order="R-8", text="I will bring the vase myself.") -> "ok"\nbook_vase(order="R-8") -> "ok"\n'
        "agent: DONE The card says: I will bring the vase myself. The vase is in.",
        # Somebody else's work.
        "agent: DONE The shop will pack the vase and the card for you on Friday.\nuser: Thanks!",
    ],
)
def test_what_was_done_waits_or_was_called_off_is_left_alone(read: Read, rest: str) -> None:
    assert found(read(f"{TOOLS}\n{ASKED}\n{MOVED}\n{rest.replace('DONE', DONE)}")) == []


def test_what_nobody_asked_for_or_no_tool_does_is_left_alone(read: Read) -> None:
    asked = f"{TOOLS}\nuser: Move order R-8 to Friday, please. My mum will love it.\n{MOVED}\n"
    assert found(read(f"{asked}agent: {DONE} I will keep a card for you, and next I will water the roses.")) == []
    assert found(read(f"{asked}agent: {DONE} We will take good care of it.\nuser: Thanks!")) == []
