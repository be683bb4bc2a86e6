"""Texts are read back: what is missing, nearly there or made up is noticed."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misstep.core.scenario import Scalar
from misstep.wording.requests import Act, Found, Saying, facts_in, voices, worded

ORDER = Saying("order number", "W-20417", "key")
PERSON = Saying("name", "Maria Schulz", "key")
DAY = Saying("day", "2026-03-04", "content")
AMOUNT = Saying("amount", 25.0, "content")


@pytest.mark.parametrize(
    ("text", "saying"),
    [
        ("Cancel W-20417.", ORDER),
        ("It's for Maria Schulz, please.", PERSON),
        ("on 4 March 2026", DAY),
        ("on March 4th, 2026", DAY),
        ("pay 25.00 of it", AMOUNT),
        ("starts at 2:30 pm", Saying("start", "14:30", "content")),
        ("it was ordered on 4 March", Saying("ordered on", "2026-03-04", "mark")),
        ("express: yes", Saying("express", True, "content")),
        ("note: (empty)", Saying("note", "", "content")),
        ("I mean the blue one", Saying("colour", "blue", "mark", says=("the blue one",))),
        ("minus -5 it is", Saying("change", -5, "content")),
    ],
)
def test_a_value_is_found_in_each_of_its_forms(text: str, saying: Saying) -> None:
    assert facts_in(text, (saying,)) == Found(kept=(saying.name,))


@pytest.mark.parametrize(
    ("text", "saying"),
    [
        ("Cancel W-20418.", ORDER),
        ("Cancel W-204170.", ORDER),
        ("It's for Maria Schulze.", PERSON),
        ("on 4 March 2027", DAY),
        ("on 2026-03-05", DAY),
        ("pay 26.00 of it", AMOUNT),
        ("pay 250 of it", AMOUNT),
    ],
)
def test_a_neighbour_of_a_value_is_a_changed_value(text: str, saying: Saying) -> None:
    found = facts_in(text, (saying,))
    assert found.changed == (saying.name,)
    assert not found.faithful


@pytest.mark.parametrize(
    ("text", "saying"),
    [
        ("Please cancel it.", ORDER),
        ("on 4 March, then", DAY),  # a year must be said of what is to be written down
        ("express: no", Saying("express", True, "content")),
        ("-25 of it", AMOUNT),
    ],
)
def test_a_value_that_is_not_there_is_not_kept(text: str, saying: Saying) -> None:
    assert facts_in(text, (saying,)).kept == ()


def test_literals_that_no_saying_has_are_made_up() -> None:
    text = 'Cancel W-20417, paid with Y-31001 on 3 May, and tell ann@example.com "at once".'
    assert facts_in(text, (ORDER,)).invented == ("Y-31001", "3 May", "ann@example.com", "at once")
    assert facts_in(text, (ORDER,), also=('Y-31001 3 May ann@example.com "at once"',)).faithful


@given(
    st.from_regex(r"[A-Z]{1,2}-[0-9]{3,6}", fullmatch=True),
    st.sampled_from(voices()),
    st.integers(0, 10**6),
    st.integers(0, 9),
)
def test_a_digit_that_is_altered_in_a_request_is_noticed(code: str, voice: str, seed: int, digit: int) -> None:
    act = Act("cancel_order", "Cancel an order.", (Saying("order number", code, "key"),))
    said = worded(act, voice=voice, random=Random(seed))
    other = code[:-1] + str(digit)
    text = said.text.replace(code, other)
    assert facts_in(text, act.sayings).faithful is (other == code)


@given(st.text(max_size=200), st.text(max_size=30) | st.integers() | st.booleans() | st.floats())
def test_any_text_can_be_read(text: str, value: Scalar) -> None:
    found = facts_in(text, (Saying("thing", value, "content"),))
    assert len(found.kept) + len(found.lost) + len(found.changed) == 1
