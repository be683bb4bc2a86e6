"""Words that people use of one thing are akin, and only those."""

import pytest

from misstep.wording.thesaurus import grouped, groups_in, thesaurus


@pytest.mark.parametrize(
    ("one", "other"),
    [("how old are you", "age"), ("where do you live", "address"), ("payroll number", "employee number")],
)
def test_a_phrase_and_the_noun_that_it_stands_for_are_akin(one: str, other: str) -> None:
    assert groups_in(one) & groups_in(other)


@pytest.mark.parametrize(("one", "other"), [("colour", "address"), ("passport", "age"), ("florp", "zindle")])
def test_words_of_different_matters_are_not_akin(one: str, other: str) -> None:
    assert not groups_in(one) & groups_in(other)


def test_a_phrase_counts_only_where_all_of_it_stands() -> None:
    whole, part = dict(grouped("where do you live")), dict(grouped("do you think that it is live"))
    assert "address" in whole["live"]
    assert "address" not in part.get("live", ())


def test_every_group_of_the_file_can_be_found_by_its_own_name() -> None:
    book = thesaurus()
    names = {name for groups in book.single.values() for name in groups}
    names |= {name for listed in book.phrases.values() for _, name in listed}
    lost = [name for name in names if name not in groups_in(name.replace("-", " "))]
    assert not lost
