"""What a pattern asks of a value."""

import pytest

from misstep.objectives.matching import fits, fits_all, misfits, number_in


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (1, 1.0),
        (12.5, "12.50"),
        ("12.50", 12.5),
        ("€12.50", "12.5"),
        (1234.5, "1,234.50"),
        (" Blue  Mug ", "blue mug"),
        ("2024-05-03", "3 May 2024"),
        ("2024-05-03", "May 3rd, 2024"),
        ("2024-05-03", "03/05/2024"),
        ("2024-05-03", "2024-05-03T00:00:00Z"),
        (True, "true"),
        (None, None),
        ([1, 2], [2, 1]),
        ([{"id": 1}], [{"id": 1, "more": 2}]),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
        ({"any_of": [1, "two"]}, "Two"),
        ({"near": 10, "within": 0.5}, "10.4"),
        ({"contains": "late delivery"}, "The delivery came LATE"),
        ({"contains": ["a", "b"]}, ["b", "a", "c"]),
        ({"not": "x"}, "y"),
        ({"matches": r"^Z-\d+$"}, "Z-17"),
        ({"is": "anything"}, 0),
    ],
)
def test_what_means_the_same_fits(pattern: object, value: object) -> None:
    assert fits(pattern, value)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (1, True),
        (True, 1),
        (12.5, "12.51"),
        ("0012", "12"),
        ("abc", None),
        (None, ""),
        ("2024-05-03", "2024-05-04"),
        ("2024-05-03", "2024-05-03T09:30"),
        ("2024-05-03", "3 May"),
        ([1, 2], [1, 1]),
        ([1, 2], [1, 2, 3]),
        ([1], 1),
        ({"a": 1}, {}),
        ({"a": 1}, [1]),
        ({"any_of": [1, 2]}, 3),
        ({"near": 10, "within": 0.5}, 10.6),
        ({"near": 10}, "ten"),
        ({"contains": "late delivery"}, "on time"),
        ({"not": {"any_of": ["x", "y"]}}, "Y"),
        ({"matches": r"^Z-\d+$"}, "Z-x"),
        ({"is": "anything"}, None),
    ],
)
def test_what_means_something_else_does_not_fit(pattern: object, value: object) -> None:
    assert not fits(pattern, value)


def test_only_named_values_matter() -> None:
    assert fits_all({"a": 1}, {"a": 1, "b": 2})
    assert misfits({"a": 1, "b": 3, "c": 4}, {"a": 1, "b": 2}) == ("b", "c")


def test_an_id_with_leading_zeros_is_no_number() -> None:
    assert number_in("007") is None
    assert number_in("7") == 7
    assert number_in("0.5") == 0.5


@pytest.mark.parametrize(
    ("wanted", "written"),
    [
        ("it was a mistake", "Ordered by mistake"),
        ("it was a mistake", "Customer says it was a mistake."),
        ("Please call before you come.", "Customer wants a call before anybody comes."),
        ("the lock of door 12 does not close", "Door 12: lock broken, won't close"),
    ],
)
def test_free_text_may_be_any_fair_paraphrase(wanted: str, written: str) -> None:
    assert fits({"means": wanted}, written)


@pytest.mark.parametrize(
    ("wanted", "written"),
    [
        ("it was a mistake", ""),
        ("it was a mistake", "arrived damaged"),
        ("the lock of door 12 does not close", "The lock of door 21 does not close"),
        ("Please call before you come.", None),
    ],
)
def test_free_text_must_tell_what_was_to_be_told(wanted: str, written: str | None) -> None:
    assert not fits({"means": wanted}, written)
