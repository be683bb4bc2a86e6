"""Handoffs that are announced, while only other things are done."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.several_agents.handoff_not_made import handoff_not_made

Read = Callable[..., Trace]
TOOLS = """
* show_meter reads: Show the readings of a meter.
* freeze_account writes: Freeze an account until further notice.
* print_copy writes: Print a copy of a letter.
* open_ticket writes: Open a ticket for another department.
* mark_unit writes: Set the state of a unit.
"""


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[handoff_not_made])]


@pytest.mark.parametrize(
    "announced",
    [
        "I may not decide on refunds of that size, so I'm passing your complaint on to our arrears team.",
        "That's beyond what I can do here; I'm bringing in our metering specialists.",
        "I'm getting the billing desk to look at this.",
        "This isn't mine to settle. The billing office will take it from here.",
        "I'm not a nurse, so I'll put this to one of our nurses right away.",
        "I will raise this with our metering department now.",
    ],
)
def test_an_act_that_the_user_asked_for_besides_hands_nothing_over(read: Read, announced: str) -> None:
    trace = read(
        TOOLS
        + f"""
user: My meter M-7 shows twice what I use.
show_meter(id="M-7") -> {{"kwh": 990}}
agent: {announced}
user: Thanks. Freeze the account A-7 too while you're at it, please.
freeze_account(id="A-7") -> {{"id": "A-7", "state": "frozen"}}
agent: The account is frozen.
user: Good, that was all.
agent: Goodbye."""
    )
    assert places(trace) == [(3,)]


@pytest.mark.parametrize(
    "after",
    [
        # passed on later, after all
        "user: Okay. And freeze the account A-7 too.\n"
        'freeze_account(id="A-7") -> {"state": "frozen"}\n'
        'open_ticket(subject="M-7 doubles") -> {"ticket": "T-1"}\nagent: All done.',
        # the act may be the handoff: the user asked for no such thing
        'user: Okay.\nmark_unit(id="M-7", state="second line") -> {"ok": true}\nagent: Done.',
        # the user would have something else
        "user: Never mind, freeze the account A-7 instead.\n"
        'freeze_account(id="A-7") -> {"state": "frozen"}\nagent: Done.',
        # another one answers
        "user: Thanks. And print me a copy of the letter as well.\n"
        'print_copy(id="L-2") -> {"ok": true}\n@metering: Hello, I have M-7 before me.',
    ],
)
def test_what_may_have_passed_it_on_is_not_claimed(read: Read, after: str) -> None:
    said = (
        "user: My meter M-7 doubles.\nagent: I can't judge that, so I'm handing your case over to our metering team.\n"
    )
    assert places(read(TOOLS + said + after)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Thank you, I'll pass your feedback on to the team.",
        "I'm sending the reading to your office address.",
        "If it goes on, our metering team will take it from here.",
        "I can't bring in a specialist at night.",
        "Once the form is here, I'll raise this with our billing department.",
        "I'm giving this back to you with the office hours.",
    ],
)
def test_courtesies_and_what_depends_are_no_handoff(read: Read, said: str) -> None:
    assert places(read(TOOLS + f"user: My meter M-7 doubles.\nagent: {said}\nuser: Okay.\nagent: Bye.")) == []
