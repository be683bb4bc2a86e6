"""Rules in prose that want something done after every act of a kind, in the ways that people write them."""

from collections.abc import Callable

import pytest

from misstep.core.policy import Policy
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.form.instruction_not_followed import instruction_not_followed

Read = Callable[..., Trace]

TOOLS = (
    "* show_lot reads: Show a lot.\n* release_lot writes: Release a lot from the store.\n"
    "* notify_owner reaches-outside: Notify the owner of a lot.\n* stamp_card writes: Stamp the card of a lot.\n"
    "* close_gate writes: Close a gate of the yard.\n"
)
RELEASED = 'user: Let L-3 go, please.\nrelease_lot(lot="L-3") -> {"lot": "L-3", "state": "released"}\n'
STAMPED = 'stamp_card(card="C-90") -> "ok"\n'
DONE = "agent: L-3 is out of the store.\nuser: Thanks.\nagent: Bye."


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [each.events for each in detect(trace, detectors=(instruction_not_followed,))]


@pytest.mark.parametrize(
    "rule",
    [
        "After every release of a lot you must stamp its card.",
        "After each release, stamp the card.",
        "Whenever you release a lot, stamp its card as well.",
        "Once a lot has been released, the card must be stamped.",
        "Stamp the card after every release of a lot.",
        "Every release of a lot must be followed by a stamp on its card.",
        "Each time you release a lot, call stamp_card.",
        "Be kind. When a lot is released, always stamp the card. Keep it short.",
    ],
)
def test_the_step_that_rules_want_after_an_act_is_missed(read: Read, rule: str) -> None:
    assert found(read(f"{TOOLS}{RELEASED}{DONE}", policy=Policy(rule))) == [(1,)]
    assert found(read(f"{TOOLS}system: {rule}\n{RELEASED}{DONE}")) == [(2,)]
    assert found(read(f"{TOOLS}{RELEASED}{STAMPED}{DONE}", policy=Policy(rule))) == []


@pytest.mark.parametrize(
    "rule",
    [
        "After every release of a lot above 500 kg, stamp its card.",
        "If the owner asks, stamp the card after every release.",
        "Before you release a lot, stamp its card.",
        "After every release of a lot you may stamp its card.",
        "After closing a gate, stamp the card.",
        "After every release, wish the user a good day.",
        "Never stamp a card after a release.",
        "Stamp the card unless the lot was released.",
    ],
)
def test_what_holds_in_some_cases_or_of_other_acts_is_no_rule_for_this_one(read: Read, rule: str) -> None:
    assert found(read(f"{TOOLS}{RELEASED}{DONE}", policy=Policy(rule))) == []


def test_an_act_that_failed_or_that_a_user_wanted_without_the_step_needs_none(read: Read) -> None:
    policy = Policy("After every release of a lot you must stamp its card.")
    failed = 'user: Let L-3 go.\nrelease_lot(lot="L-3") !! "locked"\nagent: It is locked.'
    assert found(read(f"{TOOLS}{failed}", policy=policy)) == []
    declined = RELEASED.replace("please.", "please. Don't stamp the card.")
    assert found(read(f"{TOOLS}{declined}{DONE}", policy=policy)) == []
    again = f'{RELEASED}{STAMPED}{DONE}\nuser: And L-4.\nrelease_lot(lot="L-4") -> "ok"\nagent: Out.'
    assert found(read(f"{TOOLS}{again}", policy=policy)) == [(9,)]
