"""How words go with what a fact is: by its name, by its kin, and by the looks of its value, whatever it is called."""

from misstep.core.scenario import Fact, Goal, Person
from misstep.users.ledger import ledger_of
from misstep.users.weighing.hearing import weights
from misstep.users.weighing.ties import sides, tied

_PERSON = Person(
    goals=(Goal(ask="book a visit"),),
    facts=(
        Fact(name="glorp", value="14 March"),
        Fact(name="surname", value="Okafor"),
        Fact(name="code", value="KX-2081"),
    ),
)
_LEDGER = ledger_of(_PERSON, "first")


def test_a_fact_in_a_word_that_nobody_knows_has_the_sides_of_its_value() -> None:
    glorp = sides(_LEDGER.entries[0])
    assert {"name glorp", "head glorp", "looks date"} <= set(glorp)
    assert not any(side.startswith("kin ") for side in glorp)


def test_when_goes_with_a_date_whatever_it_is_called() -> None:
    found = tied("When should we come?", _LEDGER, weights().ties)
    assert max(found, key=found.__getitem__) == "glorp"


def test_other_words_for_a_name_go_with_it() -> None:
    found = tied("What is your family name?", _LEDGER, weights().ties)
    assert max(found, key=found.__getitem__) == "surname"


def test_words_without_ties_say_nothing() -> None:
    assert set(tied("Xyzzy plugh 2081 42!", _LEDGER, weights().ties).values()) == {0.0}
