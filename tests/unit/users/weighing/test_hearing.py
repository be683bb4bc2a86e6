"""The second hearing: what it is surer of, and what it must not depend on."""

import pytest

from misstep.core.scenario import Fact, Goal, Person
from misstep.users.ledger import ledger_of
from misstep.users.weighing.hearing import Hearing, weights

_PERSON = Person(
    opening="Hi, I'd like to return something.",
    goals=(Goal(ask="return a lamp"),),
    facts=(
        Fact(name="order number", value="W-20417"),
        Fact(name="email", value="ann.lee@example.com"),
        Fact(name="reason", value="it arrived broken"),
        Fact(name="delivery address", value="8 Quarry Road"),
    ),
)
_LEDGER = ledger_of(_PERSON, "first")


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("Could you tell me your order number, please?", "ask"),
        ("So that's order W-20417, because it arrived broken. Is that correct?", "propose"),
        ("I'm afraid the policy does not allow that.", "refuse"),
        ("All done! Your refund is on its way.", "done"),
        ("I can offer you a refund, a voucher or a replacement. Which would you like?", "options"),
    ],
)
def test_the_likeliest_act_is_the_one_that_is_meant(message: str, act: str) -> None:
    heard = Hearing(message, _LEDGER)
    assert max(heard.acts, key=heard.acts.__getitem__) == act
    assert sum(heard.acts.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("What is your order number?", "order number"),
        ("Which mail address can we write to?", "email"),
        ("What was wrong with it?", "reason"),
        ("Where do you live?", "delivery address"),
    ],
)
def test_the_likeliest_fact_is_the_one_that_is_asked_for(message: str, fact: str) -> None:
    asked = Hearing(message, _LEDGER).asked()
    assert max(asked, key=asked.__getitem__) == fact


def test_a_part_of_a_message_asks_for_less_than_the_whole() -> None:
    heard = Hearing("What is your order number? And your email?", _LEDGER)
    part = heard.asked("And your email?")
    assert part["email"] > part["order number"]
    assert heard.asked()["order number"] > part["order number"]


def test_what_is_heard_is_a_chance_whatever_is_said() -> None:
    for message in ("", "?" * 500, "a" * 5_000, "Ünïcödé 🙂\n\n- - -", "number " * 400):
        heard = Hearing(message, _LEDGER)
        assert all(0.0 <= chance <= 1.0 for chance in (*heard.acts.values(), *heard.asked().values()))


def test_no_weight_is_about_a_fact_or_a_value_by_name() -> None:
    """Only words of agents are weighed; facts are weighed by how they and the words go together."""
    by = weights()
    assert not [name for name in by.asked if any(char.isdigit() for char in name)]
    assert len(by.asked) < 60
