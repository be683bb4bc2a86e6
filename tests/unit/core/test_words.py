"""Words of one family meet in their stem, and literal values are read whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misstep.core.words import (
    Atom,
    as_number,
    atoms,
    content_stems,
    joined,
    sentences,
    split_identifier,
    stem,
    stems,
    words,
)


@pytest.mark.parametrize(
    "family",
    [
        "refund refunds refunded refunding refund's",
        "cancel cancels cancelled canceled cancelling cancellation",
        "verify verifies verified verifying verification",
        "delete deletes deleted deleting deletion",
        "ship ships shipped shipping shipment",
        "deliver delivery deliveries delivered delivering",
        "reply replies replied replying",
        "try tries tried trying",
        "note notes noted noting",
        "size sizes sized",
        "price prices priced pricing",
        "address addresses addressed",
        "change changes changed changing",
        "box boxes boxed",
        "confirm confirms confirmed confirmation",
    ],
)
def test_the_forms_of_a_word_meet_in_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("order", "offer"), ("not", "noted"), ("status", "state"), ("item", "time")]
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.text(max_size=200))
@settings(deadline=None, derandomize=True)
def test_any_text_at_all_can_be_read(text: str) -> None:
    for atom in atoms(text):
        assert text[atom.start :].startswith(atom.text)
    assert len(stems(text)) == len(words(text)) >= len(content_stems(text))
    assert all(sentence.strip() == sentence != "" for sentence in sentences(text))
    as_number(text)
    assert all(part == part.lower() for part in split_identifier(text) if part.isascii())


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getOrder_by-ID", ["get", "order", "by", "id"]),
        ("HTTPServer", ["http", "server"]),
        ("__x__", ["x"]),
        ("", []),
    ],
)
def test_an_identifier_is_taken_apart_where_its_case_or_marks_change(name: str, parts: list[str]) -> None:
    assert split_identifier(name) == parts


def test_words_take_identifiers_apart_and_keep_apostrophes() -> None:
    assert words("Don’t call getOrder or find_item, OK?") == [
        "don't",
        "call",
        "get",
        "order",
        "or",
        "find",
        "item",
        "ok",
    ]


def test_stopwords_carry_no_meaning() -> None:
    assert content_stems("Please could you refund my orders") == ["refund", "order"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mail a.b+c@x.co.uk.", [("email", "a.b+c@x.co.uk")]),
        ("see https://x.y/z?q=1 now", [("url", "https://x.y/z?q=1")]),
        ("on 12 May 2024", [("date", "12 May 2024")]),
        ("on May 3rd, or 2024-05-01T10:00", [("date", "May 3rd"), ("date", "2024-05-01T10:00")]),
        ("on 3.4.2024", [("date", "3.4.2024")]),
        ("order #W123-4, not #55", [("code", "#W123-4"), ("code", "#55")]),
        ("pay 1,200.50 twice", [("number", "1,200.50")]),
        ('the "blue mug" or “red one”', [("quoted", "blue mug"), ("quoted", "red one")]),
        ("nothing to copy here", []),
    ],
)
def test_literal_values_are_read_whole_with_their_kind(text: str, found: list[tuple[str, str]]) -> None:
    assert [(atom.kind, atom.text) for atom in atoms(text)] == found


def test_an_atom_knows_where_it_starts() -> None:
    assert atoms("id A7 and “x”") == [Atom("code", "A7", 3), Atom("quoted", "x", 11)]


@pytest.mark.parametrize("piece", ["a", "é", "-a", "a.", "1 ", "a@", ".", '"', "#", "/", "_", "jan ", "1.", "(", "aA"])
def test_the_work_on_a_long_hostile_text_grows_with_its_length_only(piece: str) -> None:
    # Quadratic work on so many characters would run into the time limit of the test.
    text = piece * (300_000 // len(piece))
    atoms(text)
    sentences(text)
    words(text)
    as_number(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), ("-5", -5), ("+5", 5), ("-$5", -5), ("1,234.50", 1234.5), ("1.234,50", 1234.5), ("1,5", 1.5),
        ("1,500", 1500), ("1 234 567,89", 1234567.89), ("€12", 12), ("US$ 12.50", 12.5), ("USD 5", 5), ("12%", 12),
        ("12 kg", 12), ("12th", 12), ("#12", 12), (" 7. ", 7),
    ],
)  # fmt: skip
def test_a_number_is_read_however_people_write_it(text: str, number: float) -> None:
    assert as_number(text) == number


@pytest.mark.parametrize(
    "text", ["", ".", "twelve", "A12", "ORD-1234", "x_1", "2 of 3", "3-4", "1.2.3", "2024-05-01", "+44 20 7946 0958"]
)
def test_what_is_no_single_number_is_not_read_as_one(text: str) -> None:
    assert as_number(text) is None


def test_sentences_end_at_full_stops_and_line_ends_but_not_inside_numbers() -> None:
    assert sentences("Pay 3.50 now. “Really?” Yes!\n- one\n\n- two") == [
        "Pay 3.50 now.",
        "“Really?” Yes!",
        "- one",
        "- two",
    ]


def test_a_list_is_joined_the_way_people_do() -> None:
    assert [joined("abc"), joined("ab", "or"), joined("a"), joined("")] == ["a, b and c", "a or b", "a", ""]
