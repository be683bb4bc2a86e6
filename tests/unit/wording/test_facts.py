"""Which facts of a ledger a clause asks for."""

import pytest

from misstep.core.scenario import Fact
from misstep.core.words import STOPWORDS, stem
from misstep.wording.facts import entry_of, match, said
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import topic_of

ENTRIES = tuple(
    entry_of(Fact(name=name, value=value))
    for name, value in (("order number", "W-1"), ("phone number", "555-0100"), ("zindle code", "Z-9"), ("dask", 4))
)


def asked(clause: str) -> list[str]:
    return [entry.name for entry in match(topic_of(clause), ENTRIES).entries]


@pytest.mark.parametrize(
    ("clause", "names"),
    [
        ("your order number", ["order number"]),
        ("the reference of the purchase", ["order number"]),
        ("a number to call you on", ["phone number"]),
        ("the zindle code", ["zindle code"]),
        ("the zindle", ["zindle code"]),
        ("the dask", ["dask"]),
    ],
)
def test_the_distinguishing_word_decides(clause: str, names: list[str]) -> None:
    assert asked(clause) == names


@pytest.mark.parametrize("clause", ["your account number", "the brask code", "your date of birth"])
def test_what_belongs_to_something_else_is_not_there(clause: str) -> None:
    found = match(topic_of(clause), ENTRIES)
    assert found.outcome == "lacks"
    assert found.entries == ()


def test_a_value_of_plain_shape_can_be_asked_for_though_its_name_is_nonsense() -> None:
    entry = entry_of(Fact(name="morvel", value="plith@quond.example"))
    assert match(topic_of("your email"), (entry,)).entries == (entry,)


def test_no_function_word_names_a_kind_of_fact() -> None:
    book = lexicon()
    meant = {"why", "whom", "whose"}
    assert [word for word in sorted(STOPWORDS - meant) if stem(word) in book.kinds or word in book.forms] == []


def test_no_word_of_asking_names_a_kind_of_fact() -> None:
    verbs = "tell give provide share send supply need require know help proceed continue confirm enter mention call let"
    assert [word for word in verbs.split() if stem(word) in lexicon().kinds] == []


def test_acts_that_go_together_are_acts_of_the_lexicon() -> None:
    book = lexicon()
    assert all(other in book.goes_with for others in book.goes_with.values() for other in others)


def test_values_are_said_as_they_are_written() -> None:
    assert [said(value) for value in (3.5, 250.0, 7, True, "x")] == ["3.5", "250", "7", "yes", "x"]
