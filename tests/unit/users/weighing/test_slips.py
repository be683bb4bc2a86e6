"""What speaks for a fact's being got wrong: only what stands where its value would, and never names as such."""

from misstep.core.scenario import Fact, Goal, Person
from misstep.users.ledger import Ledger, ledger_of
from misstep.users.weighing.hearing import Hearing
from misstep.users.weighing.slips import slips


def _ledger() -> Ledger:
    facts = (
        Fact(name="order number", value="W-8042"),
        Fact(name="refund method", value="debit card"),
        Fact(name="jacket size", value="42 inches"),
    )
    return ledger_of(Person(goals=(Goal(ask="get a refund"),), facts=facts), "first")


def test_of_a_value_that_is_there_nothing_speaks_for_a_slip() -> None:
    seen = slips("I would refund order W-8042. All right?", _ledger(), frozenset())["order number"]
    assert {name for name, much in seen.items() if much} == {"held", "named", "shown", "shown of all"}


def test_another_literal_of_its_looks_stands_out_for_that_fact_alone() -> None:
    seen = slips("I would refund order W-8043. All right?", _ledger(), frozenset())
    assert seen["order number"]["same shape"] == 1.0
    assert seen["order number"]["as like as"] > 0.8
    assert seen["refund method"]["same shape"] == 0.0


def test_another_number_of_the_same_thing_is_seen_in_figures_and_in_words() -> None:
    for text in ("That is 40 inches round.", "That is forty inches round."):
        assert slips(text, _ledger(), frozenset())["jacket size"]["count of it"] == 1.0


def test_the_fact_that_is_got_wrong_is_the_likeliest() -> None:
    heard = Hearing("I'll refund order W-8043 to your debit card. Is that right?", _ledger())
    assert max(heard.slips, key=heard.slips.__getitem__) == "order number"
    assert heard.slips["order number"] > 0.5 > 0.1 > heard.slips["refund method"]


def test_a_first_name_may_be_an_initial() -> None:
    facts = (Fact(name="owner", value="Mirela Ionescu"), Fact(name="witness", value="Radu Ionescu"))
    ledger = ledger_of(Person(goals=(Goal(ask="register a tool"),), facts=facts), "first")
    seen = slips("Owner: M. Ionescu. Register?", ledger, frozenset())
    assert (seen["owner"]["initialled"], seen["witness"]["initialled"]) == (1.0, 0.0)
