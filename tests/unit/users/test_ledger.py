"""What a person says is checked against the ledger: seeded violations are caught, honest sentences pass."""

from collections.abc import Callable
from random import Random

import pytest

from misstep.core.scenario import Fact, Goal, Person
from misstep.core.words import words
from misstep.users.ledger import Entry, Ledger, ledger_of, violations
from misstep.users.phrasing import Manner, Voice

PEOPLE = (
    Person(
        goals=(Goal(ask="cancel my order"),),
        facts=(
            Fact(name="order number", value="W-20417", at_first="W-20471"),
            Fact(name="email", value="ann.lee@example.com"),
            Fact(name="name", value="Ann Lee"),
            Fact(name="item", value="blue desk lamp"),
            Fact(name="total", value=35.5),
        ),
    ),
    Person(
        goals=(Goal(ask="move my flight to 10 May 2025"),),
        constraints=("I want an aisle seat.",),
        facts=(
            Fact(name="booking reference", value="QX7T2P"),
            Fact(name="departure date", value="2025-05-03"),
            Fact(name="destination", value="Lisbon", at_first="Porto"),
            Fact(name="passport number", value="X4419920", reveal="never"),
        ),
    ),
    Person(
        goals=(Goal(ask="convert the budget file"),),
        facts=(
            Fact(name="folder", value="/home/kim/reports"),
            Fact(name="file name", value="budget-2024.xlsx"),
            Fact(name="zindle number", value="Z-778-Q"),
            Fact(name="phone number", value="020 555 0199", at_first="020 555 0991"),
        ),
    ),
)
WHOLE = "Oh dear, fancy having to look for such stuff on a rainy day, {text} And cheers to you, my friend!"
INVENTED = ("K-99310", "zoe@else.example", "2031-12-24", "7741.25", "Bartholomew", "Osaka", "#55512")


def _telling(entry: Entry, voice: Voice) -> str:
    return voice.say("answers", voice.choice(("fact", "several", "again")), name=entry.name, value=entry.value)


def _open(ledger: Ledger) -> list[Entry]:
    return [entry for entry in ledger.entries if entry.fact.reveal != "never"]


def _invented(random: Random, ledger: Ledger, voice: Voice) -> tuple[str, set[str]]:
    entry = random.choice(_open(ledger))
    return _telling(entry, voice).replace(entry.value, random.choice(INVENTED)), {entry.name}


def _altered(random: Random, ledger: Ledger, voice: Voice) -> tuple[str, set[str]]:
    entry = random.choice(_open(ledger))
    at = random.choice([place for place, letter in enumerate(entry.value) if letter.isalnum()])
    old = entry.value[at]
    new = random.choice([each for each in ("0123456789" if old.isdigit() else "bcdfghkmpt") if each != old.lower()])
    changed = entry.value[:at] + new + entry.value[at + 1 :]
    return _telling(entry, voice).replace(entry.value, changed), {entry.name}


def _leaked(random: Random, ledger: Ledger, voice: Voice) -> tuple[str, set[str]]:
    entry, other = random.sample(list(ledger.entries), 2)
    return f"{_telling(other, voice)} {_telling(entry, voice)}", {other.name}


Mutation = Callable[[Random, Ledger, Voice], tuple[str, set[str]]]


def _mistaken_again(random: Random, ledger: Ledger, voice: Voice) -> tuple[str, set[str]]:
    """What was said by mistake at first, said when it is no slip any more."""
    entry = random.choice([each for each in ledger.entries if each.fact.at_first is not None])
    return _telling(entry, voice).replace(entry.value, str(entry.fact.at_first)), {entry.name}


mutations = pytest.mark.parametrize(
    "mutation",
    [_invented, _altered, _leaked, _mistaken_again],
    ids=["invented", "altered", "leaked", "mistaken again"],
)
manners = pytest.mark.parametrize("manner", ["first", "second"])


@mutations
def test_seeded_violations_in_words_of_a_models_own_are_caught(mutation: Mutation) -> None:
    random, voice = Random(12), Voice(12)
    missed: list[str] = []
    for at in range(150):
        ledger = ledger_of(PEOPLE[at % len(PEOPLE)])
        text, allowed = mutation(random, ledger, voice)
        assert violations(WHOLE.format(text=""), ledger, allowed=allowed) == ()
        whole = WHOLE.format(text=text)
        if not violations(whole, ledger, allowed=allowed):
            missed.append(text)
    assert len(missed) <= 7, missed


def test_a_slip_may_be_said_where_it_is_one_and_nothing_near_it() -> None:
    ledger = ledger_of(PEOPLE[0])
    name = {"order number"}
    assert violations("The order number is W-20471.", ledger, allowed=name, slips=name) == ()
    assert violations("The order number is W-20471.", ledger, allowed=name) != ()
    assert violations("The order number is W-20472.", ledger, allowed=name, slips=name) != ()


@pytest.mark.parametrize("register", ["plain", "formal", "terse", "chatty"])
@manners
def test_honest_sentences_pass_without_exception(manner: Manner, register: str) -> None:
    for seed in range(20):
        voice = Voice(seed, manner, register)
        for person in PEOPLE:
            ledger = ledger_of(person)
            for entry in _open(ledger):
                assert violations(_telling(entry, voice), ledger, allowed={entry.name}) == ()
            opening = voice.opening([goal.ask for goal in person.goals], person.constraints)
            assert violations(opening, ledger, allowed=set()) == ()


def test_a_violation_says_what_it_is() -> None:
    ledger = ledger_of(PEOPLE[0])
    kinds = {
        "The order number is W-20418.": "altered",
        "The order number is K-1.": "invented",
        "My email is ann.lee@example.com.": "leaked",
        "It's Lee.": "altered",
    }
    for text, kind in kinds.items():
        found = violations(text, ledger, allowed={"order number", "name"})
        assert {each.kind for each in found} == {kind}, text


def test_what_the_agent_showed_may_be_said() -> None:
    ledger = ledger_of(PEOPLE[0])
    heard = set(words("2. order K-9, red mug")) | {"k 9"}
    assert violations("Number 2, please: K-9.", ledger, allowed=set(), heard=heard) == ()
    assert violations("Number 2, please: K-9.", ledger, allowed=set()) != ()
