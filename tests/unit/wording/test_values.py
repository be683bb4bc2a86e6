"""One value in several writings, and families of ids."""

import pytest

from misstep.wording.values import days_of, form, holds, proper_names, shape, spot


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("leaves on 3 May 2025", "2025-05-03"),
        ("leaves on May 3rd", "2025-05-03"),
        ("a total of €1,250.00", "1250"),
        ("order #w-20417!", "W-20417"),
        ("write to Ann.Lee@Example.com", "ann.lee@example.com"),
        ("item JD5501883072 goes to a neighbour", "JD5501 8830 72"),
        ("item JD5501 8830 72 goes to a neighbour", "JD5501883072"),
    ],
)
def test_a_value_is_found_in_another_writing(text: str, value: str) -> None:
    assert holds(spot(text), form(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("order W-204170", "W-20417"),
        ("3 June 2025", "2025-05-03"),
        ("25", "250"),
        ("item KD5501883072", "JD5501 8830 72"),
    ],
)
def test_a_value_is_not_found_in_its_neighbour(text: str, value: str) -> None:
    assert not holds(spot(text), form(value))


def test_a_date_with_slashes_can_mean_two_days() -> None:
    assert set(days_of("3/4/2025")) == {(2025, 4, 3), (2025, 3, 4)}
    assert days_of("25/12/2025") == ((2025, 12, 25),)


def test_ids_of_one_family_share_a_shape_and_others_do_not() -> None:
    assert shape("W-1") == shape("#w-20417")
    assert shape("W-1") != shape("C-1")
    assert shape("QX7T2P") == shape("AB1C3D")


def test_names_inside_a_sentence_are_seen_and_its_first_word_is_not() -> None:
    assert proper_names("Am I speaking with John Smith?") == ["John Smith"]
    assert proper_names("Could it be that I'll wait?") == []
