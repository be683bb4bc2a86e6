"""Whether a text says a value."""

import pytest

from misstep.objectives.values import leaves, says, shape


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It costs € 1,234.50 in all.", 1234.5),
        ("It costs 12.50.", "12.5"),
        ("Your order #4711 is here.", "4711"),
        ("Your order #4711 is here.", 4711),
        ("It arrives on May 3rd.", "2025-05-03"),
        ("It arrives on 3 May 2025.", "2025-05-03"),
        ("Your parcel was delivered.", "delivered"),
        ("The cancellation is through.", "cancelled"),
        ("Write to ann@example.com.", "ANN@example.com"),
        ("Order Z-17 it is", "z-17"),
    ],
)
def test_a_value_is_said_in_any_usual_form(text: str, value: object) -> None:
    assert says(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It costs 1,234.50.", 234.5),
        ("Order Z-17 it is", "Z-1"),
        ("Order Z-17 it is", 17),
        ("It arrives on May 4th.", "2025-05-03"),
        ("Nothing of the kind.", "delivered"),
        ("Anything", None),
        ("true", True),
    ],
)
def test_another_value_is_not_said(text: str, value: object) -> None:
    assert not says(text, value)


def test_leaves_carry_the_name_of_their_field() -> None:
    assert list(leaves({"a": [1, {"b": "x"}], "c": None})) == [("a", 1), ("b", "x")]


def test_ids_of_one_kind_have_one_shape() -> None:
    assert shape("Z-17") == shape("#z-204")
    assert shape("Z-17") != shape("Q-17")
